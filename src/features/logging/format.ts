import type { LogRecord, TextFormatter } from "@logtape/logtape";
import { factsOf, printable } from "../../text/mod.ts";
import { NAME, RENDERED_PROPERTIES } from "./access_log.ts";
import type { Config } from "../../config/mod.ts";

type LogFormat = "json" | "pretty";

type LogTape = typeof import("@logtape/logtape");

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
    const line = formatter({ ...record, message: record.message.map(onOneLine) }).trimEnd();
    return `${[line, ...factsOf(extraProperties(record))].join(" ")}\n${errorsOf(record).join("")}`;
  };
}

/** Facts beside what a line says: those with a name of its own are below `properties`. */
export function withoutCollisions(
  properties: Readonly<Record<string, unknown>>,
  format: LogFormat,
  requestId: unknown,
): Readonly<Record<string, unknown>> {
  const isTaken = ([name, value]: readonly [string, unknown]) =>
    format === "json" && FIELDS.has(name) ||
    name === "requestId" && requestId !== undefined && value !== requestId;
  const entries = Object.entries(properties);
  if (!entries.some(isTaken)) return properties;
  const collided = Object.fromEntries(entries.filter(isTaken));
  const own: Record<string, unknown> = {
    ...(requestId !== undefined && { requestId }),
    ...Object.fromEntries(entries.filter((entry) => !isTaken(entry))),
  };
  const { properties: given, ...others } = own;
  return {
    ...others,
    properties: { ...(given !== undefined && { properties: given }), ...collided },
  };
}

const FIELDS: ReadonlySet<string> = new Set(["@timestamp", "level", "message", "logger"]);

function onOneLine(part: unknown, index: number): unknown {
  return index % 2 === 0 && typeof part === "string" ? printable(part) : part;
}

function extraProperties({ category, properties }: LogRecord): Readonly<Record<string, unknown>> {
  if (category.join(".") !== NAME) return properties;
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !RENDERED_PROPERTIES.has(name)),
  );
}

function errorsOf({ properties }: LogRecord): readonly string[] {
  const lines: string[] = [];
  for (const value of Object.values(properties)) {
    let prefix = "";
    for (let error = value; error instanceof Error; error = error.cause) {
      const stack = printable(`${error.stack ?? error}`, /(?!\n)\p{Cc}/gu);
      lines.push(`${prefix}${stack.replace(/\n(?!\s)/g, "\n    ")}\n`);
      prefix = "Caused by: ";
    }
  }
  return lines;
}

/** Suits the reader if it is not set. @throws {ConfigError} */
export function formatOf(config: Config, isTerminal: boolean): LogFormat {
  const key = "logging.format";
  const format = config.string(key, isTerminal ? "pretty" : "json");
  if (format === "json" || format === "pretty") return format;
  throw config.error(key, `expected 'json' or 'pretty', found '${format}'`);
}
