import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { PLACE } from "../../migrations/sql/offers.ts";
import { noneHas } from "../parts/each.ts";
import { EACH, readEach } from "./each.ts";

/** Applies the files of a connection to each of its tenants. */
export const feature: MigrationFeature = {
  name: "tenants",
  settings: {
    datasource: {
      keys: ["migrations.each"],
      read(section, place) {
        const { engine, at } = PLACE.of(place)!;
        const each = readEach(section, engine, (url) => at("migrations.each.urls", url));
        if (each === undefined) return { offers: [] };
        // Every tenant has a history table, so that it cannot be looked for.
        const isPublic = each.of === "schemas" && engine.schemas === "in databases";
        return {
          offers: [EACH.offer(each)],
          tablesBefore: each.query?.toLowerCase().match(/[\w$\u0080-\uffff]+/g) ?? [],
          ...(isPublic && { historySchema: "public" }),
        };
      },
    },
  },
  targets(all, { only }) {
    if (only === undefined) return all;
    const targets = all.filter((target) => EACH.of(target));
    if (targets.length > 0) return targets;
    throw noneHas("tenant", only);
  },
  async many(target) {
    return EACH.of(target) && (await import("./run_tenants.ts")).TENANTS;
  },
};
