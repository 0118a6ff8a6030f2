import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import {
  ConnectionError,
  LockedError,
  MigrationFailedError,
  statusOf,
} from "../../../src/migrations/runner/mod.ts";
import { ConfigError, type ConfigMap, createConfig } from "../../../src/config/mod.ts";
import {
  type Datasource,
  readDatasources,
  type TlsSettings,
} from "../../../src/migrations/sql/mod.ts";
import { Secret } from "../../../src/migrations/sql/connect/secret.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { missing, server } from "./servers.ts";
import { failing, inSession, migrate, migrated, outcomes } from "./support.ts";

interface Server {
  readonly name: string;
  readonly variable: string;
  readonly socket: string;
  readonly support: typeof mysql | typeof postgresql;
  /** Leaves the session's cipher or its absence in the table `cipher`. */
  readonly cipher: string;
  /** Ends the session that runs it. */
  readonly suicide: string;
  /** Ends the session that holds the lock. */
  readonly murder: string;
  readonly slow: string;
}

const SERVERS: Server[] = [
  {
    name: "PostgreSQL",
    variable: "TEST_PG_URL",
    socket: "TEST_PG_SOCKET",
    support: postgresql,
    cipher: "CREATE TABLE cipher AS SELECT coalesce(cipher, '') AS name FROM pg_stat_ssl " +
      "WHERE pid = pg_backend_pid()",
    suicide: "SELECT pg_terminate_backend(pg_backend_pid())",
    // Waits for its end: until then it holds the lock.
    murder:
      "SELECT pg_terminate_backend(l.pid, 10000) FROM pg_locks l JOIN pg_database d ON d.oid = l.database " +
      `WHERE locktype = 'advisory' AND datname = current_database() AND objid = ${0x726f7269}`,
    slow: "SELECT pg_sleep(60)",
  },
  {
    name: "MySQL",
    variable: "TEST_MYSQL_URL",
    socket: "TEST_MYSQL_SOCKET",
    support: mysql,
    cipher: "CREATE TABLE cipher AS SELECT VARIABLE_VALUE AS name " +
      "FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'",
    suicide: "KILL CONNECTION_ID()",
    murder: "BEGIN NOT ATOMIC EXECUTE IMMEDIATE concat('KILL ', " +
      "IS_USED_LOCK(concat('irori:', database()))); END",
    slow: "SELECT * FROM (SELECT benchmark(100000000000, md5('a'))) t",
  },
];

