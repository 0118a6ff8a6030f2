import { type Datasource, sqlTarget } from "../../../src/migrations/sql/mod.ts";
import { journalCases, type JournalFixture } from "../../contracts/journal.ts";
import * as mysql from "./mysql_support.ts";
import { pooled, poolerMissing } from "./pooler_support.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { environment, handles } from "./support.ts";
import { libsql, mysqlPool, neonPool, pgPool, postgresJs } from "./using_support.ts";

interface Subject {
  readonly name: string;
  readonly skip?: string | undefined;
  readonly support: Pick<typeof sqlite, "create" | "cleanUp" | "query">;
  /** As the runs reach it. */
  readonly reach?: (datasource: Datasource) => Datasource;
  /** A statement that makes its file one that must not be repeated. */
  readonly once: string;
}

const OUTSIDE = "-- irori: no-transaction\n";
const SUBJECTS: readonly Subject[] = [
  { name: "SQLite", support: sqlite, once: OUTSIDE },
  { name: "PostgreSQL", skip: postgresql.postgresqlMissing, support: postgresql, once: OUTSIDE },
  {
    name: "PostgreSQL behind PgBouncer",
    skip: poolerMissing,
    support: postgresql,
    reach: pooled,
    once: "",
  },
  { name: "MariaDB", skip: mysql.mysqlMissing, support: mysql, once: OUTSIDE },
  {
    name: "PostgreSQL by a pool of the application",
    skip: postgresql.postgresqlMissing,
    support: pgPool,
    once: OUTSIDE,
  },
  {
    name: "PostgreSQL by postgres.js",
    skip: postgresql.postgresqlMissing,
    support: postgresJs,
    once: OUTSIDE,
  },
  {
    name: "PostgreSQL by Neon's driver",
    skip: postgresql.postgresqlMissing,
    support: neonPool,
    once: OUTSIDE,
  },
  { name: "SQLite by libSQL", support: libsql, once: OUTSIDE },
  {
    name: "MariaDB by a pool of the application",
    skip: mysql.mysqlMissing,
    support: mysqlPool,
    once: OUTSIDE,
  },
];

for (const { name: database, skip, support, reach, once } of SUBJECTS) {
  for (const { name, run } of journalCases) {
    Deno.test({
      name: `a journal ${name} (${database})`,
      ignore: skip !== undefined,
      async fn() {
        const direct = await support.create();
        await support.query(direct, "CREATE TABLE things (name VARCHAR(20))");
        await using fixture = fixtureOf(reach?.(direct) ?? direct, once, {
          count: async (thing) =>
            (await support.query(direct, `SELECT name FROM things WHERE name = '${thing}'`)).length,
          [Symbol.asyncDispose]: () => support.cleanUp(),
        });
        await run(fixture);
      },
    });
  }
}

function fixtureOf(
  datasource: Datasource,
  once: string,
  rest: Pick<JournalFixture, "count" | typeof Symbol.asyncDispose>,
): JournalFixture {
  const insert = (thing: string) => `INSERT INTO things VALUES ('${thing}');`;
  return {
    ...rest,
    extension: ".sql",
    target(owner, { lockTimeoutMs = 30_000, other = false } = {}) {
      const connection = other ? { ...datasource, name: "other" } : datasource;
      const using = handles.get(datasource.database);
      return sqlTarget(connection, environment({ owner, lockTimeoutMs, ...(using && { using }) }));
    },
    kill: (session) => session.close(),
    files: {
      safe: insert,
      once: (thing) => `${once}${insert(thing)}`,
      refused: "INSERT INTO nowhere VALUES (1);",
    },
  };
}
