import { distance } from "../text/mod.ts";

/** Edits that may lie between what is written and what is meant. */
const MAX_DISTANCE = 3;
/** The part of a word that has to be right. */
const MIN_SIMILARITY = 0.4;

/** `(Did you mean migrate?)` on a line of its own; nothing where no name is near. */
export function suggestion(written: string, names: readonly string[]): string {
  const near = nearest(written, names);
  if (near.length === 0) return "";
  return `\n(Did you mean ${near.length > 1 ? "one of " : ""}${near.join(", ")}?)`;
}

/** The names that are nearest to what was written: none where nothing is near, several where they are as near. */
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

/** Dashes would make options more alike than they are. */
function bare(name: string): string {
  return name.replace(/^--/, "").toLowerCase();
}
