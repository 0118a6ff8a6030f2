import type { LogRecord, TextFormatter } from "@logtape/logtape";
import { factsOf } from "../text/mod.ts";
import { SAID } from "./access_log.ts";

/** How lines look: one JSON object each, or text for people. */
export type LogFormat = "json" | "pretty";

/** The package that does the work. */
export type LogTape = typeof import("@logtape/logtape");

/** Makes lines of records. */
export function formatterOf(
  { getAnsiColorFormatter, getJsonLinesFormatter, getTextFormatter }: LogTape,
  format: LogFormat,
  colors: boolean,
): TextFormatter {
  if (format === "json") {
    return getJsonLinesFormatter({
      categorySeparator: ".",
      message: "rendered",
      properties: "flatten",
    });
  }
  const formatter = (colors ? getAnsiColorFormatter : getTextFormatter)({ category: "." });
  return (record) => {
    const line = formatter(record).trimEnd();
    return `${[line, ...factsOf(unsaid(record))].join(" ")}\n${errorsOf(record).join("")}`;
  };
}

/** What the message does not say already. */
function unsaid({ category, properties }: LogRecord): Readonly<Record<string, unknown>> {
  const said = SAID.get(category.join("."));
  if (said === undefined) return properties;
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !said.has(name)));
}

/** Errors with their stacks, and what caused them, below the line. */
function errorsOf({ properties }: LogRecord): readonly string[] {
  const lines: string[] = [];
  for (const value of Object.values(properties)) {
    let prefix = "";
    for (let error = value; error instanceof Error; error = error.cause) {
      lines.push(`${prefix}${error.stack ?? error}\n`);
      prefix = "Caused by: ";
    }
  }
  return lines;
}
