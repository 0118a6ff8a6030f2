import { compareText } from "../../text/mod.ts";
import type { Pattern, Segment } from "./pattern.ts";

/**
 * Orders patterns from the most to the least specific, segment by segment. The order is total for different patterns, so
 * that it never depends on the order of declaration.
 */
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
  return rank(a) - rank(b) || literals(b) - literals(a) || compareText(sortText(a), sortText(b));
}

function rank(segment: Segment | undefined): number {
  if (segment === undefined) return 0;
  switch (segment.kind) {
    case "literal":
      return 1;
    case "expression":
      return segment.literals > 0 ? 2 : segment.names.length > 0 ? 3 : 5;
    case "variable":
      return 4;
    case "wildcard":
      return 5;
    case "rest":
      return 6;
  }
}

function literals(segment: Segment | undefined): number {
  return segment?.kind === "expression" ? segment.literals : 0;
}

function sortText(segment: Segment | undefined): string {
  if (segment?.kind === "literal") return segment.text;
  return segment?.kind === "expression" ? segment.expression.source : "";
}
