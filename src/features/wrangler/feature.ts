import type { CheckedFiles, FileProblem, MigrationFeature } from "../../migrations/runner/mod.ts";
import { SQL } from "../../migrations/sql/offers.ts";

/** Refuses files of D1 that wrangler does not apply, such as seeds in a folder beside its migrations. */
export const feature: MigrationFeature = {
  name: "wrangler",
  async check(files) {
    return await unappliedFiles(files, files.migrations.map(({ file: { path } }) => path));
  },
};

/** The errors of files that wrangler does not apply. @param target their connection */
export async function unappliedFiles(
  target: Pick<CheckedFiles, "offers">,
  paths: readonly string[],
): Promise<readonly FileProblem[]> {
  const sql = SQL.of(target);
  const { engine = "" } = sql?.datasource ?? {};
  if (!sql || !Object.hasOwn(REFUSING, engine)) return [];
  const { unappliedProblems } = await REFUSING[engine as keyof typeof REFUSING]();
  return await unappliedProblems(sql, paths);
}

/** Engines whose files another tool may apply as well, by a rule of its own. */
const REFUSING = { d1: () => import("../../migrations/sql/engines/d1/unapplied.ts") };
