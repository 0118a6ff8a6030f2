import { type Pattern, type Segment, variablesOf } from "./pattern.ts";
import { MALFORMED_PATH } from "./routing_path.ts";
import type { Matched, VariableReader } from "../types.ts";

export type Guard = (request: Matched) => boolean;

export function parameterName(index: number): string {
  return `p${index}`;
}

/** The readers of the variables. A rest has its leading slash or is `""`; its segments stay encoded. */
export function variableReaders(pattern: Pattern): ReadonlyMap<string, VariableReader> {
  const readers = READERS.get(pattern) ?? new Map(
    pattern.segments.flatMap((segment, index) =>
      variablesOf(segment).map((name, group) => [name, readerOf(segment, index, group)])
    ),
  );
  READERS.set(pattern, readers);
  return readers;
}

const READERS = new WeakMap<Pattern, ReadonlyMap<string, VariableReader>>();

/** Checks what Hono does not: a text or an expression where its path has a parameter. `undefined` if nothing is left. */
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
  return guards.length < 2 ? guards[0] : (request) => guards.every((guard) => guard(request));
}

function readerOf(segment: Segment, index: number, group: number): VariableReader {
  const parameter = parameterName(index);
  if (segment.kind === "rest") return ({ path, routePath }) => restOf(path, index, routePath);
  if (segment.kind !== "expression") return (request) => request.param(parameter) ?? "";
  return (request) => {
    return segment.expression.exec(request.param(parameter) ?? "")?.groups?.[`v${group}`] ?? "";
  };
}

function restOf(path: string, index: number, routePath = ""): string {
  const before = Math.max(index, routePath.split("/").length - 2);
  let start = 0;
  for (let at = 0; at < before && start >= 0; at++) start = path.indexOf("/", start + 1);
  return start < 0 ? "" : path.slice(start);
}
