import { DatabaseError, withDetails } from "../../errors.ts";
import type { Statement } from "../../syntax/grammar.ts";
import type { SqlMigration } from "../../types.ts";

export interface ScriptPart {
  readonly text: string;
  readonly start: number;
  readonly statements: number;
  own(): readonly Pick<Statement, "text" | "start">[];
}

/** The text of a file in parts, so that a large file is not in memory more than once. */
export function splitScript(
  { script: { text }, statements, turns }: Pick<SqlMigration, "script" | "statements" | "turns">,
  length: number,
): readonly ScriptPart[] {
  const bounds = new Set(turns);
  if (text.length > length) {
    let start = 0;
    for (const [index, { end }] of statements.entries()) {
      const next = statements[index + 1];
      if (next === undefined || next.end - start <= length) continue;
      bounds.add(index);
      start = end;
    }
  }
  const ends = [...bounds].sort((a, b) => a - b)
    .map((index) => ({ at: statements[index]!.end, statements: index + 1 }));
  return [{ at: 0, statements: 0 }, ...ends].map(({ at, statements: from }, index) => {
    const own = () =>
      statements.slice(from, ends[index]?.statements)
        .map(({ text, start }) => ({ text, start: start - at }));
    return { text: text.slice(at, ends[index]?.at), start: at, statements: from, own };
  });
}

export function moved(
  error: unknown,
  { start, statements }: Pick<ScriptPart, "start" | "statements">,
): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const { offset, completed } = error;
  return withDetails(error, {
    ...(offset !== undefined && { offset: offset + start }),
    ...(completed !== undefined && { completed: completed + statements }),
  });
}
