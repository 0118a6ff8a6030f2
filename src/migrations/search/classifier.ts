import { type Classifier, type FileProblem, InvalidFilesError, problemsIn } from "../runner/mod.ts";
import { classify } from "./files/classify.ts";
import { isEnvelope } from "./files/envelope.ts";
import { clashes } from "./json/compare.ts";
import { resourceOf } from "./kinds/resource.ts";
import { checkTogether } from "./guards/overlap.ts";
import { redactor } from "./cluster/redactor.ts";
import { checkReferences } from "./guards/references.ts";
import type { SearchConnection, SearchMigration } from "./types.ts";

export function classifierOf(
  connection: Pick<SearchConnection, "name"> & Partial<SearchConnection>,
): Classifier<SearchMigration> {
  const { onChange = "reapply", placeholders = {} } = connection;
  const redact = redactor({ placeholders });
  const masked = (problem: FileProblem) => ({ ...problem, message: redact(problem.message) });
  return {
    comparesFiles: true,
    ignoresLineEnds: false,
    classify(file) {
      try {
        const migration = classify(file, onChange, placeholders);
        if (!isEnvelope(migration)) return migration;
        return { ...migration, resource: redact(migration.resource) };
      } catch (error) {
        throw new InvalidFilesError(problemsIn(error).map(masked));
      }
    },
    check: (migrations) =>
      [...checkTogether(connection, migrations), ...checkReferences(migrations, connection)].map(
        masked,
      ),
    followers,
  };
}

/** Files that have to be applied again, though unchanged, because an earlier file that contradicts them will be. */
function followers(
  migrations: readonly SearchMigration[],
  pending: ReadonlySet<string>,
): ReadonlySet<string> {
  const again = new Set<string>();
  const replaced = new Set<string>();
  /** The values that files which will be applied want for a part. */
  const said = new Map<string, unknown[]>();
  for (const { file: { path }, request } of migrations) {
    const resource = resourceOf(request);
    if (resource === undefined) continue;
    const { key, effect, kind } = resource;
    const isPart = effect === "part";
    if (isPart && !kind.isMerged) continue;
    const parts = said.get(key) ?? [];
    const isUndone = isPart
      ? parts.some((part) => clashes(part, resource.wanted).length > 0)
      : replaced.has(key);
    if (isUndone) again.add(path);
    if (!isUndone && !pending.has(path)) continue;
    if (isPart) said.set(key, [...parts, resource.wanted]);
    else replaced.add(key);
  }
  return again;
}
