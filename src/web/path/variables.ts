import type { HonoRequest } from "hono";
import { namesOf, type Pattern, type Segment } from "./pattern.ts";
import { MALFORMED_PATH } from "./routing_path.ts";
import type { VariableReader } from "../types.ts";

/** Whether a path that Hono matched is one that the pattern means. */
export type Guard = (request: HonoRequest) => boolean;

/** The name of Hono's parameter for the segment at `index`. */
export function parameterName(index: number): string {
  return `p${index}`;
}

/**
 * Readers for all variables of a pattern, whose segments are parameters of the Hono path. What takes the rest
 * of a path gives it with its leading slash, or `""`; there `/` and `%` stay encoded, as `decodeURIComponent` of each
 * segment wants it.
 */
export function variableReaders(pattern: Pattern): ReadonlyMap<string, VariableReader> {
  const readers = READERS.get(pattern) ?? new Map(
    pattern.segments.flatMap((segment, index) =>
      namesOf(segment).map((name, group) => [name, readerOf(segment, index, group)])
    ),
  );
  READERS.set(pattern, readers);
  return readers;
}

const READERS = new WeakMap<Pattern, ReadonlyMap<string, VariableReader>>();

/**
 * What Hono's path leaves to be checked: a text or an expression where the path has a parameter.
 *
 * @param honoPath the path that the pattern is registered by
 * @returns `undefined` when there is nothing to check
 */
export function guardOf(pattern: Pattern, honoPath: string): Guard | undefined {
  const names = honoPath.split("/").slice(1);
  const guards: Guard[] = [];
  pattern.segments.forEach((segment, index) => {
    const parameter = parameterName(index);
    if (segment.kind === "rest") guards.push((request) => request.path !== MALFORMED_PATH);
    if (segment.kind === "literal" && names[index] === `:${parameter}`) {
      guards.push((request) => request.param(parameter) === segment.text);
    }
    if (segment.kind === "expression") {
      guards.push((request) => segment.expression.test(request.param(parameter) ?? ""));
    }
  });
  if (guards.length < 2) return guards[0];
  return (request) => guards.every((guard) => guard(request));
}

function readerOf(segment: Segment, index: number, group: number): VariableReader {
  const parameter = parameterName(index);
  if (segment.kind === "rest") return (request) => restOf(request.path, index);
  if (segment.kind !== "expression") return (request) => request.param(parameter) ?? "";
  return (request) => {
    const match = segment.expression.exec(request.param(parameter) ?? "");
    return match?.groups?.[`v${group}`] ?? "";
  };
}

/** The routing path from its `index`th segment on, with the slash before it. */
function restOf(path: string, index: number): string {
  let start = 0;
  for (let passed = 0; passed < index && start >= 0; passed++) start = path.indexOf("/", start + 1);
  return start < 0 ? "" : path.slice(start);
}
