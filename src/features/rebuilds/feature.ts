import type { FileProblem, MigrationFeature } from "../../migrations/runner/mod.ts";
import { DATABASE, SQL, sqlMigrations } from "../../migrations/sql/offers.ts";

/** Engines that refuse a file for the rows of other tables. */
const REFUSING = { d1: () => import("../../migrations/sql/engines/d1/rebuilds.ts") };

/**
 * Tells in `plan` that D1 will refuse a file, as its drop of a table would change rows of other tables. Of a later file only
 * a warning: the files before it may change those rows.
 */
export const feature: MigrationFeature = {
  name: "rebuilds",
  async check(files) {
    const [sql, database] = [SQL.of(files), DATABASE.of(files)];
    if (files.purpose !== "plan" || !sql || !database) return [];
    const { engine = "" } = sql.datasource;
    const load = Object.hasOwn(REFUSING, engine) && REFUSING[engine as keyof typeof REFUSING];
    if (!load) return [];
    const { refuseRebuild } = await load();
    const problems: FileProblem[] = [];
    for (const [index, migration] of sqlMigrations(files.migrations).entries()) {
      const message = await refuseRebuild(migration, (sql) => database.query(sql));
      if (message === undefined) continue;
      const severity = index === 0 ? "error" : "warning";
      problems.push({ severity, path: migration.file.path, message });
    }
    return problems;
  },
};
