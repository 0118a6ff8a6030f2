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

const ROW = "'%2.sql'";
const spoil = (when: string, body: string) => [
  "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " +
  `IF NEW.migration_path LIKE ${ROW} THEN ${body} END IF; RETURN NEW; END $$`,
  `CREATE TRIGGER spoil ${when} ON framework_migrations FOR EACH ROW EXECUTE FUNCTION spoil()`,
];

/** Triggers that reach the row of one file only, which no rehearsal meets: how often its statements are sent. */
const ONE_ROW = [
  [postgresql, "drops", spoil("BEFORE INSERT", "RETURN NULL;"), 0],
  [postgresql, "renames", spoil("BEFORE INSERT", "NEW.migration_path = 'x';"), 0],
  [postgresql, "keeps", spoil("BEFORE UPDATE", "RETURN OLD;"), 1],
  [postgresql, "deletes", spoil("AFTER INSERT", "DELETE FROM framework_migrations;"), 0],
  [
    postgresql,
    "changes back",
    spoil(
      "AFTER UPDATE",
      `UPDATE framework_migrations SET state = 'running' WHERE migration_path LIKE ${ROW} AND state <> 'running';`,
    ),
    1,
  ],
  [mysql, "renames", [
    "CREATE TRIGGER spoil BEFORE INSERT ON framework_migrations FOR EACH ROW " +
    `SET NEW.migration_path = IF(NEW.migration_path LIKE ${ROW}, 'x', NEW.migration_path)`,
  ], 0],
  [mysql, "keeps", [
    "CREATE TRIGGER spoil BEFORE UPDATE ON framework_migrations FOR EACH ROW " +
    `SET NEW.state = IF(NEW.migration_path LIKE ${ROW}, OLD.state, NEW.state)`,
  ], 1],
  [sqlite, "drops", [
    "CREATE TRIGGER spoil BEFORE INSERT ON framework_migrations " +
    `WHEN NEW.migration_path LIKE ${ROW} BEGIN SELECT RAISE(IGNORE); END`,
  ], 0],
  [sqlite, "deletes", [
    "CREATE TRIGGER spoil AFTER INSERT ON framework_migrations " +
    `WHEN NEW.migration_path LIKE ${ROW} BEGIN DELETE FROM framework_migrations WHERE migration_path LIKE ${ROW}; END`,
  ], 0],
] as const;

for (const [support, does, setup, sent] of ONE_ROW) {
  for (const directive of support === mysql ? [""] : ["-- irori: no-transaction\n", ""]) {
    const { name, missing } = ENGINES.find((engine) => engine.support === support)!;
    Deno.test({
      name: `${name}: a trigger that ${does} the row of one file stops it${
        directive && ", without a transaction"
      }`,
      ignore: missing !== undefined,
      fn: async () => {
        const datasource = await support.create();
        try {
          await migrated(datasource, FIRST);
          for (const sql of setup) await support.query(datasource, sql);
          const files = { ...FIRST, "2.sql": `${directive}INSERT INTO log VALUES (2);` };
          for (const at of [1, 2]) {
            const { error } = await migrate(datasource, files);
            if (at === 1 || sent === 0) {
              assertMatch(String(error), /trigger/);
              if (at === 1 && sent === 0) assertMatch(String(error), /does not keep rows as they/);
            }
          }
          const log = await support.query(datasource, `SELECT id FROM ${LOG[datasource.kind]}`);
          assertEquals(log.length, directive === "" && support !== mysql ? 0 : sent);
        } finally {
          await support.cleanUp();
        }
      },
    });
  }
}
