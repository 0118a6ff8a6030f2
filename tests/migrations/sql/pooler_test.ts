/** PgBouncer in transaction mode: the state of a session after a transaction belongs to another client. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createConfig } from "../../../src/config/mod.ts";
import {
  ConnectionError,
  InvalidFilesError,
  LockedError,
} from "../../../src/migrations/runner/mod.ts";
import { type Datasource, readDatasources } from "../../../src/migrations/sql/mod.ts";
import { IS_LONG, writeProof } from "../../long/mod.ts";
import { killingProxy } from "./killing_proxy.ts";
import { create, poolerMissing } from "./pooler_support.ts";
import { cleanUp, query } from "./postgresql_support.ts";
import { spawnRun } from "./process_child.ts";
import { server } from "./servers.ts";
import { failing, inSession, migrate, migrated, outcomes } from "./support.ts";

/** How often runs are let loose on each other. */
const ROUNDS = IS_LONG ? 50 : 4;
/** The measured results, a row for each test. */
const proof: string[] = [];
Deno.test.afterAll(() =>
  writeProof(
    "sql-pooler",
    "# Two runs through PgBouncer in transaction mode\n\nFour files a round, applied by two runs at " +
      "once; each inserts a row that tells its name.\n\n" +
      "| what | rounds | killed | failed | rows | done twice |\n|---|---|---|---|---|---|\n",
    proof,
  )
);

function test(
  name: string,
  body: (direct: Datasource, behind: Datasource) => Promise<void>,
  options: Partial<Datasource> = {},
): void {
  Deno.test({
    name: `PgBouncer: ${name}`,
    ignore: poolerMissing !== undefined,
    fn: async () => {
      try {
        const { direct, behind } = await create(options);
        await body(direct, behind);
      } finally {
        await cleanUp();
      }
    },
  });
}

const advisoryLocks = (datasource: Datasource) =>
  query(
    datasource,
    "SELECT l.objid FROM pg_locks l JOIN pg_database d ON d.oid = l.database " +
      "WHERE l.locktype = 'advisory' AND d.datname = current_database()",
  );

test(
  "a run leaves neither a lock nor settings on the connections of the pool",
  async (direct, behind) => {
    const tree = {
      "1.sql": "CREATE TABLE a (id INT); SET search_path = nowhere; SET lock_timeout = 4711;",
      "2.sql": "CREATE TABLE b AS SELECT current_setting('lock_timeout') AS lock_timeout;",
    };
    const report = await migrated(behind, tree);
    assertEquals(outcomes(report), ["1.sql applied", "2.sql applied"]);
    assertEquals(await query(direct, "SELECT * FROM b"), [{ lock_timeout: "5s" }]);
    assertEquals(await advisoryLocks(direct), []);
    for (let i = 0; i < 5; i++) {
      const settings =
        "SELECT current_setting('search_path') AS s, current_setting('lock_timeout') AS l";
      assertEquals(await query(behind, settings), [{ s: '"$user", public', l: "0" }]);
    }
    assertEquals((await migrated(behind, tree)).requests, 1);
  },
);

test("settings of the datasource hold in every file", async (direct, behind) => {
  await query(direct, "CREATE SCHEMA tenant");
  const text = "CREATE TABLE settings AS SELECT " +
    ["search_path", "statement_timeout", "client_connection_check_interval"]
      .map((name) => `current_setting('${name}') AS ${name}`).join(", ");
  await migrated(behind, { "1.sql": text });
  assertEquals(await query(direct, "SELECT * FROM tenant.settings"), [{
    search_path: "tenant",
    statement_timeout: "12345ms",
    client_connection_check_interval: "500ms",
  }]);
  assertEquals((await query(direct, "SELECT * FROM tenant.framework_migrations")).length, 1);
}, { schema: "tenant", historySchema: "tenant", statementTimeoutMs: 12_345 });

test("another run is waited for, by name, and the wait ends with it", async (_direct, behind) => {
  const notices: string[] = [];
  await inSession(
    behind,
    async ({ journal }) => {
      await journal.lock(await journal.read([]), () => Promise.resolve(new Map()));
      const options = { lockTimeoutMs: 200, onNotice: (message: string) => notices.push(message) };
      const error = await failing(LockedError, behind, { "1.sql": "SELECT 1" }, options);
      assertStringIncludes(error.message, "irori web-1-77-run");
      const waiting = migrated(behind, { "1.sql": "SELECT 1" });
      await journal.unlock();
      assertEquals(outcomes(await waiting), ["1.sql applied"]);
    },
    {},
    { owner: "web-1-77-run" },
  );
  assertMatch(`${notices[0]}`, /^Waiting up to 0\.2 s for another run: 'irori web-1-77-run'/);
});

