/** Reads the tables in statements: SQLite folds only the letters of ASCII, and takes names in single quotes, too. */
import { nameAt, splitWords, unquoted, type Word } from "../../syntax/names.ts";
import { SQLITE } from "../sqlite/dialect.ts";

type Words = readonly Word[];

export interface TableAt {
  /** In lower case. */
  readonly name: string;
  readonly text: string;
  readonly next: number;
}

export function wordsOf(text: string): Words {
  // A statement of rows may be long.
  return splitWords(/^(?:INSERT|REPLACE)/i.test(text) ? text.slice(0, 5_000) : text, SQLITE);
}

export function lowerCase(name: unknown): string {
  return `${name}`.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function tableAt(parts: Words, at: number): TableAt | undefined {
  const last = parts[at + 1]?.text === "." ? at + 2 : at;
  const { text = "" } = parts[last] ?? {};
  const found = text.startsWith("'")
    ? { name: unquoted(text), text, next: last + 1 }
    : nameAt(parts, at);
  return found && { ...found, name: lowerCase(found.name) };
}

/** The table behind `CREATE TABLE`, `DROP TABLE` or `ALTER TABLE`, and the condition that may follow. */
export function tableOf(verb: string, parts: Words): TableAt | undefined {
  if (parts[0]?.word !== verb || parts[1]?.word !== "TABLE") return undefined;
  let at = 2;
  while (["IF", "NOT", "EXISTS"].includes(parts[at]?.word ?? "")) at++;
  return tableAt(parts, at);
}

/** The new name of a table. */
export function renamedTo(parts: Words): string | undefined {
  const table = tableOf("ALTER", parts);
  if (!table || parts[table.next]?.word !== "RENAME" || parts[table.next + 1]?.word !== "TO") {
    return undefined;
  }
  return tableAt(parts, table.next + 2)?.name;
}

/** The table whose rows a statement writes, and the position of the verb. */
export function writtenBy(parts: Words): (TableAt & { readonly verb: string }) | undefined {
  let depth = 0;
  const at = parts.findIndex(({ text, word, isQuoted }) => {
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    return depth === 0 && !isQuoted && /^(?:INSERT|REPLACE|UPDATE|DELETE)$/.test(word);
  });
  const verb = parts[at]?.word ?? "";
  if (!/^(?:WITH|INSERT|REPLACE|UPDATE|DELETE)$/.test(parts[0]?.word ?? "") || at < 0) {
    return undefined;
  }
  const start = verb === "UPDATE"
    ? (parts[at + 1]?.word === "OR" ? at + 3 : at + 1)
    : parts.findIndex(({ word }, index) => index > at && /^(?:INTO|FROM)$/.test(word)) + 1;
  const table = tableAt(parts, start);
  return table && { ...table, verb };
}

/** The table that a statement deletes all rows of. */
export function emptiedBy(parts: Words): TableAt | undefined {
  const table = parts[0]?.word === "DELETE" ? tableAt(parts, 2) : undefined;
  return table && table.next >= parts.length ? table : undefined;
}

interface ForeignKey {
  readonly columns: readonly string[];
  readonly parent: string;
  readonly action: string;
}

/** The foreign keys with an action in definitions of columns and constraints, which begin at a position. */
export function foreignKeysIn(parts: Words, from: number): readonly ForeignKey[] {
  const found: ForeignKey[] = [];
  let [depth, start] = [0, from];
  for (let at = from; at < parts.length; at++) {
    const { text, word } = parts[at]!;
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    if (depth === 0 && text === ",") start = at + 1;
    const parent = depth === 0 && word === "REFERENCES" ? tableAt(parts, at + 1) : undefined;
    if (!parent) continue;
    const rest = parts.slice(parent.next).map(({ word }) => word).join(" ");
    const [, action] =
      /^(?:\([^)]*\))?[^,)]*?\bON DELETE (CASCADE|SET NULL|SET DEFAULT)\b/.exec(rest) ?? [];
    if (action === undefined) continue;
    const own = parts.slice(start, at);
    const key = own.findIndex(({ word }) => word === "FOREIGN") + 1;
    const names = key === 0 ? [0] : own.keys().filter((index) => index > key + 1).toArray();
    const columns = names.flatMap((index) => tableAt(own, index)?.name ?? []);
    found.push({ columns, parent: parent.name, action });
  }
  return found;
}