for (const { name, variable, socket, support, cipher, suicide, murder, slow } of SERVERS) {
  const ignore = missing(variable) !== undefined;
  const test = (what: string, body: () => Promise<void>) =>
    Deno.test({
      name: `${name} ${what}`,
      ignore,
      fn: async () => {
        try {
          await body();
        } finally {
          await support.cleanUp();
        }
      },
    });
  const cipherOf = async (datasource: Datasource) => {
    await migrated(datasource, { "1.sql": `${cipher};` });
    return (await support.query(datasource, "SELECT name FROM cipher"))[0]?.name;
  };
  const error = (message: string) => new Error(message);
  const path = Deno.env.get("TEST_TLS_CA") ?? "";
  const pem = { kind: "certificate" as const, error };
  const ca = { ...pem, path };

  test("encrypts the connection as asked, and only then", async () => {
    assertEquals(await cipherOf(await support.create()), "");
    const settings: TlsSettings[] = [
      { verify: "full", optional: false, ca },
      { verify: "full", optional: false, ca: { ...pem, text: await Deno.readTextFile(path) } },
      { verify: "chain", optional: false, ca },
      { verify: "none", optional: false },
      { verify: "none", optional: true },
    ];
    for (const tls of settings) {
      for (const host of ["localhost", "127.0.0.1"]) {
        assertMatch(`${await cipherOf(await support.create({ host, tls }))}`, /AES|CHACHA/);
      }
    }
  });

  test("refuses a certificate without a trusted issuer", async () => {
    for (const verify of ["full", "chain"] as const) {
      const tls = { verify, optional: false };
      const error = await failing(ConnectionError, server(variable, { tls }), {});
      assertMatch(error.message, /certificate/);
    }
  });

  test("names the setting of a missing certificate file", async () => {
    const { kind } = server(variable);
    const url = `${kind}://${server(variable).host}:${server(variable).port}/db`;
    const wrong: ConfigMap[] = [
      { url, ssl: { ca: "nowhere.pem" } },
      { url: `${url}?sslrootcert=nowhere.pem` },
    ];
    await using empty = await emptyFile();
    const [datasource] = readDatasources(
      createConfig({ datasource: [{ name: "main", url, ssl: { ca: empty.path } }] }),
    );
    assert(datasource);
    const { message } = await failing(ConfigError, datasource, {});
    assertStringIncludes(message, "Expected a certificate in PEM, found none, in the file");
    const half = createConfig({ datasource: [{ name: "main", url, ssl: { key: "key.pem" } }] });
    assertThrows(() => readDatasources(half), ConfigError, "expected 'ssl.cert' to be set, too");
    for (const [index, options] of wrong.entries()) {
      const config = createConfig({ datasource: [{ name: "main", ...options }] }, { root: "/app" });
      const [datasource] = readDatasources(config);
      assert(datasource);
      const { key, message } = await failing(ConfigError, datasource, {});
      assertEquals(key, `datasource[0].${index === 0 ? "ssl.ca" : "url"}`);
      assertStringIncludes(message, "Cannot read the file '/app/nowhere.pem'");
    }
  });

  test("connects through a socket of the machine", async () => {
    const host = Deno.env.get(socket) ?? "";
    assertEquals(
      (await migrated(await support.create({ host }), { "1.sql": "SELECT 1" })).error,
      undefined,
    );
  });

  test("explains a failed connection without the password", async () => {
    const password = new Secret("pa55-w0rd");
    const wrong: [Partial<Datasource>, RegExp][] = [
      [{ port: 1 }, /Cannot connect to '.*' at 127\.0\.0\.1:1 as '.*': .*ECONNREFUSED/],
      [{ username: "absent", password }, /as 'absent': .*(authentication failed|Access denied)/],
      [{ password }, /(authentication failed|Access denied)/],
      [{ database: "nope" }, /'nope' at .*(does not exist|Unknown database)/],
    ];
    for (const [options, message] of wrong) {
      const error = await failing(ConnectionError, server(variable, options), {});
      assertMatch(error.message, message);
      assert(!Deno.inspect(error).includes("pa55-w0rd"));
    }
    assert(!Deno.inspect(server(variable, { password })).includes("pa55-w0rd"));
    assert(!JSON.stringify(server(variable, { password })).includes("pa55-w0rd"));
  });

  test("times out on a server that never answers", async () => {
    const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = silent.addr as Deno.NetAddr;
    const connections: Deno.Conn[] = [];
    const accepting = (async () => {
      for await (const connection of silent) connections.push(connection);
    })();
    try {
      const options = { port, connectTimeoutMs: 100 };
      const error = await failing(ConnectionError, server(variable, options), {});
      assertMatch(error.message, /timeout|ETIMEDOUT|timed out/i);
    } finally {
      silent.close();
      await accepting;
      for (const connection of connections) connection.close();
    }
  });

  test("masks the password in messages of the server", async () => {
    const table = (await support.create()).database;
    const password = new Secret("relation_of_secrets");
    const [user] = [`${table}_u`];
    const create = variable === "TEST_PG_URL"
      ? `CREATE ROLE ${user} LOGIN PASSWORD 'relation_of_secrets'`
      : `CREATE OR REPLACE USER ${user}@'127.0.0.1' IDENTIFIED BY 'relation_of_secrets'`;
    const grant = variable === "TEST_PG_URL"
      ? `ALTER DATABASE ${table} OWNER TO ${user}`
      : `GRANT ALL ON ${table}.* TO ${user}@'127.0.0.1'`;
    await support.query(server(variable), create);
    await support.query(server(variable), grant);
    const datasource = server(variable, { database: table, username: user, password });
    const tree = { "1.sql": "SELECT * FROM relation_of_secrets;" };
    const error = await failing(MigrationFailedError, datasource, tree);
    assertMatch(error.message, /\*\*\*/);
    assert(!error.message.includes("relation_of_secrets"));
    assert(!`${(error.cause as Error).message}`.includes("relation_of_secrets"));
    await support.cleanUp();
    const host = variable === "TEST_PG_URL" ? "" : "@'127.0.0.1'";
    await support.query(server(variable), `DROP USER ${user}${host}`);
  });

  test("reports a lost connection, and the next run continues", async () => {
    const datasource = await support.create();
    const tree = {
      "1.sql": "CREATE TABLE a (id INT);",
      "2.sql": `CREATE TABLE b (id INT); ${suicide};`,
      "3.sql": "CREATE TABLE c (id INT);",
    };
    const report = await migrate(datasource, tree);
    assertEquals(outcomes(report), ["1.sql applied", "2.sql failed", "3.sql not run"]);
    assert(report.error instanceof ConnectionError);
    assertStringIncludes(report.error.message, "'2.sql'");
    const again = await migrate(datasource, { ...tree, "2.sql": "CREATE TABLE b (id INT);" });
    if (variable === "TEST_PG_URL") {
      assertEquals(outcomes(again), ["1.sql skipped", "2.sql applied", "3.sql applied"]);
    } else {
      assertMatch(`${again.error?.message}`, /1 is applied, and of statement 2 nothing is known/);
    }
  });

  test("stops before the next file when it loses the lock", async () => {
    const datasource = await support.create();
    const report = await migrate(datasource, {
      "1.sql": "CREATE TABLE a (id INT);",
      "2.sql": variable === "TEST_PG_URL" ? `${murder};` : `${murder};\nCREATE TABLE b (id INT);`,
      "3.sql": "CREATE TABLE c (id INT);",
    });
    assert(report.error instanceof LockedError, `${report.error}`);
    assertStringIncludes(report.error.message, "The lock of the run was lost");
    assertEquals((await support.query(datasource, "SELECT count(*) AS n FROM a")).length, 1);
    const c = await support.query(datasource, "SELECT count(*) AS n FROM c").catch(() =>
      "no table"
    );
    assertEquals(c, "no table");
  });

  test("stops a statement that takes longer than statement_timeout", async () => {
    const datasource = await support.create({ statementTimeoutMs: 200 });
    const error = await failing(MigrationFailedError, datasource, {
      "1.sql": `SELECT 1;\n${slow};\nSELECT 2;`,
    });
    assertEquals(error.line, 2);
    assertMatch(error.message, /statement timeout|took longer than 0\.2 s and was stopped/);
  });

  test("reports once which run it waits for, and names it after the timeout", async () => {
    const datasource = await support.create();
    await inSession(
      datasource,
      async ({ journal }) => {
        await journal.lock(await journal.read([]), () => Promise.resolve(new Map()));
        const notices: string[] = [];
        const onNotice = (message: string) => notices.push(message);
        const options = { lockTimeoutMs: 150, onNotice };
        const error = await failing(LockedError, datasource, { "1.sql": "SELECT 1" }, options);
        assertMatch(error.message, /^Waited 0\.15 s for another run: /);
        const who = variable === "TEST_PG_URL" ? "irori web-1-77-run" : "user 'root'";
        assertStringIncludes(error.message, who);
        assertStringIncludes(`${error.owner}`, who);
        assertEquals(notices.length, 1);
        assertMatch(`${notices[0]}`, /^Waiting up to 0\.15 s for another run: /);
      },
      {},
      { owner: "web-1-77-run" },
    );
  });

  test("stops waiting for another run when the signal is aborted", async () => {
    const datasource = await support.create();
    await inSession(datasource, async ({ journal }) => {
      await journal.lock(await journal.read([]), () => Promise.resolve(new Map()));
      const stop = new AbortController();
      const options = { lockTimeoutMs: 60_000, onNotice: () => stop.abort() };
      const tree = { "1.sql": "SELECT 1" };
      const report = await migrate(datasource, tree, options, { signal: stop.signal });
      assertEquals([report.stopped, report.error], [true, undefined]);
    });
  });

  test("waits for a run that is in the middle of a no-transaction file", async () => {
    const datasource = await support.create();
    const sleep = variable === "TEST_PG_URL" ? "SELECT pg_sleep(0.4)" : "SELECT sleep(0.4)";
    const tree = {
      "1.sql":
        `-- irori: no-transaction\nCREATE TABLE a (id INT);\n${sleep};\nINSERT INTO a VALUES (1);`,
      "2.sql": "INSERT INTO a VALUES (2);",
    };
    const first = migrated(datasource, tree);
    const running = "SELECT count(*) AS n FROM framework_migrations WHERE state = 'running'";
    const isRunning = async () => Number((await support.query(datasource, running))[0]?.n) === 1;
    while (!await isRunning().catch(() => false));
    const { files, lockedBy } = await inSession(datasource, statusOf, tree);
    assertEquals(lockedBy?.stale, false);
    assertMatch(`${lockedBy?.owner}`, variable === "TEST_PG_URL" ? /irori test-host/ : /'root'/);
    assertEquals(files.map(({ state }) => state), ["pending", "pending"]);
    const second = await migrated(datasource, tree);
    assertEquals(outcomes(await first), ["1.sql applied", "2.sql applied"]);
    assertEquals(outcomes(second), ["1.sql skipped", "2.sql skipped"]);
  });
}

