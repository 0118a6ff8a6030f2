import { join } from "@std/path";

const FOLDER = "docs/adr";
/** The index, which {@linkcode adrIndex} writes. */
export const ADR_INDEX = join(FOLDER, "README.md");

/** The subjects of decisions, in the order of the index. */
const SUBJECTS = [
  "Requests",
  "Errors and validation",
  "Application: beans, configuration, extensions",
  "OpenAPI and clients",
  "Security",
  "Data and background work",
  "Migrations",
  "SQL",
  "Clusters",
  "Runtimes, packages and start",
  "New projects, editors and documents",
  "Tests and weight",
];

/** The head of a decision's page. */
export interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly status: string;
  /** One of {@linkcode SUBJECTS}. */
  readonly subject: string;
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
  const [, status] =
    /^Status: (accepted|proposed|rejected|superseded by \[ADR \d+\]\([\w.-]+\)), \d{4}-\d\d-\d\d\n/m
      .exec(text) ?? [];
  const [, subject = ""] = /^Subject: (.+)\n/m.exec(text) ?? [];
  const problems = [
    /^\d{4}-[a-z\d]+(?:-[a-z\d]+)*\.md$/.test(file) || "its name is not '0123-what-it-is-of.md'",
    title !== undefined || "its first line is not '# 123. Title'",
    number === undefined || Number(number) === Number(file.slice(0, 4)) ||
    `its title has the number ${number}`,
    status !== undefined || "it has no line 'Status: accepted, 2026-11-22'",
    SUBJECTS.includes(subject) || `it has no line 'Subject: ${SUBJECTS[0]}', or another subject`,
    /^## Context$/m.test(text) || "it has no '## Context'",
    /^## Decision(?:$|: )/m.test(text) || "it has no '## Decision'",
  ].filter((problem) => problem !== true);
  if (title === undefined || status === undefined || problems.length > 0) {
    throw new Error(`'${file}': ${problems.join("; ")}`);
  }
  return { file, number: Number(number), title, status, subject };
}

/** The index of these pages by their subjects, as lines of any length. @throws {Error} for a page without the form */
export function adrIndex(pages: ReadonlyMap<string, string>): string {
  const decisions = Array.from(pages, ([file, text]) => decisionOf(file, text));
  const sections = SUBJECTS.map((subject) => {
    const lines = decisions.filter((one) => one.subject === subject)
      .map(({ file, number, title, status }) =>
        `- [${number}](${file}) ${title}${status === "accepted" ? "" : ` (${status})`}`
      );
    return `## ${subject}\n\n${lines.join("\n")}\n`;
  });
  return `# Decisions

Each page says one decision about the making of the library, and why. It is kept as it was decided; a
decision that is replaced names the later one. \`deno task adr\` writes this page.

${sections.join("\n")}`;
}

if (import.meta.main) await Deno.writeTextFile(ADR_INDEX, adrIndex(await adrPages()));
