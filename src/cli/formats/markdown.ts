import { printable, shortened } from "../../text/mod.ts";
import { type Block, countFindings, type Finding, type Part, type Report } from "./finding.ts";

const CUT = "\n**The summary ends here, at the limit of its size. The log has the rest.**\n";
/** Characters of a block. */
const LONGEST = 10_000;

/** @param most bytes; what is longer is cut between two parts, with a sentence. @default no limit */
export function markdownOf(
  { command, findings, sections = [] }: Report,
  most: number = Infinity,
): string {
  const parts = [
    `## irori ${command}\n\n${countFindings(findings)}\n`,
    ...findings.length > 0
      ? ["\n| Severity | Place | Finding | Rule |\n| --- | --- | --- | --- |\n"]
      : [],
    ...findings.map(rowOf),
    ...findings.flatMap(adviceOf),
    ...sections.flatMap(({ title, result, notes = [], parts = [] }) => [
      `\n### ${plain(title)}\n\n${plain(result)}\n`,
      ...partOf({ notes }),
      ...parts.flatMap(partOf),
    ]),
  ];
  let left = most - CUT.length;
  const encoder = new TextEncoder();
  const last = parts.findIndex((part) => (left -= encoder.encode(part).length) < 0);
  if (last < 0) return parts.join("");
  return most < CUT.length ? "" : parts.slice(0, last).join("") + CUT;
}

function rowOf({ severity, rule, message, measured = [], ...place }: Finding): string {
  const cells = [severity, placeOf(place), [message, ...measured].join(". "), rule];
  return `| ${cells.map(plain).join(" | ")} |\n`;
}

function placeOf({ file = "", line }: Pick<Finding, "file" | "line">): string {
  return line === undefined ? file : `${file}:${line}`;
}

function adviceOf({ rule, advice = [], ...place }: Finding): readonly string[] {
  if (advice.length === 0) return [];
  const summary = inert(`${placeOf(place)} ${rule}`);
  const block = fenced({ language: "text", text: advice.join("\n") });
  return [`\n<details><summary>${summary}</summary>\n${block}\n</details>\n`];
}

function partOf({ title, notes = [], blocks = [] }: Part): readonly string[] {
  return [
    ...title === undefined ? [] : [`\n#### ${plain(title)}\n`],
    ...notes.map((note, index) => `${index === 0 ? "\n" : ""}- ${plain(note)}\n`),
    ...blocks.map(fenced),
  ];
}

/** A block whose fence is longer than any in the text. */
function fenced({ language, text }: Block): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), 3));
  return `\n${fence}${language}\n${shortened(text, LONGEST)}\n${fence}\n`;
}

/** One line that is text alone in Markdown: in a table, a heading or a list. */
function plain(text: string): string {
  return inert(text).replace(/[\\|]/g, (found) => `&#${found.charCodeAt(0)};`)
    .replace(/[`*_[\]~$]/g, "\\$&");
}

/** One line without markup in HTML. Links and mentions have a zero-width space in them. */
function inert(text: string): string {
  return printable(text.replace(/\s+/g, " ").trim())
    .replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`)
    .replace(/@|:(?=\/\/)|www(?=\.)|(?<!&)#(?=\d)/gi, "$&\u200b");
}
