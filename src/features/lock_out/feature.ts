import { printable } from "../../text/mod.ts";
import type { Migration, MigrationFeature } from "../../migrations/runner/mod.ts";
import { SEARCH, searchMigrations, searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { redactor } from "../../migrations/search/cluster/redactor.ts";

/** Finds files that take rights from the user who applies them. */
export const feature: MigrationFeature = {
  name: "lock_out",
  async check(files) {
    const search = SEARCH.of(files);
    const concerned = concernedOf(files.migrations);
    // A run asks the cluster, which knows more.
    if (!search || files.purpose !== "validate" || concerned.length === 0) return [];
    const { placeholders = {} } = search.connection;
    const redact = redactor({ placeholders });
    const { lockOutWarnings } = await import("./lock_out.ts");
    return lockOutWarnings(search.connection, concerned)
      .map((problem) => ({ ...problem, message: redact(problem.message) }));
  },
  async dangers(files) {
    const concerned = concernedOf(files.migrations);
    if (concerned.length === 0) return [];
    const { cluster, connection } = searchSessionOf(files);
    const { lockOutDangers } = await import("./lock_out.ts");
    // Answers of a cluster may contain anything.
    return (await lockOutDangers(cluster, connection, concerned)).map((danger) => {
      return { ...danger, message: cluster.redact(printable(danger.message)) };
    });
  },
};

/** All files of the cluster, where one of them may be about rights. */
function concernedOf(migrations: readonly Migration[]): readonly SearchMigration[] {
  const all = searchMigrations(migrations);
  return all.some(({ request }) => /_security|%/.test(request.path)) ? all : [];
}
