import { assertEquals } from "@std/assert";
import { adopt } from "../../../src/features/adopt/adopt.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { filesOf, inSession, migrated, outcomes } from "../../migrations/sql/support.ts";
import FLYWAY from "./recorded/flyway.json" with { type: "json" };
import GOOSE from "./recorded/goose.json" with { type: "json" };
import GOLANG_MIGRATE from "./recorded/golang_migrate.json" with { type: "json" };
import SQLX from "./recorded/sqlx.json" with { type: "json" };

/** The history that a tool left in PostgreSQL 15 after it had applied these files. */
interface Recorded {
  readonly tool: string;
  readonly version: string;
  readonly table: string;
  readonly files: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly rows: readonly unknown[];
}

for (const recorded of [FLYWAY, GOLANG_MIGRATE, GOOSE, SQLX] as unknown as Recorded[]) {
  const { tool, version, table, files, columns, rows } = recorded;
  Deno.test({
    name: `adopt takes over what ${tool} ${version} has recorded, each file and its checksum`,
    ignore: postgresql.postgresqlMissing !== undefined,
    fn: async () => {
      try {
        const datasource = await postgresql.create();
        await postgresql.query(datasource, `CREATE TABLE ${table} (${columns.join(", ")})`);
        const json = JSON.stringify(rows).replaceAll("'", "''");
        await postgresql.query(
          datasource,
          `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, '${json}')`,
        );
        const take = (tree: typeof files) =>
          inSession(datasource, async (session) => await adopt(session, await filesOf(tree)));
        const [last = ""] = Object.keys(files).slice(-1);
        const edited = { ...files, [last]: `${files[last]} SELECT 1;` };
        const hasChecksums = tool !== "golang-migrate" && tool !== "goose";
        if (hasChecksums) {
          const states = (await take(edited)).rows.map(({ state }) => state);
          assertEquals(states.filter((state) => state === "differs").length, 1);
        }
        const adopted = await take(files);
        assertEquals(
          adopted.rows.map(({ state }) => state),
          Array(adopted.rows.length).fill("adopted"),
        );
        assertEquals([adopted.rows.length, adopted.isRecorded], [Object.keys(files).length, true]);
        assertEquals(
          adopted.notices.some(({ message }) => /checksum/.test(message)),
          !hasChecksums,
        );
        assertEquals(
          outcomes(await migrated(datasource, files)),
          Object.keys(files).map((path) => `${path} skipped`),
        );
      } finally {
        await postgresql.cleanUp();
      }
    },
  });
}
