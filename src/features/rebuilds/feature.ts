import type { FileProblem, MigrationFeature } from "../../migrations/runner/mod.ts";
import { DATABASE, SQL, sqlMigrations } from "../../migrations/sql/offers.ts";

/** Engines that refuse a file for the rows of other tables. */
const REFUSING = { d1: () => import("../../migrations/sql/engines/d1/rebuilds.ts") };

/** Tells in `plan` that D1 will refuse a file, or may, as its drop of a table would change rows of other tables. */
export const feature: MigrationFeature = {
  name: "rebuilds",
  async check(files) {
    const [sql, database] = [SQL.of(files), DATABASE.of(files)];
    if (files.purpose !== "plan" || !sql || !database) return [];
    const { engine = "" } = sql.datasource;
    const load = Object.hasOwn(REFUSING, engine) && REFUSING[engine as keyof typeof REFUSING];
    if (!load) return [];
    const { refusalsOf } = await load();
    const migrations = sqlMigrations(files.migrations);
    const refusals = await refusalsOf(migrations, (sql) => database.query(sql));
    return refusals.flatMap((refusal, index): FileProblem[] => {
      if (!refusal) return [];
      const { path } = migrations[index]!.file;
      const severity = refusal.isCertain ? "error" : "warning";
      return [{ severity, path, message: refusal.message }];
    });
  },
};
