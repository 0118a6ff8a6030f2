import { ConfigError } from "../../config/mod.ts";
import { quoted } from "../../text/mod.ts";
import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { noneHas } from "../parts/each.ts";
import { FLEET, readFleet } from "./fleet.ts";

export const feature: MigrationFeature = {
  name: "fleets",
  settings: {
    search: {
      keys: ["migrations.each"],
      read(section, engine) {
        const fleet = readFleet(section, engine);
        return fleet ? { offers: [FLEET.offer(fleet)], hasNoHosts: true } : { offers: [] };
      },
    },
  },
  targets(all, { only }) {
    const fleets = all.filter((target) => FLEET.of(target));
    if (only && fleets.length === 0) throw noneHas("cluster", only);
    if (only && fleets.length > 1) {
      const names = quoted(fleets.map(({ connection }) => connection));
      throw new ConfigError(
        `'--only' names clusters of one connection: choose it by '--connection', found ${names}`,
      );
    }
    return (only ? fleets : all).map((target) => {
      if (!FLEET.of(target)) return target;
      const { connection } = target;
      const message = `'${connection}' has several clusters: choose one of them by '--only'`;
      return {
        ...target,
        // Each cluster has values of its own for the placeholders.
        withValues: (files) => Promise.resolve(files),
        open: () => Promise.reject(new ConfigError(message)),
      };
    });
  },
  async many(target) {
    return FLEET.of(target) && (await import("./run_fleet.ts")).FLEETS;
  },
};
