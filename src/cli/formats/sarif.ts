import { isAbsolute, toFileUrl } from "../../runtime/path.ts";
import { VERSION } from "../version.ts";
import { type Finding, withFingerprints } from "./finding.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const LEVELS = { error: "error", warning: "warning", notice: "note" } as const;

/**
 * A log of SARIF 2.1.0. Its category (`automationDetails.id`) is the command, so that the results of two commands stay.
 *
 * @param fallback the path of findings without a file, as code scanning shows only results that have one
 */
export async function sarifLog(
  findings: readonly Finding[],
  { command, fallback }: { readonly command: string; readonly fallback: string },
): Promise<Readonly<Record<string, unknown>>> {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const results = (await withFingerprints(findings)).map((finding) => ({
    ruleId: finding.rule,
    ruleIndex: rules.indexOf(finding.rule),
    level: LEVELS[finding.severity],
    message: { text: [finding.message, ...finding.advice ?? []].join("\n") },
    locations: [{ physicalLocation: locationOf(finding, fallback) }],
    partialFingerprints: { "irori/v1": finding.fingerprint },
  }));
  const driver = { name: "irori", version: VERSION, rules: rules.map(descriptorOf) };
  const automationDetails = { id: `irori/${command}/` };
  const run = { tool: { driver }, automationDetails, columnKind: "unicodeCodePoints", results };
  return { $schema: SCHEMA, version: "2.1.0", runs: [run] };
}

/** `adding-primary-key` is described as `Adding primary key`. */
function descriptorOf(id: string) {
  const text = id.replace(/^\w/, (letter) => letter.toUpperCase()).replaceAll("-", " ");
  return { id, shortDescription: { text } };
}

function locationOf({ file, line, column }: Finding, fallback: string) {
  const path = file ?? fallback;
  const artifactLocation = isAbsolute(path)
    ? { uri: toFileUrl(path).href }
    : { uri: path.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" };
  const startColumn = column === undefined ? {} : { startColumn: column };
  const region = line === undefined ? {} : { region: { startLine: line, ...startColumn } };
  return { artifactLocation, ...region };
}
