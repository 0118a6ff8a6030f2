import { isAbsolute, join, relative, resolve, SEPARATOR } from "../../runtime/path.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Context, Finding, Section } from "../../cli/mod.ts";
import { type Format, type Report, sortFindings } from "./report.ts";

/** Prints a report on stdout in the format of `--format`, and adds a summary to the step of a GitHub job. */
export async function printReport(
  format: Format,
  { command, globals, runtime, reporter }: Context,
  findings: readonly Finding[],
  sections: readonly Section[],
): Promise<void> {
  const root = await repositoryRoot(runtime);
  const named = (path: string) => repositoryPath(root, resolve(runtime.cwd(), path));
  const placed = findings.map(({ file, message, ...finding }) => ({
    ...finding,
    message: message.replaceAll(`${root}${SEPARATOR}`, ""),
    file: file && named(file),
  }));
  const report = { command: `${command}`, sections, findings: sortFindings(placed) };
  const fallback = named(join(globals.config, "application.yml"));
  const text = await textIn(format, report, fallback);
  runtime.stdout.write(format === "markdown" ? reporter!.shown(text) : text);
  const summary = runtime.env.get("GITHUB_STEP_SUMMARY");
  if (format === "github" && summary) await appendSummary(runtime, summary, report);
}

async function textIn(format: Format, report: Report, fallback: string): Promise<string> {
  const { command, findings } = report;
  switch (format) {
    case "github":
      return (await import("./github.ts")).githubCommands(findings);
    case "gitlab":
      return json(await (await import("./gitlab.ts")).gitlabReport(findings, fallback));
    case "sarif":
      return json(await (await import("./sarif.ts")).sarifLog(findings, { command, fallback }));
    case "markdown":
      return (await import("./markdown.ts")).markdownOf(report);
  }
}

/** The runner of GitHub Actions takes `##[` for a command wherever it is. */
function json(document: unknown): string {
  return `${JSON.stringify(document, null, 2).replaceAll("##[", "#\\u0023[")}\n`;
}

/** The checkout of a job, if the working directory is in it, else the working directory. */
async function repositoryRoot(runtime: Runtime): Promise<string> {
  const { env, files } = runtime;
  for (const name of ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"]) {
    const folder = env.get(name);
    const root = folder && await files.realPath(folder).catch(() => undefined);
    if (root && isBelow(root, runtime.cwd())) return root;
  }
  return runtime.cwd();
}

/** With `/` on every system; outside of the repository it stays absolute. */
function repositoryPath(root: string, path: string): string {
  return (isBelow(root, path) ? relative(root, path) : path).replaceAll(SEPARATOR, "/");
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way);
}

/** The limit of GitHub for a step. */
const MOST_BYTES = 1 << 20;

async function appendSummary(runtime: Runtime, path: string, report: Report): Promise<void> {
  const { files, stderr } = runtime;
  try {
    const { markdownOf } = await import("./markdown.ts");
    const before = (await files.stat(path))?.isFile ? await files.readTextFile(path) : "";
    const { length } = new TextEncoder().encode(before);
    const text = before + markdownOf(report, MOST_BYTES - length);
    await files.writeTextFile(path, text, { overwrite: true });
  } catch (error) {
    stderr.write(`warning: Cannot write the summary of the step: ${(error as Error).message}\n`);
  }
}
