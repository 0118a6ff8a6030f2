import {
  command,
  type Context,
  count,
  EXIT,
  type Screen,
  text,
  UsageError,
} from "../../cli/mod.ts";
import { API_VERSION, describeRoutes, presentDocument, SCANNED } from "../openapi/command.ts";
import type { OpenApiChange, OpenApiComparison } from "./changes.ts";

export const declared = command({
  name: "contract",
  operands: ["[file]"],
  description: "print the contract that a typed client uses, or compare two versions of the API",
  options: {
    against: text(
      "file",
      "older OpenAPI document: exit with 5 if the controllers, or <file>, would break its clients",
    ),
    apiVersion: API_VERSION,
  },
  examples: [
    ["contract > contract.ts", "write the contract for client() of '@irori/irori/client'"],
    ["contract --against openapi.json", "list changes that break clients of this document"],
    ["contract new.json --against old.json -v", "compare two documents, list additions too"],
  ],
  epilogue: SCANNED,
  worked: `
$ irori contract --against openapi.json
no breaking changes, 0 additions
`,
  hasFindings: true,
  async run(context, { against, apiVersion }) {
    const { globals: { json }, operands: [file], reporter, runtime } = context;
    if (against !== undefined) return await compare(context, against, apiVersion);
    if (reporter) throw new UsageError(`'--${reporter.option}' requires '--against'`);
    if (file !== undefined) {
      throw new UsageError(
        `Cannot compare '${file}': expected '--against' with the older document`,
      );
    }
    const { contractModule, contractOf } = await import("./contract.ts");
    const text = await describeRoutes(
      context,
      { apiVersion },
      ({ routes, options }) =>
        json
          ? JSON.stringify(contractOf(routes, options), null, 2)
          : contractModule(routes, options),
    );
    runtime.stdout.write(`${text}\n`);
  },
});

async function compare(
  context: Context,
  against: string,
  apiVersion: string | undefined,
): Promise<number> {
  const { globals: { verbose = false }, operands: [file], reporter, runtime, screen } = context;
  const { compareOpenApi } = await import("./compare.ts");
  const { readDocument } = await import("./read_document.ts");
  const warnings: string[] = [];
  const older = await readDocument(runtime, against);
  const newer = file === undefined ? undefined : await readDocument(runtime, file);
  const described = { apiVersion, onWarning: (warning: string) => warnings.push(warning) };
  const comparison = newer
    ? compareOpenApi(older.document, newer.document)
    : await removedVersion(context, apiVersion, older.document) ??
      compareOpenApi(older.document, await presentDocument(context, described));
  write(screen, comparison, verbose);
  context.printJson(comparison);
  if (reporter) {
    const { changeFindings } = await import("./findings.ts");
    const told = verbose ? comparison : { ...comparison, additions: [] };
    const documents = newer ? [newer, older] : [older];
    const findings = changeFindings(told, documents, warnings, changeLine);
    await reporter.print(context, findings, screen.sections);
  }
  return comparison.breaking.length > 0 ? EXIT.differs : EXIT.done;
}

/** A version of the older document that the application no longer has: there is nothing to compare with. */
async function removedVersion(
  context: Context,
  apiVersion: string | undefined,
  before: unknown,
): Promise<OpenApiComparison | undefined> {
  if (apiVersion === undefined) return undefined;
  const { documentVersions } = await import("../openapi/mod.ts");
  const { versionRemoved } = await import("./compare.ts");
  const gone = await describeRoutes(context, {}, ({ routes }) => {
    const supported = documentVersions(routes);
    return supported.includes(apiVersion)
      ? undefined
      : versionRemoved(before, apiVersion, supported.filter((one) => one !== undefined));
  });
  return gone && { breaking: [gone], additions: [] };
}

function write(screen: Screen, found: OpenApiComparison, verbose: boolean): void {
  const { colors } = screen;
  const { breaking, additions } = found;
  for (const change of breaking) screen.write(`${colors.red("breaking:")} ${changeLine(change)}\n`);
  for (const change of verbose ? additions : []) {
    screen.write(`${colors.green("added:")} ${changeLine(change)}\n`);
  }
  const summary = breaking.length === 0
    ? colors.green("no breaking changes")
    : colors.red(count(breaking.length, "breaking change"));
  screen.write(`${summary}, ${count(additions.length, "addition")}\n`);
}

function changeLine({ routes, where, what, before, after }: OpenApiChange): string {
  const more = routes.length > MOST_ROUTES ? ` and ${routes.length - MOST_ROUTES} more` : "";
  const named = routes.slice(0, MOST_ROUTES).join(", ");
  return `${named}${more}: ${where}: ${what} (before: ${before}, after: ${after})`;
}

const MOST_ROUTES = 3;
