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
import { SEARCH } from "../../migrations/search/offers.ts";
import { SQL, sqlMigrations } from "../../migrations/sql/offers.ts";
import { divide } from "./divide.ts";

type Spans = readonly { readonly start: number; readonly end: number }[];

/** The backfills among the files of a target. */
const FOUND = featureKey<MigrationFile[]>("backfills");
const AFTER = /^[ \t\ufeff]*--[ \t]*irori[ \t]*:[ \t]*after\b[ \t]*([^\r\n]*?)[ \t]*$/gim;
const LEFT_OUT = {
  severity: "warning",
  message: "It leaves out rows that are inserted or committed after its start, and rows " +
    "whose key changes meanwhile",
  advice: [
    "Let a default or the application write new rows first, or add a condition that the change makes",
    "false, such as 'total IS NULL': it is repeated until no row is found",
  ],
} as const;

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
    if (files.purpose !== "validate" || !found) return [];
    const problems: FileProblem[] = [];
    for (const { file: { path }, script, statements } of sqlMigrations(files.migrations)) {
      const after = afterIn(script.text, statements);
      const [, name = ""] = after ?? [];
      const isThere = found.some((one) => one.path === name);
      if (!after || (isThere && compareCodePoints(name, path) < 0)) continue;
      const message = isThere
        ? `The backfill '${name}' waits for this file, as its name sorts behind it: rename either`
        : `There is no backfill '${name}' in the folder of the connection`;
      problems.push({ severity: "error", path, message, ...script.locate(after.index) });
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
    const [sql] = sqlMigrations([step.migration]);
    const after = sql && afterIn(sql.script.text, sql.statements)?.[1];
    if (after === undefined) return await next();
    const { isDone } = await import("./work.ts");
    if (await isDone(after, file, step)) return await next();
    const message = `'${file.path}' comes after the backfill '${after}', which is not done: run ` +
      `'irori backfill run ${after}' first`;
    throw new ExecutionError(new FeatureError(message), "none");
  },
};

/** The name that 'after' gives, outside of statements and block comments. */
function afterIn(text: string, statements: Spans) {
  return [...text.matchAll(AFTER)].find(({ index }) => {
    const { end = 0 } = statements.findLast(({ start }) => start <= index) ?? {};
    const between = text.slice(end, index).replaceAll(/--[^\r\n]*/g, "");
    return end <= index && between.lastIndexOf("/*") <= between.lastIndexOf("*/");
  });
}
