import {
  type CheckedFiles,
  choiceOf,
  type FeatureKey,
  featureKey,
  type FileProblem,
  type MigrationFeature,
} from "../../migrations/runner/mod.ts";
import { engineOf } from "../../migrations/sql/engines/table.ts";
import { DATABASE, SQL, sqlMigrations } from "../../migrations/sql/offers.ts";
import type { Linting } from "./facts.ts";

/** Absent where files are not linted. */
export const LINT: FeatureKey<Linting> = featureKey("lint");

/** Finds what is dangerous to apply in SQL files. */
export const feature: MigrationFeature = {
  name: "lint",
  settings: {
    datasource: {
      keys: ["migrations.lint", "migrations.lint_from"],
      read(section) {
        const lint = choiceOf(section, "migrations.lint", ["warn", "error", "off"], "warn");
        const lintFrom = section.string("migrations.lint_from");
        return { offers: lint === "off" ? [] : [LINT.offer({ lint, lintFrom })] };
      },
    },
  },
  async check(files) {
    const linting = LINT.of(files);
    return linting ? await lint(files, linting) : [];
  },
};

async function lint(files: CheckedFiles, linting: Linting): Promise<readonly FileProblem[]> {
  const [sql, database] = [SQL.of(files), DATABASE.of(files)];
  if (sql === undefined) return [];
  const { datasource, environment: { onNotice } } = sql;
  const { purpose, paths } = files;
  const { lintFiles } = await import("./lint.ts");
  const options = { isRun: purpose !== "validate", sizes: purpose === "plan", paths };
  return await lintFiles(sqlMigrations(files.migrations), options, {
    ...linting,
    datasource,
    dialect: await engineOf(datasource).dialect(),
    facts: database?.facts ?? {},
    onNotice,
    ...(database && { database }),
  });
}
