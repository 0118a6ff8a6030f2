import { quoted } from "../../../text/mod.ts";

/** How many names stand in a sentence. */
const SHOWN = 5;

/** `'a', 'b' and 3 more`. */
export function shown(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return more > 0 ? `${quoted(names.slice(0, SHOWN))} and ${more} more` : quoted(names);
}

/** `1 index`, `2 indices`. */
export function countOf({ length }: readonly unknown[]): string {
  return length === 1 ? "1 index" : `${length} indices`;
}
