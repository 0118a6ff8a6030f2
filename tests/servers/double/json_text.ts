import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { isObject, type Json, missingBody, Refused } from "./answers.ts";

/** The object that a request sends. */
export function readObject(text: string): Json {
  if (text === "") throw missingBody();
  const value = read(text);
  if (isObject(value)) return value;
  const reason =
    "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes";
  throw new Refused(400, { type: "not_x_content_exception", reason });
}

/** As {@linkcode readObject}, where nothing may be sent. */
export function readOptional(text: string): Json {
  return text === "" ? {} : readObject(text);
}

/** As {@linkcode readObject}, in the words of requests that read their body as a map. */
export function readMap(text: string): Json {
  try {
    return readOptional(text);
  } catch (error) {
    if (!(error instanceof Refused) || !error.error.type.startsWith("json_")) throw error;
    const reason = "Failed to parse content to map";
    throw new Refused(400, { type: "parse_exception", reason, caused_by: error.error });
  }
}

/** As {@linkcode readObject} with numbers as their text: settings are texts, and `0.0` is not `0`. */
export function readSettings(text: string): Json {
  readObject(text);
  const numberText: (key: string, value: unknown, context: { source: string }) => unknown = (
    _,
    value,
    { source },
  ) => typeof value === "number" ? source : value;
  return JSON.parse(text, numberText as (key: string, value: unknown) => unknown);
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, jsonError(text));
  }
}

export function jsonError(text: string): { type: string; reason: string } {
  const where = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); " +
    `line: 1, column: ${text.length + 1}]`;
  const open = openString(text);
  if (open !== undefined) {
    const reason = `Unexpected end-of-input in ${open}\n at ${where}`;
    return { type: "json_e_o_f_exception", reason };
  }
  return { type: "json_parse_exception", reason: `Unexpected character\n at ${where}` };
}

/** The token that a text began before it was cut off inside a string. */
function openString(text: string): "field name" | "VALUE_STRING" | undefined {
  const strings = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "s");
  const before = /^([^"]*)"[^"]*$/.exec(strings)?.[1]?.trimEnd();
  if (before === undefined) return undefined;
  return /[{,]$/.test(before) ? "field name" : "VALUE_STRING";
}

export interface Position {
  readonly line: number;
  readonly col: number;
}

/** Where a member's name stands in a body, counted from 1. */
export function keyAt(text: string, ...path: (string | number)[]): Position {
  return at(text, nodeAt(text, path)?.parent);
}

/** Where a member's value stands in a body, counted from 1. */
export function valueAt(text: string, ...path: (string | number)[]): Position {
  return at(text, nodeAt(text, path));
}

/** Where the last character of a member's value stands in a body, counted from 1. */
export function endAt(text: string, ...path: (string | number)[]): Position {
  const { line, col } = valueAt(text, ...path);
  return { line, col: col + (nodeAt(text, path)?.length ?? 1) - 1 };
}

function nodeAt(text: string, path: (string | number)[]): Node | undefined {
  const root = parseTree(text);
  return root && findNodeAtLocation(root, path);
}

function at(text: string, node: Node | undefined): Position {
  const lines = text.slice(0, node?.offset ?? 0).split("\n");
  return { line: lines.length, col: lines.at(-1)!.length + 1 };
}

/** `[1:28] [index_template] unknown field [nonsense]` */
export function unknownField(text: string, parser: string, ...path: (string | number)[]): Refused {
  const { line, col } = keyAt(text, ...path);
  return new Refused(400, {
    type: "x_content_parse_exception",
    reason: `[${line}:${col}] [${parser}] unknown field [${path.at(-1)}]`,
  });
}

/** A value as Java prints it: `{a=1}`. */
export function javaText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(", ")}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value).map(([name, one]) => `${name}=${javaText(one)}`).join(", ")}}`;
}
