import type { Classifier } from "../runner/mod.ts";
import { classify } from "./classify.ts";
import { resourceOf } from "./kinds/resource.ts";
import { checkTogether } from "./overlap.ts";
import { checkReferences } from "./references.ts";
import type { SearchConnection, SearchMigration } from "./types.ts";

/** Understands the files of a search connection. */
export function classifierOf(
  connection: Pick<SearchConnection, "name" | "onChange" | "reindex" | "authorization">,
): Classifier<SearchMigration> {
  const { onChange = "reapply" } = connection;
  return {
    comparesFiles: true,
    ignoresLineEnds: false,
    classify: (file) => classify(file, onChange),
    check: (migrations) => [
      ...checkTogether(connection, migrations),
      ...checkReferences(migrations),
    ],
    // A run asks the cluster, which knows more.
    lint: async (migrations, { isRun = false }) => {
      return isRun ? [] : await (await import("./dangers.ts")).warningsOf(connection, migrations);
    },
    followers,
  };
}

/** Files that replace a resource as a whole, where an earlier file for it is going to be applied. */
function followers(
  migrations: readonly SearchMigration[],
  pending: ReadonlySet<string>,
): ReadonlySet<string> {
  const again = new Set<string>();
  const replaced = new Set<string>();
  for (const { file: { path }, request } of migrations) {
    const resource = resourceOf(request);
    if (resource === undefined || resource.effect === "part") continue;
    const isPending = pending.has(path);
    if (!isPending && replaced.has(resource.key)) again.add(path);
    if (isPending || again.has(path)) replaced.add(resource.key);
  }
  return again;
}
