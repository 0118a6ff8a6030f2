import { hexDigest } from "../../../text/mod.ts";
import {
  type ForeignFile,
  type ForeignMatch,
  type ForeignRow,
  readTime,
} from "../../runner/mod.ts";
import { DIRECTIVE } from "../files/directives.ts";

export interface ForeignTable {
  readonly schema?: string;
  readonly name: string;
  readonly columns: readonly string[];
}

export type TableRow = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly id: string;
  readonly name: string;
  /** Names of its table in lower case, the usual one first. */
  readonly tables: readonly string[];
  /** The schema of its table, where it is always the same. */
  readonly schema?: string;
  /** The columns that its table always has, in lower case. */
  readonly columns: readonly string[];
  /** Those that it may have beside them; a table with its usual name may then have any. @default no other column */
  readonly more?: readonly string[];
  /** Whether rows of a table of another name that has its columns are those of a history. @default all are */
  isHistory?(rows: readonly TableRow[]): boolean;
  /** Whether the names of tables beside it fit. @param names of all tables in its schema, in lower case */
  fits?(names: ReadonlySet<string>): boolean;
  isEmpty?(rows: readonly TableRow[]): boolean;
  match?(
    rows: readonly TableRow[],
    paths: readonly string[],
    files?: readonly ForeignFile[],
  ): ForeignMatch;
}

export function text(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

export function toBoolean(value: unknown): boolean {
  return value === true || /^(?:1|t|true)$/.test(String(value));
}

export function execution(
  tool: string,
  at: unknown,
  by?: unknown,
  durationMs?: unknown,
): Pick<ForeignRow, "executedAt" | "executedBy" | "durationMs"> {
  const [user, duration] = [by, durationMs].map(text);
  return {
    executedAt: readTime(at),
    executedBy: user === undefined ? tool : `${tool}: ${user}`,
    ...(duration !== undefined && { durationMs: Number(duration) }),
  };
}

export function byNumberIn(column: string): (a: TableRow, b: TableRow) => number {
  return (a, b) => Number(a[column]) - Number(b[column]);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function stem(path: string): string {
  return baseName(path).replace(/\.[^.]*$/, "");
}

/** The path itself, or else one in some folder. */
export function pathEnding(wanted: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => path === wanted) ?? paths.find((path) => path.endsWith(`/${wanted}`));
}

const LINE = new RegExp(`${DIRECTIVE.source}.*(?:\\r\\n|\\n|$)`, "gim");

/** A text without the lines that are directives of ours: a file of another tool is given them when it comes here. */
export function withoutDirectives(source: string): string {
  return source.replace(LINE, "");
}

export async function textHashes(bytes: Uint8Array): Promise<readonly string[]> {
  return await Promise.all(textForms(bytes).map((form) => hexDigest(form)));
}

/** A text as it is, with LF and with CRLF, and the same without directives. */
export function textForms(bytes: Uint8Array): readonly string[] {
  const source = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return [source, withoutDirectives(source)].flatMap((form) => {
    const lf = form.replaceAll("\r\n", "\n");
    return [form, lf, lf.replaceAll("\n", "\r\n")];
  });
}
