/** Triggers, settings and privileges reach the history table: each file is applied once and recorded, or none is. */
import { assertEquals, assertMatch } from "@std/assert";
import { depth } from "../../long/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { type Hostile, MYSQL, POSTGRESQL, SQLITE } from "./hostile_cases.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { migrate, migrated, outcomes } from "./support.ts";

const FIRST = { "0.sql": "CREATE TABLE log (id INT);" };
const FILES = {
  ...FIRST,
  "1.sql": "INSERT INTO log VALUES (1);",
  "2.sql": "-- irori: no-transaction\nINSERT INTO log VALUES (2);\nINSERT INTO log VALUES (3);",
};

/** The longest that three runs may take. */
const LIMIT_MS = 30_000;

const LOG: Readonly<Record<string, string>> = {
  postgresql: "public.log",
  mysql: "log",
  sqlite: "log",
};

type Support = Pick<typeof postgresql, "create" | "query" | "cleanUp">;

async function tryHostile(support: Support, hostile: Hostile): Promise<void> {
  const owner = await support.create();
  const role = `irori_${owner.database.slice(-8)}`;
  const named = (text: string) => text.replaceAll("ROLE_", role).replaceAll("DB", owner.database);
  const needsRole = hostile.datasource?.username === "ROLE_";
  if (hostile.isFirst) await support.query(owner, "CREATE TABLE log (id INT)");
  else await migrated(owner, FIRST);
  const password = owner.password;
  if (needsRole) await support.query(owner, roleOf(owner, role));
  try {
    for (const sql of hostile.setup) await support.query(owner, named(sql));
    const datasource: Datasource = {
      ...owner,
      ...(needsRole && { username: role, password }),
    };
    const { "0.sql": _, ...rest } = FILES;
    // A case may have made tables of its own.
    const run = () =>
      migrate(datasource, hostile.isFirst ? rest : FILES, { lockTimeoutMs: 10_000 }, { yes: true });
    const started = performance.now();
    const reports = [...await Promise.all([run(), run()]), await run()];
    assertEquals(performance.now() - started < LIMIT_MS, true);
    const errors = reports.map(({ error }) => error?.message);
    const log = await support.query(owner, `SELECT id FROM ${LOG[owner.kind]} ORDER BY id`);
    if (hostile.outcome === "works") {
      assertEquals(errors, [undefined, undefined, undefined]);
      assertEquals(log, [{ id: 1 }, { id: 2 }, { id: 3 }]);
      assertEquals(
        new Set(outcomes(reports[2]!).map((line) => line.split(" ")[1])),
        new Set(["skipped"]),
      );
    } else {
      for (const error of errors) assertMatch(String(error), hostile.outcome);
      assertEquals(log, []);
    }
  } finally {
    if (needsRole) {
      await support.query(
        owner,
        named(
          owner.kind === "postgresql"
            ? "REASSIGN OWNED BY ROLE_ TO postgres; DROP OWNED BY ROLE_; DROP ROLE ROLE_"
            : "DROP USER ROLE_",
        ),
      );
    }
    await support.cleanUp();
  }
}

function roleOf({ kind }: Datasource, role: string): string {
  return kind === "postgresql"
    ? `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`
    : `CREATE USER ${role} IDENTIFIED BY 'secret'`;
}

const ENGINES = [
  {
    name: "PostgreSQL",
    cases: POSTGRESQL,
    support: postgresql,
    missing: postgresql.postgresqlMissing,
  },
  { name: "MySQL", cases: MYSQL, support: mysql, missing: mysql.mysqlMissing },
  { name: "SQLite", cases: SQLITE, support: sqlite, missing: undefined },
];

for (const { name, cases, support, missing } of ENGINES) {
  for (const hostile of cases.filter((_, index) => index % depth(4, 1) === 0)) {
    Deno.test({
      name: `${name}: a run on a history with ${hostile.name}`,
      ignore: missing !== undefined,
      fn: () => tryHostile(support, hostile),
    });
  }
}