Deno.test({
  name: "MySQL sees a run of a user whose sessions it may not see",
  ignore: mysql.mysqlMissing !== undefined,
  async fn() {
    const datasource = await mysql.create();
    const user = `irori_${datasource.database.slice(-8)}`;
    const admin = server("TEST_MYSQL_URL");
    try {
      await mysql.query(admin, `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY 'secret'`);
      await mysql.query(admin, `GRANT ALL ON ${datasource.database}.* TO ${user}@'127.0.0.1'`);
      const tree = { "1.sql": "CREATE TABLE a (id INT);\nSELECT sleep(0.4);" };
      const first = migrated(datasource, tree);
      const running = "SELECT count(*) AS n FROM framework_migrations WHERE state = 'running'";
      const isRunning = async () => Number((await mysql.query(datasource, running))[0]?.n) === 1;
      while (!await isRunning().catch(() => false));
      const other = { ...datasource, username: user };
      const { lockedBy } = await inSession(other, statusOf, tree);
      assertMatch(`${lockedBy?.owner}`, /^connection \d+ of the server$/);
      assertEquals(outcomes(await migrated(other, tree)), ["1.sql skipped"]);
      assertEquals(outcomes(await first), ["1.sql applied"]);
    } finally {
      await mysql.query(admin, `DROP USER IF EXISTS ${user}@'127.0.0.1'`);
      await mysql.cleanUp();
    }
  },
});

async function emptyFile(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempFile();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path) };
}
