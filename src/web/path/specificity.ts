import { compareText } from "../../text/mod.ts";
import type { Pattern, Segment } from "./pattern.ts";

/** From the most to the least specific, by segment: never by the order of declaration. */
export function compareSpecificity(a: Pattern, b: Pattern): number {
  const length = Math.max(a.segments.length, b.segments.length);
  for (let index = 0; index < length; index++) {
    const order = compareSegments(a.segments[index], b.segments[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareSegments(a: Segment | undefined, b: Segment | undefined): number {
  if (a?.kind === "literal" && b?.kind === "literal") return compareText(a.text, b.text);
  const order = rank(a) - rank(b);
  if (order !== 0 || a?.kind !== "expression" || b?.kind !== "expression") return order;
  return b.literals - a.literals || compareText(a.expression.source, b.expression.source);
}

function rank(segment: Segment | undefined): number {
  if (segment?.kind === "expression" && segment.literals > 0) return 2;
  return segment === undefined ? 0 : RANKS[segment.kind];
}

const RANKS = { literal: 1, expression: 3, variable: 4, wildcard: 5, rest: 6 } as const;