test(
  "a file without a transaction is refused, with the way out, and nothing is applied",
  async (direct, behind) => {
    const tree = {
      "1.sql": "CREATE TABLE a (id INT);",
      "2.sql": "-- irori: no-transaction\nCREATE INDEX CONCURRENTLY i ON a (id);",
    };
    const error = await failing(InvalidFilesError, behind, tree);
    assertMatch(error.message, /^main\/2\.sql:1:11: .*there is a pooler: .*'migrations\.url'/);
    assertEquals(await query(direct, "SELECT to_regclass('a') AS a"), [{ a: null }]);

    const url = ({ host, port, database, username, password }: Datasource) =>
      `postgres://${username}:${password?.reveal()}@${host}:${port}/${database}`;
    const migrations = { enabled: true, url: url(direct) };
    const config = createConfig({ datasource: [{ name: "main", url: url(behind), migrations }] });
    const [both] = readDatasources(config);
    assert(both);
    assertEquals(outcomes(await migrated(both, tree)), ["1.sql applied", "2.sql applied"]);
  },
);

Deno.test({
  name: "PgBouncer: a pool of one connection is noticed",
  ignore: poolerMissing !== undefined,
  async fn() {
    const database = "irori_pool_of_one";
    const admin = server("TEST_PG_URL");
    await query(admin, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await query(admin, `CREATE DATABASE ${database}`);
    try {
      const datasource = server("TEST_PGBOUNCER_URL", { database, connectTimeoutMs: 300 });
      const error = await failing(ConnectionError, datasource, { "1.sql": "SELECT 1" });
      assertMatch(error.message, /gave no second connection within 0\.3 s: .*'migrations\.url'/);
    } finally {
      await query(admin, `DROP DATABASE ${database} WITH (FORCE)`);
    }
  },
});

/** Files that tell how often they were applied. */
function counting(round: number): Record<string, string> {
  return Object.fromEntries(
    [1, 2, 3, 4].map((i) => [`${round}-${i}.sql`, `INSERT INTO done VALUES ('${round}-${i}')`]),
  );
}

async function assertOnce(datasource: Datasource, what: string, killed: number): Promise<void> {
  const rows = await query(datasource, "SELECT file FROM done");
  const twice = rows.length - new Set(rows.map(({ file }) => file)).size;
  assertEquals([rows.length, twice], [ROUNDS * 4, 0]);
  proof.push(`| ${what} | ${ROUNDS} | ${killed} | 0 | ${rows.length} | ${twice} |`);
}

test(`two runs at once apply each file once, ${ROUNDS} times`, async (direct, behind) => {
  await query(direct, "CREATE TABLE done (file TEXT)");
  const tree: Record<string, string> = {};
  for (let round = 0; round < ROUNDS; round++) {
    Object.assign(tree, counting(round));
    const reports = await Promise.all(
      ["a", "b"].map((owner) =>
        migrate(behind, tree, { owner, lockTimeoutMs: 60_000 }, { yes: true })
      ),
    );
    assertEquals(reports.map(({ error }) => error), [undefined, undefined]);
    const applied = reports.flatMap(outcomes).filter((line) => line.endsWith(" applied"));
    assertEquals(applied.length, 4, applied.join("\n"));
  }
  await assertOnce(direct, "two runs at once", 0);
  assertEquals(await advisoryLocks(direct), []);
});

test(
  `two runs of which one is killed apply each file once, ${ROUNDS} times`,
  async (direct, behind) => {
    await query(direct, "CREATE TABLE done (file TEXT)");
    const tree: Record<string, string> = {};
    let kills = 0;
    for (let round = 0; round < ROUNDS; round++) {
      Object.assign(tree, counting(round));
      const when = round % 2 === 0 ? "before" : "after";
      // It sends 24: asks for the lock with the 8th, and gives it back with the 22nd.
      const from = 8 + round % 6;
      await using proxy = killingProxy(behind, { at: from + (round * 5) % 11, when });
      const child = spawnRun({ ...behind, host: "127.0.0.1", port: proxy.port }, tree);
      proxy.watch(child);
      await Promise.race([proxy.came(from), child.status]);
      const report = await migrate(behind, tree, { owner: "survivor", lockTimeoutMs: 60_000 }, {
        yes: true,
      });
      const { success, signal, stderr } = await child.output();
      assert(success || signal === "SIGKILL", new TextDecoder().decode(stderr));
      if (!success) kills++;
      assertEquals(report.error, undefined);
      // The one that lived may have come first.
      const last = await migrate(behind, tree, { lockTimeoutMs: 60_000 }, { yes: true });
      assertEquals(last.error, undefined);
    }
    await assertOnce(direct, "the same, one of them killed on its way", kills);
    assert(kills >= ROUNDS / 4, `only ${kills} of ${ROUNDS} were killed`);
  },
);
