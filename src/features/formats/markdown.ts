import { printable } from "../../text/mod.ts";
import { count, type Finding } from "../../cli/mod.ts";
import { type Report, SEVERITIES } from "./report.ts";

const CUT = "\n**The summary is cut off here, at the limit of its size. The log has the rest.**\n";

/** @param most bytes; a longer summary is cut off between two parts, with a sentence. @default no limit */
export function markdownOf(
  { command, findings, sections }: Report,
  most: number = Infinity,
): string {
  const bySeverity = Map.groupBy(findings, ({ severity }) => severity);
  const counts = SEVERITIES.filter((severity) => bySeverity.has(severity))
    .map((severity) => count(bySeverity.get(severity)!.length, severity));
  const parts = [
    `## irori ${command}\n\n${counts.join(", ") || "No findings"}\n`,
    ...counts.length > 0
      ? ["\n| Severity | Place | Finding | Rule |\n| --- | --- | --- | --- |\n"]
      : [],
    ...findings.map(rowOf),
    ...findings.flatMap(adviceOf),
    ...sections.map(({ title, text }) => {
      return `${title === undefined ? "" : `\n### ${plain(title)}\n`}\n${fenced(text)}`;
    }),
  ];
  let left = most - CUT.length;
  const isTooLong = (part: string) => (left -= new TextEncoder().encode(part).length) < 0;
  const end = parts.findIndex(isTooLong);
  if (end < 0) return parts.join("");
  return most < CUT.length ? "" : parts.slice(0, end).join("") + CUT;
}

function rowOf({ severity, rule, message, measured = [], ...place }: Finding): string {
  const cells = [severity, fileAndLine(place), [message, ...measured].join(". "), rule];
  return `| ${cells.map(plain).join(" | ")} |\n`;
}

function fileAndLine({ file = "", line }: Pick<Finding, "file" | "line">): string {
  return line === undefined ? file : `${file}:${line}`;
}

function adviceOf({ rule, advice = [], ...place }: Finding): readonly string[] {
  if (advice.length === 0) return [];
  const summary = inert(`${fileAndLine(place)} ${rule}`);
  return [`\n<details><summary>${summary}</summary>\n\n${fenced(advice.join("\n"))}\n</details>\n`];
}

function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), 3));
  return `${fence}text\n${text.trimEnd()}\n${fence}\n`;
}

/** A line of text without a meaning in Markdown, for a table or a heading. */
function plain(text: string): string {
  return inert(text).replace(/[\\|]/g, (found) => `&#${found.charCodeAt(0)};`)
    .replace(/[`*_[\]~$]|#$/g, "\\$&");
}

/** A line of text without a meaning in HTML. Zero-width spaces keep links and mentions from being recognized. */
function inert(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim())
    .replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`)
    .replace(/@|:(?=\/\/)|www(?=\.)|(?<!&)#(?=\d)/gi, "$&\u200b");
}
