import type { Config } from "./types.ts";

/** The names under a key: a list, or a text with commas or blanks, as variables of the environment have it. */
export function namesAt(config: Config, key: string): readonly string[] | undefined {
  return config.strings(key)?.flatMap((text) => text.split(/[\s,]+/))
    .filter((name) => name !== "");
}
