/**
 * Development stand-in for `@std/yaml`, over npm `js-yaml`: version 4, since version 3, from which `@std/yaml` was ported,
 * is no ES module, and the first such package takes Deno 23 ms to load.
 *
 * @module
 */
// @ts-types="npm:@types/js-yaml@^4.0.9"
import {
  CORE_SCHEMA,
  DEFAULT_SCHEMA,
  dump,
  FAILSAFE_SCHEMA,
  loadAll,
  YAMLException,
} from "js-yaml";
import { FLOAT, INT } from "./_numbers.ts";

/** What {@linkcode parse} takes. */
export interface ParseOptions {
  /** Which types plain scalars may have; `core` leaves dates out, `failsafe` knows text only. @default "default" */
  schema?: "failsafe" | "core" | "default";
}

/**
 * Parses one YAML document.
 *
 * @throws {SyntaxError} with the position: `… at line 2, column 3:` and the line itself
 */
export function parse(content: string, options: ParseOptions = {}): unknown {
  const documents: unknown[] = [];
  const schema = SCHEMAS[options.schema ?? "default"];
  // `@std/yaml` has no limit.
  const limits = { maxDepth: Infinity };
  try {
    loadAll(content, (document) => documents.push(document), { schema, ...limits });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { line, column, snippet } = error.mark;
    throw new SyntaxError(
      `${error.reason} at line ${line + 1}, column ${column + 1}:\n${snippet}`,
    );
  }
  if (documents.length > 1) {
    throw new SyntaxError(
      `Found more than 1 document in the stream: expected a single document ${
        secondDocument(content)
      }`,
    );
  }
  return documents[0] ?? null;
}

/** Writes a value as YAML. @throws {TypeError} for what YAML does not have, as `undefined` and functions */
export function stringify(data: unknown): string {
  try {
    return dump(data, { schema: SCHEMAS.default, replacer: refuseUndefined });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new TypeError(error.message, { cause: error });
  }
}

function refuseUndefined(_key: string, value: unknown): unknown {
  if (value === undefined) throw new TypeError("Cannot stringify undefined");
  return value;
}

/** Where the second document begins, as `@std/yaml` says it. */
function secondDocument(content: string): string {
  // The first match is where the first document begins, be it without a marker.
  const [, second] = [
    ...`\n${content}`.matchAll(/\n---(?=\s|$)|^(?!(?:\s|#.*|%.*)*\n---)/g),
  ];
  const line = content.slice(0, second?.index ?? 0).split("\n").length;
  return `at line ${line}, column 1:`;
}

const NUMBERS = { implicit: [INT, FLOAT] };

const SCHEMAS = {
  failsafe: FAILSAFE_SCHEMA,
  core: CORE_SCHEMA.extend(NUMBERS),
  default: DEFAULT_SCHEMA.extend(NUMBERS),
};
