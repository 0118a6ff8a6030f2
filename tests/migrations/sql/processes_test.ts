import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { InterruptedError } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { spawnRun } from "./process_child.ts";
import { depth } from "../../long/mod.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { missing } from "./servers.ts";
import { failing, migrated, outcomes, resolve } from "./support.ts";

type Query = (datasource: Datasource, sql: string) => Promise<Record<string, unknown>[]>;

interface Subject {
  readonly name: string;
  readonly skip: boolean;
  readonly transactional: boolean;
  create(): Promise<Datasource>;
  cleanUp(): Promise<void>;
  readonly query: Query;
  /** Does not end by itself while a test holds its hand over it. */
  readonly blocking: string;
  /** The statement without the block. */
  readonly free: string;
  /** Makes `blocking` block. */
  block(datasource: Datasource): Promise<{ release(): Promise<void> }>;
  /** Whether a run hangs in `blocking`. */
  isBlocked(datasource: Datasource, inTransaction: boolean): Promise<boolean>;
}

/** How often runs in one process race for the lock. */
const ROUNDS = depth(5, 100);

const SUBJECTS: readonly Subject[] = [
  {
    name: "PostgreSQL",
    skip: missing("TEST_PG_URL") !== undefined,
    transactional: true,
    ...postgresql,
    blocking: "SELECT pg_advisory_xact_lock(4711)",
    free: "SELECT 1",
    async block(datasource) {
      const client = await postgresql.connect(datasource);
      await client.query("SELECT pg_advisory_lock(4711)");
      return { release: () => client.end() };
    },
    async isBlocked(datasource) {
      const sql =
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted";
      return (await postgresql.query(datasource, sql)).length > 0;
    },
  },
  {
    name: "MySQL",
    skip: missing("TEST_MYSQL_URL") !== undefined,
    transactional: false,
    ...mysql,
    blocking: "SELECT GET_LOCK(concat('block', database()), 60)",
    free: "SELECT 1",
    async block(datasource) {
      const client = await mysql.connect(datasource);
      await client.query("SELECT GET_LOCK(concat('block', database()), 60)");
      return { release: () => client.end() };
    },
    async isBlocked({ database, ...rest }) {
      const sql = `SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = '${database}' ` +
        "AND STATE = 'User lock'";
      return (await mysql.query({ database, ...rest }, sql)).length > 0;
    },
  },
  {
    name: "SQLite",
    skip: false,
    transactional: true,
    ...sqlite,
    blocking: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) " +
      "INSERT INTO a SELECT i FROM n WHERE i = 0",
    free: "SELECT 1",
    block: () => Promise.resolve({ release: () => Promise.resolve() }),
    async isBlocked(datasource, inTransaction) {
      const { database } = datasource;
      // A journal says that a transaction has written something.
      if (inTransaction) {
        const journal = await Deno.stat(`${database}-journal`).catch(() => undefined);
        if (journal === undefined) return false;
      }
      if (await Deno.stat(database).then(({ size }) => size === 0, () => true)) return false;
      const sql = "SELECT state, statement FROM framework_migrations";
      const rows = await Promise.resolve().then(() => this.query(datasource, sql)).catch(() => []);
      return rows.some(({ state, statement }) =>
        inTransaction ? state === "applied" : state === "running" && statement === 1
      );
    },
  },
];

