import { isAbsolute, toFileUrl } from "../../runtime/path.ts";
import { type Finding, VERSION } from "../../cli/mod.ts";
import { withFingerprints } from "./report.ts";

const LEVELS = { error: "error", warning: "warning", notice: "note" } as const;

/**
 * A log of SARIF 2.1.0. Its category (`automationDetails`) is the command, so that code scanning keeps the results of each.
 *
 * @param fallback the path of findings without a file, as code scanning requires one
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
    locations: [{ physicalLocation: locationOf({ ...finding, file: finding.file ?? fallback }) }],
    partialFingerprints: { "irori/v1": finding.fingerprint },
  }));
  const driver = { name: "irori", version: VERSION, rules: rules.map(descriptorOf) };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: { driver },
      automationDetails: { id: `irori/${command}/` },
      columnKind: "unicodeCodePoints",
      results,
    }],
  };
}

function descriptorOf(id: string) {
  const text = id.replace(/^\w/, (letter) => letter.toUpperCase()).replaceAll("-", " ");
  return { id, shortDescription: { text } };
}

function locationOf({ file = "", line, column }: Pick<Finding, "file" | "line" | "column">) {
  const artifactLocation = isAbsolute(file)
    ? { uri: toFileUrl(file).href }
    : { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" };
  return { artifactLocation, ...line && { region: { startLine: line, startColumn: column } } };
}
