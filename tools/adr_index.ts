import { join } from "@std/path";

const FOLDER = "docs/adr";
/** The index, which {@linkcode adrIndex} writes. */
export const ADR_INDEX = join(FOLDER, "README.md");

/** The head of a decision's page. */
export interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly date: string;
}

/** The pages of `docs/adr`, by the names of their files. */
export async function adrPages(folder: string = FOLDER): Promise<ReadonlyMap<string, string>> {
  const names = Array.from(Deno.readDirSync(folder), ({ name }) => name)
    .filter((name) => name.endsWith(".md") && name !== "README.md").sort();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await Deno.readTextFile(join(folder, name))] as const),
    ),
  );
}

/** Reads the head of a page. @throws {Error} with all missing parts of the form */
export function decisionOf(file: string, text: string): Decision {
  const [, number, title] = /^# (\d+)\. (\S.*)\n/.exec(text) ?? [];
  const [, status, date] =
    /^Status: (accepted|proposed|rejected|superseded by \[ADR \d+\]\([\w.-]+\)), (\d{4}-\d\d-\d\d)\n/m
      .exec(text) ?? [];
  const problems = [
    /^\d{4}-[a-z\d]+(?:-[a-z\d]+)*\.md$/.test(file) || "its name is not '0123-what-it-is-of.md'",
    title !== undefined || "its first line is not '# 123. Title'",
    number === undefined || Number(number) === Number(file.slice(0, 4)) ||
    `its title has the number ${number}`,
    status !== undefined || "it has no line 'Status: accepted, 2026-11-22'",
    /^## Context$/m.test(text) || "it has no '## Context'",
    /^## Decision(?:$|: )/m.test(text) || "it has no '## Decision'",
  ].filter((problem) => problem !== true);
  if (title === undefined || status === undefined || date === undefined || problems.length > 0) {
    throw new Error(`'${file}': ${problems.join("; ")}`);
  }
  return { file, number: Number(number), title, status, date };
}

/** The index of these pages, formatted as `deno fmt` does. @throws {Error} for a page without the form */
export function adrIndex(pages: ReadonlyMap<string, string>): string {
  const decisions = Array.from(pages, ([file, text]) => decisionOf(file, text));
  const rows = [
    ["number", "title", "status", "date"],
    ...decisions.map(({ file, number, title, status, date }) => [
      `[${number}](${file})`,
      title,
      status,
      date,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows.map(line);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return `# Decisions

What was decided about the making of the library, and why. A page is kept as it was decided; a later
one that replaces it is named in its status. \`deno task adr\` writes this page.

${[head, rule, ...body].join("\n")}
`;
}

if (import.meta.main) await Deno.writeTextFile(ADR_INDEX, adrIndex(await adrPages()));
