import { distance } from "../text/mod.ts";

const MAX_DISTANCE = 3;
/** Smallest share of a word that must match. */
const MIN_SIMILARITY = 0.4;

/** `(Did you mean migrate?)` on its own line; empty if no name is similar. */
export function suggestion(written: string, names: readonly string[]): string {
  const near = nearest(written, names);
  if (near.length === 0) return "";
  return `\n(Did you mean ${near.length > 1 ? "one of " : ""}${near.join(", ")}?)`;
}

function nearest(written: string, names: readonly string[]): readonly string[] {
  const word = bare(written);
  const near = names
    .map((name) => ({ name, distance: distance(word, bare(name)), length: bare(name).length }))
    .filter((found) => {
      const longer = Math.max(word.length, found.length);
      return found.distance <= MAX_DISTANCE && 1 - found.distance / longer > MIN_SIMILARITY;
    });
  const best = Math.min(...near.map((found) => found.distance));
  return near.filter((found) => found.distance === best).map(({ name }) => name).sort();
}

/** Leading dashes would make all options similar. */
function bare(name: string): string {
  return name.replace(/^--/, "").toLowerCase();
}
