import { printable } from "../../text/mod.ts";
import {
  byCertainty,
  countOf,
  type IndexPrediction,
  type PolicyChanges,
  type Predicted,
} from "./managed.ts";
import type { PredictedEffect } from "./predicted_effect.ts";
import type { Way } from "./reach.ts";

const DAY = 86_400_000;
const SHOWN = 50;

export function linesOf(
  way: Way,
  changes: PolicyChanges,
  { indices, isMore = false }: Predicted,
): readonly string[] {
  const head = changes === "keep" && indices.length > 0 ? [way.headOfKept(indices, isMore)] : [];
  const lines = byCertainty(indices).slice(0, SHOWN)
    .map((one) => printable(lineOf(one, way.placeOf(one.index))));
  const more = indices.length - lines.length;
  return [...head, ...lines, ...more > 0 ? [`and ${more} more`] : []];
}

/** `deletes 2 indices`, `deletes 1 index and may delete 2 more`. */
export function deletionOf(deleted: readonly IndexPrediction[]): string {
  const sure = deleted.filter(({ effect }) => effect.deletion === "yes");
  if (sure.length === 0) return `may delete ${countOf(deleted)}`;
  const more = deleted.length - sure.length;
  return `deletes ${countOf(sure)}${more > 0 ? ` and may delete ${more} more` : ""}`;
}

/** `logs-1 (31d old, in state 'hot'): would go on to 'gone' and be deleted at once`. */
function lineOf({ index, ageMs, effect }: IndexPrediction, place: string): string {
  const { name, isStopped } = index;
  const facts = [
    ...(ageMs === undefined ? [] : [`${ageText(ageMs)} old`]),
    place,
    ...(isStopped ? ["its job has stopped"] : []),
  ].join(", ");
  return `${name} (${facts}): ${fateOf(effect)}`;
}

function fateOf({ isLost, path, deletion }: PredictedEffect): string {
  if (isLost) return `would fail, as the policy does not have the state '${path[0]}'`;
  const steps = path.slice(1).map((name) => `'${name}'`).join(", then ");
  const way = steps === "" ? "" : `go on to ${steps}`;
  switch (deletion) {
    case "yes":
      return `would ${way === "" ? "" : `${way} and `}be deleted at once`;
    case "may":
      return `may ${way === "" ? "" : `${way} and `}be deleted`;
  }
  return way === "" ? "would stay in its state" : `would or may ${way}`;
}

function ageText(ms: number): string {
  if (ms >= DAY) return `${Math.floor(ms / DAY)}d`;
  if (ms >= DAY / 24) return `${Math.floor(ms / (DAY / 24))}h`;
  return `${Math.max(0, Math.floor(ms / 60_000))}m`;
}
