import type { ParseError } from "jsonc-parser";
import type {
  compareOpenApi,
  OpenApiChange,
  OpenApiComparison,
} from "../../features/contract/mod.ts";
import { loadYamlParser, YamlError } from "../../config/yaml.ts";
import { FileNotFoundError, type Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { count } from "../report.ts";
import type { DocumentFile } from "../formats/changes.ts";
import { createScreen, type Screen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { printJson } from "./_context.ts";
import { type DescribedVersion, describeRoutes, presentDocument } from "./openapi.ts";

export async function contract(
  runtime: Runtime,
  options: GlobalOptions & DescribedVersion & { readonly against?: string },
  [file]: readonly string[] = [],
): Promise<number> {
  const { against, json, format } = options;
  if (against !== undefined) return await compare(runtime, options, against, file);
  if (format) throw new UsageError("'--format' requires '--against'");
  if (file !== undefined) {
    throw new UsageError(
      `Cannot compare '${file}': expected '--against' with the older document`,
    );
  }
  const text = await describeRoutes(
    runtime,
    options,
    ({ contractModule, contractOf }, { routes, options }) =>
      json ? JSON.stringify(contractOf(routes, options), null, 2) : contractModule(routes, options),
  );
  runtime.stdout.write(`${text}\n`);
  return EXIT.done;
}

async function compare(
  runtime: Runtime,
  options: GlobalOptions & DescribedVersion,
  against: string,
  file: string | undefined,
): Promise<number> {
  const { compareOpenApi } = await import("../../features/contract/mod.ts");
  const warnings: string[] = [];
  const older = await readDocument(runtime, against, compareOpenApi);
  const newer = file === undefined ? undefined : await readDocument(runtime, file, compareOpenApi);
  const described = { ...options, onWarning: (warning: string) => warnings.push(warning) };
  const comparison = newer
    ? compareOpenApi(older.document, newer.document)
    : await removedVersion(runtime, options, older.document) ??
      compareOpenApi(older.document, await presentDocument(runtime, described));
  const screen = createScreen(runtime, options);
  write(screen, comparison, options.verbose ?? false);
  printJson(runtime, options, comparison);
  if (options.format) {
    const { changeFindings } = await import("../formats/changes.ts");
    const { printReport } = await import("../formats/print.ts");
    const additions = options.verbose ? comparison.additions : [];
    const documents = newer ? [newer, older] : [older];
    const found = { ...comparison, additions, documents, warnings };
    const findings = changeFindings(found, lineOf);
    await printReport(runtime, options, { findings, sections: screen.sections });
  }
  return comparison.breaking.length > 0 ? EXIT.differs : EXIT.done;
}

/** A version of the older document that the application no longer has: there is nothing to compare with. */
async function removedVersion(
  runtime: Runtime,
  { apiVersion, ...options }: GlobalOptions & DescribedVersion,
  before: unknown,
): Promise<OpenApiComparison | undefined> {
  if (apiVersion === undefined) return undefined;
  const gone = await describeRoutes(
    runtime,
    options,
    ({ documentVersions, versionRemoved }, { routes }) => {
      const supported = documentVersions(routes);
      return supported.includes(apiVersion)
        ? undefined
        : versionRemoved(before, apiVersion, supported.filter((one) => one !== undefined));
    },
  );
  return gone && { breaking: [gone], additions: [] };
}

async function readDocument(
  runtime: Runtime,
  path: string,
  compare: typeof compareOpenApi,
): Promise<DocumentFile & { readonly document: unknown }> {
  let text = "";
  try {
    text = await runtime.files.readTextFile(path);
    const isYaml = /\.ya?ml$/i.test(path);
    const document = isYaml ? (await loadYamlParser())(text, "core") : JSON.parse(text);
    compare({ openapi: "3.1.0" }, document);
    // Positions are those of JSON.
    return { path, text: isYaml ? "" : text, document };
  } catch (cause) {
    if (cause instanceof YamlError) {
      const { line, column, message } = cause;
      const at = `${path}${line ? `:${line}:${column}` : ""}`;
      throw new UsageError(`${at}: Cannot compare: the file is not YAML: ${message}`, {}, {
        file: path,
      });
    }
    if (cause instanceof SyntaxError) throw await syntaxError(path, text, cause);
    throw new UsageError(problemOf(path, cause), { cause }, { file: path });
  }
}

/** The same on all runtimes, whose messages differ. */
async function syntaxError(file: string, text: string, cause: SyntaxError): Promise<UsageError> {
  const { parseTree } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const before = text.slice(0, errors[0]?.offset ?? 0).split("\n");
  const [line, column] = [before.length, before.at(-1)!.length + 1];
  const message = `${file}:${line}:${column}: Cannot compare: the file is not JSON`;
  return new UsageError(message, { cause }, { file, line, column });
}

function problemOf(path: string, cause: unknown): string {
  if (cause instanceof FileNotFoundError) return `Cannot compare: file '${path}' does not exist`;
  if (cause instanceof TypeError) {
    return `Cannot compare: '${path}' is not an OpenAPI 3.0 or 3.1 document`;
  }
  throw cause;
}

function write(
  screen: Screen,
  { breaking, additions }: OpenApiComparison,
  verbose: boolean,
): void {
  const { colors } = screen;
  for (const change of breaking) screen.write(`${colors.red("breaking:")} ${lineOf(change)}\n`);
  for (const change of verbose ? additions : []) {
    screen.write(`${colors.green("added:")} ${lineOf(change)}\n`);
  }
  const summary = breaking.length === 0
    ? colors.green("no breaking changes")
    : colors.red(count(breaking.length, "breaking change"));
  screen.write(`${summary}, ${count(additions.length, "addition")}\n`);
}

function lineOf({ routes, where, what, before, after }: OpenApiChange): string {
  const more = routes.length > MOST_ROUTES ? ` and ${routes.length - MOST_ROUTES} more` : "";
  const named = routes.slice(0, MOST_ROUTES).join(", ");
  return `${named}${more}: ${where}: ${what} (before: ${before}, after: ${after})`;
}

const MOST_ROUTES = 3;
