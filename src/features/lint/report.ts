import { nearest, quoted } from "../../text/mod.ts";
import type { FileProblem } from "../../migrations/runner/mod.ts";
import type { SqlMigration } from "../../migrations/sql/types.ts";
import type { TableFacts, TableName } from "./facts.ts";
import { type Rule, RULES } from "./rules.ts";

export interface Finding {
  readonly rule: Rule;
  /** The lock and how long it is held, or the loss: a sentence without its final period. */
  readonly message: string;
  /** The safe way: lines of text, those of SQL indented. */
  readonly advice: readonly string[];
  readonly statement: number;
  /** Where in the text that is sent, in UTF-16 units. */
  readonly offset: number;
  readonly table?: TableName;
}

export function withoutAllowed(
  { file: { path }, script, allowances }: SqlMigration,
  findings: readonly Finding[],
  isComplete: boolean,
): { readonly findings: readonly Finding[]; readonly problems: readonly FileProblem[] } {
  const isAllowed = ({ rule, statement }: Finding, by: typeof allowances[number]) =>
    by.rule === rule && (by.statement ?? statement) === statement;
  const left = findings.filter((finding) => !allowances.some((by) => isAllowed(finding, by)));
  const problems = allowances.flatMap((allowance): FileProblem[] => {
    const { rule, at, statement } = allowance;
    const place = { path, ...script.locate(at) };
    if (!RULES.includes(rule)) return [{ severity: "error", message: unknownRule(rule), ...place }];
    if (!isComplete || findings.some((finding) => isAllowed(finding, allowance))) return [];
    const where = statement === undefined ? "the file" : "the following statement";
    const message = `Unused 'allow': the rule '${rule}' finds nothing in ${where}`;
    return [{ severity: "warning", message, ...place }];
  });
  // One is enough of what each statement behind the first lock does.
  const once = left.find(({ rule }) => rule === "locks-add-up");
  return {
    findings: left.filter((finding) => finding.rule !== "locks-add-up" || finding === once),
    problems,
  };
}

function unknownRule(rule: string): string {
  const near = nearest(rule, RULES);
  const hint = near.length > 0 ? `Did you mean ${quoted(near)}?` : "The guide lists all rules";
  return `Unknown rule '${rule}'. ${hint}`;
}

/** If `lint_from` names no file, more files may be left out than intended. */
export function unknownStart(
  path: string,
  paths: readonly string[],
  severity: FileProblem["severity"],
): FileProblem {
  const near = nearest(path, paths);
  const hint = near.length > 0 ? `did you mean ${quoted(near)}?` : "files before it are not linted";
  const message = `'migrations.lint_from' names a file that does not exist: ${hint}`;
  return { severity, path, message };
}

export function fileProblem(
  { rule, offset, message, advice, table }: Finding,
  { file: { path }, script }: SqlMigration,
  severity: FileProblem["severity"],
  sizes: readonly TableFacts[],
  redact: (text: string) => string,
): FileProblem {
  const size = sizeText(factsOf(table, sizes) ?? {});
  return {
    ...{ severity, path, ...script.locate(offset), rule, message: redact(message) },
    ...size !== undefined && { measured: [size] },
    advice: [...advice, `If this is intentional: -- irori: allow ${rule}: <reason>`].map(redact),
  };
}

export function factsOf(
  table: TableName | undefined,
  known: readonly TableFacts[],
): TableFacts | undefined {
  return known.find((facts) => facts.name === table?.name && facts.schema === table?.schema);
}

function sizeText({ schema, name, rows, bytes }: Partial<TableFacts>): string | undefined {
  if (bytes === undefined) return undefined;
  const has = rows === undefined ? "takes" : `has about ${rows.toLocaleString("en")} rows,`;
  return `${schema === undefined ? "" : `${schema}.`}${name} ${has} ${bytesText(bytes)}`;
}

function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const thousands = Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000));
  const power = Math.min(units.length - 1, thousands);
  const maximumFractionDigits = power > 1 ? 1 : 0;
  const value = (bytes / 1000 ** power).toLocaleString("en", { maximumFractionDigits });
  return `${value} ${units[power]}`;
}