for (const subject of SUBJECTS) {
  const { name, skip, transactional, create, cleanUp, query, blocking, free } = subject;
  const test = (what: string, body: (datasource: Datasource) => Promise<void>) =>
    Deno.test({
      name: `${name} ${what}`,
      ignore: skip,
      fn: async () => {
        try {
          await body(await create());
        } finally {
          await cleanUp();
        }
      },
    });
  /** Lets a run go until it hangs, and kills it there. */
  const killWhileBlocked = async (
    datasource: Datasource,
    tree: Record<string, string>,
    inTransaction: boolean,
  ) => {
    const blocker = await subject.block(datasource);
    const child = spawnRun(datasource, tree);
    try {
      while (!await subject.isBlocked(datasource, inTransaction));
    } finally {
      child.kill("SIGKILL");
      await child.output();
      await blocker.release();
    }
  };
  const tables = async (datasource: Datasource) => {
    const found: string[] = [];
    for (const table of ["a", "b", "c"]) {
      const rows = await Promise.resolve().then(() => query(datasource, `SELECT 1 FROM ${table}`))
        .catch(() => undefined);
      if (rows !== undefined) found.push(`${table} ${rows.length}`);
    }
    return found;
  };

  test("killed in a file: the next run finds it as if it had not been begun, or says how far it came", async (datasource) => {
    const tree = {
      "1.sql": "CREATE TABLE a (id INT);",
      "2.sql": `CREATE TABLE b (id INT);\n${blocking};\nINSERT INTO b VALUES (1);`,
      "3.sql": "CREATE TABLE c (id INT);",
    };
    await killWhileBlocked(datasource, tree, transactional);
    const repaired = { ...tree, "2.sql": tree["2.sql"].replace(blocking, free) };
    if (transactional) {
      const report = await migrated(datasource, repaired);
      assertEquals(outcomes(report), ["1.sql skipped", "2.sql applied", "3.sql applied"]);
    } else {
      const same = await failing(InterruptedError, datasource, tree);
      assertStringIncludes(same.message, "1 is applied, and of statement 2 of 3 nothing is known");
      const error = await failing(InterruptedError, datasource, repaired);
      assertStringIncludes(error.message, "1 is applied, and of statement 2 nothing is known");
      await query(datasource, "DROP TABLE b");
      await resolve(datasource, repaired, "2.sql", "retry");
      assertEquals(outcomes(await migrated(datasource, repaired)).at(-1), "3.sql applied");
    }
    assertEquals(await tables(datasource), ["a 0", "b 1", "c 0"]);
  });

  test("killed in a no-transaction file: it asks, and takes either answer", async (datasource) => {
    const tree = {
      "1.sql": "CREATE TABLE a (id INT);",
      "2.sql": "-- irori: no-transaction\n" +
        `INSERT INTO a VALUES (1);\n${blocking};\nINSERT INTO a VALUES (2);`,
    };
    await killWhileBlocked(datasource, tree, false);
    const error = await failing(InterruptedError, datasource, tree);
    assertStringIncludes(error.message, "1 is applied, and of statement 2 of 3 nothing is known");
    assertStringIncludes(error.message, "resolve 2.sql --retry");
    await resolve(datasource, tree, "2.sql", "applied");
    assertEquals(outcomes(await migrated(datasource, tree)), ["1.sql skipped", "2.sql skipped"]);
    assertEquals(await tables(datasource), ["a 1"]);

    const more = { ...tree, "3.sql": tree["2.sql"] };
    await killWhileBlocked(datasource, more, false);
    await resolve(datasource, more, "3.sql", "retry");
    const repaired = { ...more, "3.sql": "INSERT INTO a VALUES (3);" };
    assertEquals(outcomes(await migrated(datasource, repaired)).at(-1), "3.sql applied");
    assertEquals(await tables(datasource), ["a 3"]);
  });

  test(`started as processes at once applies each file once, ${depth(2, 5)} times`, async (datasource) => {
    const tree: Record<string, string> = {
      "00.sql": "CREATE TABLE IF NOT EXISTS a (id INT); DELETE FROM a;",
    };
    for (let i = 11; i < 30; i++) {
      const head = i % 5 === 0 ? "-- irori: no-transaction\n" : "";
      tree[`${i}.sql`] = `${head}INSERT INTO a VALUES (${i}); INSERT INTO a VALUES (${i});`;
    }
    for (let round = 0; round < depth(2, 5); round++) {
      const renamed = Object.entries(tree).map(([path, text]) => [`${round}/${path}`, text]);
      const runs = Array.from({ length: round % 2 === 0 ? 2 : 5 }, () => {
        return spawnRun(datasource, Object.fromEntries(renamed));
      });
      for (const run of runs) {
        const { success, stderr } = await run.output();
        assert(success, new TextDecoder().decode(stderr));
      }
      assertEquals(await tables(datasource), ["a 38"]);
    }
  });

  test(`run at once by two and five in one process applies each file once, ${ROUNDS} times`, async (datasource) => {
    for (let round = 0; round < ROUNDS; round++) {
      const tree = {
        [`${round}-1.sql`]: "CREATE TABLE IF NOT EXISTS a (id INT); DELETE FROM a;",
        [`${round}-2.sql`]: "-- irori: no-transaction\nINSERT INTO a VALUES (1);",
        [`${round}-3.sql`]: "INSERT INTO a VALUES (2); INSERT INTO a VALUES (3);",
      };
      const runners = Array.from({ length: round % 2 === 0 ? 2 : 5 }, (_, i) => {
        return migrated(datasource, tree, { owner: `run-${i}`, lockTimeoutMs: 60_000 });
      });
      const reports = await Promise.all(runners);
      const applied = reports.flatMap(outcomes).filter((line) => line.endsWith(" applied"));
      assertEquals(applied.length, 3, applied.join("\n"));
      assertEquals(await tables(datasource), ["a 3"]);
    }
  });
}

Deno.test({
  name: "PostgreSQL builds an index concurrently while other runs ask for the lock again and again",
  ignore: missing("TEST_PG_URL") !== undefined,
  async fn() {
    const datasource = await postgresql.create();
    try {
      const tree = {
        "1.sql": "CREATE TABLE a AS SELECT generate_series(1, 50000) AS id;",
        "2.sql": "-- irori: no-transaction\nCREATE INDEX CONCURRENTLY i ON a (id);\n" +
          "REINDEX INDEX CONCURRENTLY i;",
      };
      // A session that waits inside a statement keeps a snapshot that the statement would wait for.
      const runs = ["a", "b", "c"].map((owner) => migrated(datasource, tree, { owner }));
      const reports = await Promise.all(runs);
      const applied = reports.flatMap(outcomes).filter((line) => line.endsWith(" applied"));
      assertEquals(applied, ["1.sql applied", "2.sql applied"]);
    } finally {
      await postgresql.cleanUp();
    }
  },
});
