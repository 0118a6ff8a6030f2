import type { FileProblem } from "../migrations/mod.ts";
import type { SearchMigration } from "./types.ts";

/**
 * What is wrong between files: two that make one resource (the last in order counts), and templates of one priority whose
 * patterns can match one index, which a cluster refuses.
 */
export function checkTogether(migrations: readonly SearchMigration[]): readonly FileProblem[] {
  return [...twins(migrations), ...collisions(migrations)];
}

function* twins(migrations: readonly SearchMigration[]): Iterable<FileProblem> {
  const seen = new Map<string, string>();
  for (const { kind, name, file } of migrations) {
    if (kind === "request") continue;
    const key = `${kind} ${name}`;
    const other = seen.get(key);
    if (other !== undefined) {
      const message = `Makes the ${kind} '${name}' that '${other}' makes too: the last one counts`;
      yield { severity: "warning", path: file.path, message };
    }
    seen.set(key, file.path);
  }
}

function* collisions(migrations: readonly SearchMigration[]): Iterable<FileProblem> {
  const templates = migrations.filter(({ template }) => template);
  for (const [index, second] of templates.entries()) {
    for (const first of templates.slice(0, index)) {
      if (first.name === second.name) continue;
      const clash = clashOf(first, second);
      if (clash === undefined) continue;
      const { priority } = second.template!;
      const message =
        `The patterns ${clash} of '${first.file.path}' and this file match the same ` +
        `indices at one priority (${priority}), which the cluster refuses: give one another 'priority'`;
      yield { severity: "error", path: second.file.path, message };
    }
  }
}

function clashOf(first: SearchMigration, second: SearchMigration): string | undefined {
  if (first.template!.priority !== second.template!.priority) return undefined;
  for (const a of first.template!.patterns) {
    for (const b of second.template!.patterns) if (overlap(a, b)) return `'${a}' and '${b}'`;
  }
}

/** Whether some text matches both patterns, in which `*` stands for any text. */
export function overlap(a: string, b: string): boolean {
  // Most pairs differ before their first star, and there are many pairs.
  const [start, other] = [a.slice(0, starOf(a)), b.slice(0, starOf(b))];
  if (!start.startsWith(other) && !other.startsWith(start)) return false;
  // Row i, column j: whether what is left of a from i and of b from j have a text in common.
  let row = new Array<boolean>(b.length + 1).fill(false);
  for (let i = a.length; i >= 0; i--) {
    const next = row;
    row = new Array<boolean>(b.length + 1).fill(false);
    for (let j = b.length; j >= 0; j--) {
      if (i === a.length && j === b.length) row[j] = true;
      else if (a[i] === "*") row[j] = next[j]! || (j < b.length && row[j + 1]!);
      else if (b[j] === "*") row[j] = row[j + 1]! || (i < a.length && next[j]!);
      else row[j] = i < a.length && j < b.length && a[i] === b[j] && next[j + 1]!;
    }
  }
  return row[0]!;
}

function starOf(pattern: string): number {
  const star = pattern.indexOf("*");
  return star < 0 ? pattern.length : star;
}
