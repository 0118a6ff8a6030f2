import {
  compareCodePoints,
  ExecutionError,
  FeatureError,
  featureKey,
  type FileProblem,
  type MigrationFeature,
  type MigrationFile,
  problemsIn,
} from "../../migrations/runner/mod.ts";
import { member } from "../../migrations/search/json/json.ts";
import { SEARCH, searchMigrations } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { SQL, sqlMigrations } from "../../migrations/sql/offers.ts";
import type { SqlMigration } from "../../migrations/sql/types.ts";
import { divide } from "./divide.ts";

/** The backfills among the files of a target. */
const FOUND = featureKey<MigrationFile[]>("backfills");
const AFTER = /^[ \t\ufeff]*--[ \t]*irori[ \t]*:[ \t]*after\b[ \t]*([^\r\n]*?)[ \t]*$/gim;
const LEFT_OUT = {
  severity: "warning",
  message: "It leaves out rows that are inserted or committed after its start; rows whose key " +
    "changes meanwhile are left out, or changed twice",
  advice: [
    "Let a default or the application write new rows first, or add a condition that the change makes",
    "false, such as 'total IS NULL': it is repeated until no row is found",
  ],
} as const;

const MISNAMED = "Expected 'backfill' in the name of a file with this key";

/** Keeps backfills out of runs, and files that name one by `after` until it is done. */
export const feature: MigrationFeature = {
  name: "backfills",
  targets: (targets) =>
    targets.map((target) => {
      const found: MigrationFile[] = [];
      return {
        ...target,
        offers: [...target.offers, FOUND.offer(found)],
        async withValues(files) {
          const { migrations, backfills } = await divide(files, target);
          found.splice(0, Infinity, ...backfills);
          return await target.withValues(migrations);
        },
      };
    }),
  async check(files) {
    const found = FOUND.of(files);
    const problems = [...searchMigrations(files.migrations).flatMap(misnamedIn)];
    if (files.purpose !== "validate" || !found) return problems;
    for (const migration of sqlMigrations(files.migrations)) {
      const { file: { path }, script } = migration;
      for (const { name, index } of aftersIn(migration)) {
        const isThere = found.some((one) => one.path === name);
        if (isThere && compareCodePoints(name, path) < 0) continue;
        const message = isThere
          ? `The backfill '${name}' waits for this file, as its name sorts behind it: rename either`
          : `There is no backfill '${name}' in the folder of the connection`;
        problems.push({ severity: "error", path, message, ...script.locate(index) });
      }
    }
    const search = SEARCH.of(files);
    for (const file of found) {
      const loading: Promise<{ readonly repeats: boolean }> = search
        ? (await import("./query_file.ts")).loadQuery(file, search)
        : (await import("./file.ts")).loadBackfill(file, SQL.of(files)!.datasource);
      const leftOut = { ...LEFT_OUT, path: file.path };
      problems.push(...await loading.then(({ repeats }) => repeats ? [] : [leftOut], problemsIn));
    }
    return problems;
  },
  async apply(step, next) {
    const { file } = step.migration;
    for (const { name } of sqlMigrations([step.migration]).flatMap(aftersIn)) {
      const { reasonToWait } = await import("./work.ts");
      const reason = await reasonToWait(name, file, step);
      if (reason === undefined) continue;
      const message = `'${file.path}' comes after the backfill '${name}', ${reason}`;
      throw new ExecutionError(new FeatureError(message), "none");
    }
    return await next();
  },
};

/** A request that would run as a migration. */
function misnamedIn({ json }: SearchMigration): readonly FileProblem[] {
  const key = member(json.members, "backfill");
  return key ? [json.problem("error", key.offset, MISNAMED)] : [];
}

/** The names that 'after' gives, before the first statement. */
function aftersIn({ script: { text }, statements: [first] }: SqlMigration) {
  const head = text.slice(0, first?.start)
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\r\n]/g, " "));
  return [...head.matchAll(AFTER)].map(({ 1: name = "", index }) => ({ name, index }));
}
