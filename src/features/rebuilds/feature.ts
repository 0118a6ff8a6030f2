import type { CheckedFiles, FileProblem, MigrationFeature } from "../../migrations/runner/mod.ts";
import { DATABASE, SQL, sqlMigrations } from "../../migrations/sql/offers.ts";

/**
 * Tells in `plan` that D1 will refuse a file, as its drop of a table would change rows of other tables. Of a later file only
 * a warning: the files before it may change those rows.
 */
export const feature: MigrationFeature = {
  name: "rebuilds",
  async check(files) {
    const isAsked = files.purpose === "plan" && SQL.of(files)?.datasource.engine === "d1";
    return isAsked ? await rebuildsIn(files) : [];
  },
};

async function rebuildsIn(files: CheckedFiles): Promise<readonly FileProblem[]> {
  const database = DATABASE.of(files);
  if (database === undefined) return [];
  const { refuseRebuild } = await import("../../migrations/sql/engines/d1/rebuilds.ts");
  const problems: FileProblem[] = [];
  for (const [index, migration] of sqlMigrations(files.migrations).entries()) {
    const message = await refuseRebuild(migration, (sql) => database.query(sql));
    if (message === undefined) continue;
    const severity = index === 0 ? "error" : "warning";
    problems.push({ severity, path: migration.file.path, message });
  }
  return problems;
}
