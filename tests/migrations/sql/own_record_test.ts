/** Files that write into the history table themselves. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { failing, migrated, outcomes } from "./support.ts";

const SUBJECTS = [
  { name: "SQLite", ignore: false, support: sqlite },
  {
    name: "PostgreSQL",
    ignore: postgresql.postgresqlMissing !== undefined,
    support: postgresql,
  },
];
const CHANGES = [
  "DELETE FROM framework_migrations",
  "UPDATE framework_migrations SET migration_path = 'x/' || migration_path",
  "UPDATE framework_migrations SET content_hash = 'x'",
];

for (const { name, ignore, support } of SUBJECTS) {
  for (const change of CHANGES) {
    Deno.test({
      name: `${name} does not apply a file that changes its own record: ${change}`,
      ignore,
      async fn() {
        try {
          const datasource = await support.create();
          const first = { "1.sql": "CREATE TABLE t (n INT)" };
          const tree = { ...first, "2.sql": `INSERT INTO t VALUES (1);\n${change};` };
          const error = await failing(MigrationFailedError, datasource, tree);
          assertStringIncludes(error.message, "the file has changed its own record");
          assertStringIncludes(error.message, "Nothing of the file is applied");
          assertEquals((await support.query(datasource, "SELECT * FROM t")).length, 0);
          assertEquals(outcomes(await migrated(datasource, first)), ["1.sql skipped"]);
        } finally {
          await support.cleanUp();
        }
      },
    });
  }
}
