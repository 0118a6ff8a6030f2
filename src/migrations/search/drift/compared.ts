import type { Difference } from "../../runner/mod.ts";
import { changes, differences } from "../json/compare.ts";
import type { LiveResource } from "../kinds/resource.ts";

/** How what is there differs from what is said of it. */
export interface Comparison {
  /** What is said and not so; where clusters add nothing, also what is so and not said. */
  readonly differences: readonly Difference[];
  /** What is there beyond what is said: clusters add to some kinds. `wanted` is `undefined`, or a list that says less. */
  readonly beyond: readonly Difference[];
}

/** Compares what is there with what is said, both in the form of their kind. */
export function compared(
  { kind, effect }: Pick<LiveResource, "kind" | "effect">,
  wanted: unknown,
  live: unknown,
): Comparison {
  if (kind.shown === "exactly") return { differences: changes(wanted, live), beyond: [] };
  const said = differences(wanted, live);
  // Of an index files make a part, and the cluster has much of its own.
  if (effect !== "whole") return { differences: said, beyond: [] };
  const paths = new Set(said.map(({ path }) => path));
  const beyond = differences(live, wanted)
    .map(({ path, wanted: live, live: wanted }) => ({ path, wanted, live }))
    .filter(({ path }) => !paths.has(path));
  const { shown, stays } = kind;
  const isOpen = ({ path }: Difference) => path === stays?.name;
  const unusual = beyond.filter((more) => !isOpen(more) || more.live !== stays?.usual);
  if (shown !== "completely") return { differences: said, beyond: unusual };
  return {
    differences: [...said, ...unusual.filter((more) => !isOpen(more))],
    beyond: unusual.filter(isOpen),
  };
}
