import { nearest } from "../text/mod.ts";
import type { Config } from "./types.ts";

/** Rejects unknown keys, which are usually misspelled. @throws {ConfigError} that names the key that was meant */
export function refuseUnknownKeys(config: Config, prefix: string, known: readonly string[]): void {
  const full = (name: string) => prefix === "" ? name : `${prefix}.${name}`;
  const visit = (section: Config | undefined, above: string): void => {
    for (const name of section?.keys() ?? []) {
      const key = `${above}${name}`;
      if (known.includes(key)) continue;
      if (known.some((one) => one.startsWith(`${key}.`))) {
        visit(config.section(full(key)), `${key}.`);
        continue;
      }
      const near = nearest(key, known).map((name) => `'${full(name)}'`);
      const hint = near.length > 0
        ? `did you mean ${near.join(" or ")}?`
        : `expected one of ${known.join(", ")}`;
      throw config.error(full(key), `Unknown setting: ${hint}`);
    }
  };
  visit(prefix === "" ? config : config.section(prefix), "");
}
