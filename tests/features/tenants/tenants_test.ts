import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EACH } from "../../../src/features/tenants/each.ts";
import { FEATURES } from "../all.ts";
import { join } from "@std/path";
import fc from "fast-check";
import { ConfigError, createConfig } from "../../../src/config/mod.ts";
import {
  baselineMigrations,
  migrationStatus,
  resolveMigration,
} from "../../../src/migrations/commands.ts";
import { loadConfig, migrateSql, migrateTenant } from "../../../src/migrations/mod.ts";
import {
  ConnectionError,
  HistoryError,
  InterruptedError,
  LockedError,
  MigrationFailedError,
} from "../../../src/migrations/runner/mod.ts";
import { type Datasource, readDatasources } from "../../../src/migrations/sql/mod.ts";
import * as mysql from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { missing, server } from "../../migrations/sql/servers.ts";
import { databaseTest, until } from "../../migrations/sql/support.ts";
import { poolOf } from "../../migrations/sql/postgresql_support.ts";
import { sqlOf } from "../../migrations/sql/using_support.ts";
import { noticesOf, outcomesOf, project, urlOf } from "./tenants_support.ts";

const FILES = {
  "shared/plans.sql": "CREATE TABLE plans (id INT);",
  "1.sql": "CREATE TABLE users (id INT);",
  "2.sql": "INSERT INTO users VALUES (1);",
};

function pgTest(name: string, body: (datasource: Datasource) => Promise<void>): void {
  const { postgresqlMissing } = postgresql;
  databaseTest(`PostgreSQL: tenants + ${name}`, postgresql, postgresqlMissing, body);
}

/** A schema for each name, and the table that names them. */
async function schemas(datasource: Datasource, ...names: string[]): Promise<void> {
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const literal = (name: string) => `('${name.replaceAll("'", "''")}')`;
  await postgresql.query(
    datasource,
    [
      ...names.map((name) => `CREATE SCHEMA ${quoted(name)}`),
      "CREATE TABLE tenants (name TEXT PRIMARY KEY)",
      `INSERT INTO tenants VALUES ${names.map(literal).join(", ")}`,
    ].join("; "),
  );
}

const BY_QUERY = { schemas: "SELECT name FROM tenants ORDER BY name" };

pgTest("get shared files once, then each its own files", async (datasource) => {
  await schemas(datasource, "a", "b", "c");
  const each = { ...BY_QUERY, shared: ["shared/"], parallel: 2 };
  await using shop = await project({ url: urlOf(datasource), each }, FILES);
  const done = ["a", "b", "c"];
  assertEquals(outcomesOf(await shop.migrate()), [
    "shop done",
    ...done.map((t) => `${t} migrated`),
  ]);
  const again = await shop.migrate();
  assertEquals(outcomesOf(again), ["shop done", ...done.map((t) => `${t} unchanged`)]);
  assertEquals(again.map(({ requests }) => requests), [1, 1, 1, 1]);
  for (const schema of done) {
    const rows = `SELECT * FROM ${schema}.users`;
    assertEquals(await postgresql.query(datasource, rows), [{ id: 1 }]);
  }
  const records = await postgresql.query(
    datasource,
    "SELECT connection, migration_path FROM a.framework_migrations ORDER BY 2",
  );
  assertEquals(records, [
    { connection: "shop", migration_path: "1.sql" },
    { connection: "shop", migration_path: "2.sql" },
  ]);
  const [shared] = await postgresql.query(
    datasource,
    "SELECT count(*)::int AS plans FROM public.framework_migrations JOIN public.plans ON true",
  );
  assertEquals(shared, { plans: 0 });
});

pgTest("that fail stop no other one, and alone are done by the next run", async (datasource) => {
  await schemas(datasource, "a", "b", "c");
  await postgresql.query(datasource, "CREATE TABLE b.users (name TEXT)");
  await using shop = await project({ url: urlOf(datasource), each: BY_QUERY }, {
    "0.sql": "CREATE TABLE first (id INT);",
    "1.sql": "CREATE TABLE users (id INT);",
    "2.sql": "CREATE TABLE last (id INT);",
  });
  const { code, stdout, stderr } = await shop.command("migrate");
  assertEquals(code, 8);
  assertStringIncludes(stdout, "shop: not up to date, 3 tenants: 2 migrated, 1 failed: b\n");
  assertMatch(stderr, /^error: shop\[b\]\/1\.sql:1: The database refused the file: .*exists/m);
  await postgresql.query(datasource, "DROP TABLE b.users");
  const again = await shop.migrate();
  assertEquals(outcomesOf(again), ["a unchanged", "b migrated", "c unchanged"]);
  assertEquals(again[1]!.results.map(({ file }) => file), ["1.sql", "2.sql"]);
});

pgTest("may be none", async (datasource) => {
  await postgresql.query(datasource, "CREATE TABLE tenants (name TEXT)");
  await using shop = await project({ url: urlOf(datasource), each: BY_QUERY }, FILES);
  const { code, stdout } = await shop.command("migrate");
  assertEquals([code, stdout], [0, "Nothing to do: there are no tenants\n"]);
});

pgTest("use a pool of the application, as far as it has connections", async (datasource) => {
  await schemas(datasource, "a", "b", "c");
  const pool = poolOf(datasource, { max: 7 });
  await using shop = await project({ each: BY_QUERY }, FILES);
  try {
    const done = ["a", "b", "c"].map((name) => `${name} migrated`);
    assertEquals(outcomesOf(await shop.migrate({ using: { shop: pool } })), done);
    assertMatch(noticesOf(shop.events).join(), /of which 6 are free: migrates 2 at a time instead/);
    assertEquals((await pool.query("SELECT current_setting('search_path') AS path")).rows, [
      { path: '"$user", public' },
    ]);
  } finally {
    await pool.end();
  }
});

pgTest("use an instance of postgres.js", async (datasource) => {
  await schemas(datasource, "a", "b", "c");
  const sql = sqlOf(datasource, { max: 7 });
  await using shop = await project({ each: BY_QUERY }, FILES);
  try {
    const named = (outcome: string) => ["a", "b", "c"].map((name) => `${name} ${outcome}`);
    assertEquals(outcomesOf(await shop.migrate({ using: { shop: sql } })), named("migrated"));
    assertEquals(outcomesOf(await shop.migrate({ using: { shop: sql } })), named("unchanged"));
  } finally {
    await sql.end({ timeout: 1 });
  }
});

const { poolerMissing = postgresql.postgresqlMissing } = {
  poolerMissing: missing("TEST_PGBOUNCER_URL"),
};
databaseTest(
  "PgBouncer: tenants + work behind it",
  postgresql,
  poolerMissing,
  async (datasource) => {
    await schemas(datasource, "a", "b", "c");
    const { host, port } = server("TEST_PGBOUNCER_URL");
    const url = urlOf({ ...datasource, host, port });
    await using shop = await project({ url, each: { ...BY_QUERY, parallel: 2 } }, FILES);
    assertEquals(outcomesOf(await shop.migrate()), ["a migrated", "b migrated", "c migrated"]);
    assertEquals(outcomesOf(await shop.migrate()), ["a unchanged", "b unchanged", "c unchanged"]);
  },
);

pgTest("do not run where a shared file fails", async (datasource) => {
  await schemas(datasource, "a");
  const each = { ...BY_QUERY, shared: ["0.sql"] };
  await using shop = await project({ url: urlOf(datasource), each }, {
    "0.sql": "CREATE TABLE tenants (id INT);",
    "1.sql": "CREATE TABLE users (id INT);",
  });
  const [first, ...others] = await shop.migrate();
  assert(first?.error instanceof MigrationFailedError);
  assertEquals(others, []);
});

pgTest("that do not exist are reported, those that disappear are a notice", async (datasource) => {
  await schemas(datasource, "a", "b", "c");
  await postgresql.query(datasource, "INSERT INTO tenants VALUES ('d')");
  await using shop = await project({ url: urlOf(datasource), each: { ...BY_QUERY, parallel: 1 } }, {
    "1.sql": "DO $$ BEGIN IF current_schema() = 'a' THEN DROP SCHEMA b, c CASCADE; END IF; END $$;",
  });
  const reports = await shop.migrate();
  assertEquals(outcomesOf(reports), ["a migrated", "b gone", "c gone", "d failed"]);
  assert(reports[3]!.error instanceof HistoryError);
  assertStringIncludes(reports[3]!.error.message, "There is no schema 'd': create it, or call");
  const told = shop.events.flatMap((event) => {
    return event.type === "notice" && /disappeared during/.test(event.message)
      ? event.connection
      : [];
  });
  assertEquals(told, ["shop[b]", "shop[c]"]);
  // Commands that read all tenants name the one that they cannot read.
  const plan = await shop.command("plan");
  assertEquals([plan.code, plan.stderr.startsWith("error: shop[")], [2, true], plan.stderr);
});

pgTest("have any name", async (datasource) => {
  const character = fc.oneof(
    fc.constantFrom(..."\"'`\\?;$ .,%[]()-/*öя😀A"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  const name = fc.array(character, { minLength: 1, maxLength: 12 }).map((list) => list.join(""))
    // deno-lint-ignore no-control-regex -- control characters are refused
    .filter((name) => !/^pg_|[\u0000-\u001f]/.test(name) && name.isWellFormed());
  const list = fc.sample(fc.uniqueArray(name, { minLength: 24, maxLength: 24 }), 1)[0]!;
  const names = list.filter((name) => new TextEncoder().encode(name).length <= 63);
  await schemas(datasource, ...names);
  const steps =
    "-- irori: no-transaction\nCREATE TABLE orders (id INT);\nINSERT INTO orders VALUES (1);";
  await using shop = await project({ url: urlOf(datasource), each: BY_QUERY }, {
    ...FILES,
    "3.sql": steps,
  });
  const reports = await shop.migrate();
  assertEquals(reports.map(({ error }) => error?.message).filter(Boolean), []);
  const tables = await postgresql.query(
    datasource,
    "SELECT n.nspname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace " +
      "WHERE c.relname = 'orders' AND n.nspname IN (SELECT name FROM tenants)",
  );
  assertEquals(tables.map(({ name }) => name).sort(), [...names].sort());
  assertEquals(
    new Set(outcomesOf(await shop.migrate())),
    new Set(names.map((n) => `${n} unchanged`)),
  );
});

pgTest(
  "get sessions as new: what a file sets or leaves reaches no other one",
  async (datasource) => {
    await schemas(datasource, "a", "b", "c", "d");
    await using shop = await project(
      { url: urlOf(datasource), each: { ...BY_QUERY, parallel: 2 } },
      {
        "1.sql": "-- irori: no-transaction\nCREATE TEMP TABLE left_behind (id INT);\n" +
          "SET search_path = public;\nSET ROLE pg_monitor;",
        "2.sql": "CREATE TABLE users (id INT);",
        // A connection that kept it would hold up the other one.
        "3.sql":
          "SET lock_timeout = '1s'; SELECT pg_advisory_lock(4711); CREATE TEMP TABLE t (id INT);",
      },
    );
    const done = ["a", "b", "c", "d"].map((name) => `${name} migrated`);
    assertEquals(outcomesOf(await shop.migrate()), done);
    const [found] = await postgresql.query(
      datasource,
      "SELECT count(*)::int AS n FROM pg_tables WHERE tablename = 'users' AND schemaname <> 'public'",
    );
    assertEquals(found, { n: 4 });
  },
);

pgTest("each have a lock: that of one does not hold up another", async (datasource) => {
  await schemas(datasource, "a", "b");
  const client = await postgresql.connect(datasource);
  client.on("error", () => {}); // The database is dropped if the test fails.
  await client.query("SELECT pg_advisory_lock(hashtextextended('irori:a', 0))");
  await using shop = await project({ url: urlOf(datasource), each: BY_QUERY }, FILES);
  const reports = await shop.migrate({ lockTimeoutMs: 200 });
  assertEquals(outcomesOf(reports), ["a failed", "b migrated"]);
  assert(reports[0]!.error instanceof LockedError);
  await client.end();
  assertEquals(outcomesOf(await shop.migrate()), ["a migrated", "b unchanged"]);
});

pgTest("are fewer at a time where few connections are free", async (datasource) => {
  await schemas(datasource, "a", "b", "c", "d");
  const role = `irori_${datasource.database.slice(-8)}`;
  await postgresql.query(
    datasource,
    `CREATE ROLE ${role} LOGIN PASSWORD 'secret' CONNECTION LIMIT 7; GRANT ALL ON tenants TO ${role}; ` +
      `GRANT ALL ON SCHEMA a, b, c, d TO ${role}`,
  );
  const asRole = { ...datasource, username: role };
  await using shop = await project({ url: urlOf(asRole), each: BY_QUERY }, FILES);
  try {
    assertEquals(
      outcomesOf(await shop.migrate()),
      ["a", "b", "c", "d"].map((name) => `${name} migrated`),
    );
    assertEquals(noticesOf(shop.events), [
      "A tenant needs up to 3 connections, of which 6 are free: migrates 2 at a time instead of 4",
    ]);
    await postgresql.query(datasource, `ALTER ROLE ${role} CONNECTION LIMIT 3`);
    const error = await shop.migrate().catch((error) => error);
    assert(error instanceof ConnectionError);
    assertMatch(error.message, /needs up to 3 connections, of which 2 are free/);
  } finally {
    await postgresql.query(datasource, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  }
});

pgTest("that are left when a run is killed are done by the next one", async (datasource) => {
  const names = Array.from({ length: 12 }, (_, i) => `t${i}`);
  await schemas(datasource, ...names);
  await using shop = await project({ url: urlOf(datasource), each: { ...BY_QUERY, parallel: 2 } }, {
    "1.sql": "CREATE TABLE calls (file INT);",
    "2.sql": "INSERT INTO calls VALUES (2); SELECT pg_sleep(0.05);",
    "3.sql": "INSERT INTO calls VALUES (3);",
  });
  const child = shop.spawn("migrate");
  const applied = "SELECT count(*)::int AS n FROM pg_class WHERE relname = 'framework_migrations'";
  const done = () => postgresql.query(datasource, applied).then(([row]) => Number(row?.n) >= 4);
  await until(done);
  child.kill("SIGKILL");
  await child.output();
  const reports = await shop.migrate();
  const outcomes = [...new Set(reports.map(({ outcome }) => outcome))].sort();
  assertEquals(outcomes, ["migrated", "unchanged"]);
  for (const name of names) {
    const rows = await postgresql.query(datasource, `SELECT file FROM ${name}.calls ORDER BY file`);
    assertEquals(rows, [{ file: 2 }, { file: 3 }], name);
  }
});

pgTest("that are not begun when a run is stopped are not run", async (datasource) => {
  await schemas(datasource, "a", "b", "c");
  await using shop = await project(
    { url: urlOf(datasource), each: { ...BY_QUERY, parallel: 1 } },
    FILES,
  );
  const stop = new AbortController();
  const reports = await shop.migrate({
    signal: stop.signal,
    onEvent: (event) => event.type === "part" && stop.abort(),
  });
  assertEquals(outcomesOf(reports), ["a migrated", "b not run", "c not run"]);
  assertEquals(reports.map(({ stopped }) => stopped), [false, true, true]);
});

pgTest("are shown in one table, and selected by --only", async (datasource) => {
  await schemas(datasource, "a", "b", "c d");
  await using shop = await project({ url: urlOf(datasource), each: BY_QUERY }, FILES);
  const first = await shop.command("migrate", "--only", "b, c d");
  assertEquals([first.code, first.stderr], [0, ""]);
  assertStringIncludes(first.stdout, "shop: up to date, 2 tenants: 2 migrated\n");
  await postgresql.query(
    datasource,
    "DELETE FROM \"c d\".framework_migrations WHERE migration_path = '2.sql'",
  );
  const status = await shop.command("status", "--check");
  assertEquals(status.code, 4);
  assertEquals(status.stdout.split("\n"), [
    "shop: 3 tenants",
    "  tenant  applied  pending   failed  state",
    "  a             0        3        0  pending",
    "  b             3        0        0  up to date",
    "  c d           2        1        0  pending",
    "",
  ]);
  const json = JSON.parse((await shop.command("status", "--json", "--only", "a")).stdout);
  assertEquals(json.connections[0].connection, "shop[a]");
  assertEquals(json.connections[0].part, "a");
  const plan = await shop.command("plan");
  assertStringIncludes(plan.stdout, "shop[a]: 3 to apply\n  1.sql");
  const none = await shop.command("migrate", "--only", "");
  assertEquals([none.code, /Expected names of tenants/.test(none.stderr)], [2, true]);
  const unknown = await shop.command("migrate", "--only", "bb");
  assertEquals(unknown.code, 2);
  assertStringIncludes(unknown.stderr, "There is no tenant 'bb' of 'shop': did you mean 'b'?");
  const drift = await shop.command("drift");
  assertEquals(drift.code, 2);
  assertStringIncludes(drift.stderr, "'shop' has 'migrations.each'");
  assertEquals((await shop.command("validate")).stdout, "shop: 3 files, valid\n");
  await shop.write({ "1.sql": "SELECT 1;" });
  assertMatch((await shop.command("status")).stdout, / b +2 +1 +0 +changed\n/);
});

pgTest("are settled one by one", async (datasource) => {
  await schemas(datasource, "a", "b");
  await using shop = await project({ url: urlOf(datasource), each: BY_QUERY }, {
    "1.sql": "CREATE TABLE users (id INT);",
    "2.sql":
      "-- irori: no-transaction\nCREATE TABLE orders (id INT);\nSELECT 1 / count(*) FROM users;",
  });
  await postgresql.query(
    datasource,
    "CREATE TABLE b.users (id INT); INSERT INTO b.users VALUES (1)",
  );
  const recorded = await baselineMigrations(
    "sql",
    { until: "1.sql" },
    await shop.options({ only: ["b"] }),
  );
  assertEquals(recorded, [{ connection: "shop[b]", part: "b", found: ["1.sql"] }]);
  assertEquals(outcomesOf(await shop.migrate()), ["a failed", "b migrated"]);
  const [a] = await shop.migrate();
  assert(a?.error instanceof InterruptedError);
  const settled = await resolveMigration(
    "sql",
    "2.sql",
    "applied",
    await shop.options({ only: ["a"] }),
  );
  assertEquals(settled.map(({ connection }) => connection), ["shop[a]"]);
  const found = await migrationStatus("sql", await shop.options());
  assertEquals(
    found.map(({ part, found }) => [part, (found as { files: unknown[] }).files.length]),
    [
      ["a", 2],
      ["b", 2],
    ],
  );
});

pgTest("are created from a program", async (datasource) => {
  await schemas(datasource, "a");
  await using shop = await project({ url: urlOf(datasource), each: BY_QUERY }, FILES);
  const { config, sqlPath } = await shop.options();
  const results = await migrateTenant("new", { create: true, sqlPath })(config);
  assertEquals(results.map(({ connection, outcome }) => `${connection} ${outcome}`), [
    ...Array(3).fill("shop[new] applied"),
  ]);
  assertEquals(await migrateTenant("new", { create: true, sqlPath })(config), []);
  const unknown = await migrateTenant("news", { sqlPath })(config).catch((error) => error);
  assert(unknown instanceof ConfigError);
  assertEquals(outcomesOf(await shop.migrate()), ["a migrated"]);
});

pgTest("with URLs keep their passwords to themselves", async (datasource) => {
  const other = await postgresql.create();
  const secret = "Sup3r?Secret";
  const bad = `postgres://postgres:${
    encodeURIComponent(secret)
  }@127.0.0.1:${datasource.port}/nothing`;
  const urls = { good: urlOf(other), bad };
  await using shop = await project({ url: urlOf(datasource), each: { urls } }, FILES);
  const { code, stdout, stderr } = await shop.command("migrate", "--json");
  assertEquals(code, 7);
  assertStringIncludes(stderr, "1 migrated, 1 failed: bad");
  for (const form of [secret, encodeURIComponent(secret)]) {
    assert(!`${stdout}${stderr}`.includes(form), stderr);
  }
  assertEquals((await postgresql.query(other, "SELECT * FROM users")).length, 1);
});

pgTest(
  "are named by the query for URLs, and gone when their row is deleted",
  async (datasource) => {
    const [one, two] = [await postgresql.create(), await postgresql.create()];
    await postgresql.query(
      datasource,
      "CREATE TABLE tenants (name TEXT, url TEXT); CREATE SEQUENCE reads; INSERT INTO tenants VALUES " +
        `('one', '${urlOf(one)}'), ('two', '${urlOf(two)}')`,
    );
    const table = "SELECT name, url FROM tenants ORDER BY name";
    await using shop = await project({ url: urlOf(datasource), each: { urls: table } }, FILES);
    await postgresql.query(datasource, `DROP DATABASE ${two.database}`);
    assertEquals(outcomesOf(await shop.migrate()), ["one migrated", "two failed"]);
    // The second read has one row.
    const once = `SELECT name, url FROM tenants WHERE name = 'one' OR nextval('reads') = 1`;
    await using removing = await project({ url: urlOf(datasource), each: { urls: once } }, FILES);
    assertEquals(outcomesOf(await removing.migrate()), ["one unchanged", "two gone"]);
    await postgresql.query(datasource, `CREATE DATABASE ${two.database}`);
  },
);

const { mysqlMissing } = mysql;
databaseTest("MySQL: tenants + have databases", mysql, mysqlMissing, async (datasource) => {
  const names = ["a`b", "c d", "e'f"].map((name) => `${datasource.database}${name}`);
  const quoted = (name: string) => `\`${name.replaceAll("`", "``")}\``;
  await mysql.query(datasource, "CREATE TABLE tenants (name VARCHAR(64))");
  for (const name of names) {
    await mysql.query(datasource, `CREATE DATABASE ${quoted(name)}`);
    await mysql.query(datasource, `INSERT INTO tenants VALUES ('${name.replaceAll("'", "''")}')`);
  }
  const each = {
    schemas: "SELECT name FROM tenants ORDER BY name",
    parallel: 2,
    shared: "shared/",
  };
  await using shop = await project({ url: urlOf(datasource), each }, FILES);
  try {
    const reports = await shop.migrate();
    assertEquals(reports.map(({ error }) => error?.message), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assertEquals(outcomesOf(reports), ["shop done", ...names.map((name) => `${name} migrated`)]);
    assertEquals(
      outcomesOf(await shop.migrate()),
      ["shop done", ...names.map((name) => `${name} unchanged`)],
    );
    for (const name of names) {
      assertEquals(await mysql.query(datasource, `SELECT * FROM ${quoted(name)}.users`), [{
        id: 1,
      }]);
    }
    const user = `irori_${crypto.randomUUID().slice(0, 8)}`;
    const limited = urlOf({ ...datasource, username: user });
    const password = datasource.password?.reveal() ?? "";
    await mysql.query(
      datasource,
      `CREATE USER ${user}@'%' IDENTIFIED BY '${password}' WITH MAX_USER_CONNECTIONS 3`,
    );
    try {
      await mysql.query(datasource, `GRANT ALL ON *.* TO ${user}@'%'`);
      await using few = await project({ url: limited, each }, FILES);
      await few.migrate();
      assertMatch(noticesOf(few.events).join(), /of which 2 are free: migrates 1 at a time/);
    } finally {
      await mysql.query(datasource, `DROP USER ${user}@'%'`);
    }
    const { config, sqlPath } = await shop.options();
    names.push(`${datasource.database}new`);
    const created = await migrateTenant(names[3]!, { create: true, sqlPath })(config);
    assertEquals(created.filter(({ outcome }) => outcome === "applied").length, 2);
  } finally {
    for (const name of names) {
      await mysql.query(datasource, `DROP DATABASE IF EXISTS ${quoted(name)}`);
    }
  }
});

const MISTAKES: readonly (readonly [each: string, message: string])[] = [
  [
    "{ schemas: [a], atOnce: 3 }",
    "There is no setting 'atOnce': expected one of 'schemas', 'urls'",
  ],
  ["{}", "Expected 'schemas' or 'urls', found neither"],
  ["{ schemas: [a], urls: [b] }", "Expected 'schemas' or 'urls', found both"],
  ["{ schemas: acme }", "Expected a list, or a query that begins with SELECT"],
  ["{ schemas: [a], parallel: 0 }", "Expected a whole number from 1, found '0'"],
  ["{ urls: ['postgres://u:hunter22@db'] }", "Cannot read the URL: it names no database"],
  ["{ urls: ['postgres://a/x', 'postgres://b/x'] }", "Two URLs have the name 'x'"],
  ["{ schemas: [''] }", "Expected a name of up to 63 bytes without control characters, found ''"],
  ["{ schemas: [pg_catalog] }", "Expected a schema for a tenant, found 'pg_catalog'"],
  [
    "{ schemas: [information_schema] }",
    "found 'information_schema', which the server needs itself",
  ],
];

for (const [each, message] of MISTAKES) {
  Deno.test(`tenants + the setting ${each} is refused at its place`, async () => {
    const root = await Deno.makeTempDir();
    const lines = [
      "datasource:",
      "  - name: shop",
      "    url: postgres://127.0.0.1:1/shop",
      "    migrations:",
      "      enabled: true",
      "      lint: off",
      `      each: ${each}`,
    ];
    const file = join(root, "application.yml");
    await Deno.writeTextFile(file, `${lines.join("\n")}\n`);
    await Deno.mkdir(join(root, "migrations", "shop"), { recursive: true });
    const error = await loadConfig({ directory: root })
      .then((config) => migrateSql({ sqlPath: join(root, "migrations") })(config))
      .then(() => undefined, (error) => error.cause ?? error);
    assert(error instanceof ConfigError, error?.message);
    assertStringIncludes(error.message, `application.yml:7: 'datasource[0].migrations.each`);
    assertStringIncludes(error.message, message);
    assert(!error.message.includes("hunter22"));
    await Deno.remove(root, { recursive: true });
  });
}

Deno.test("tenants + get no credentials of the datasource on another server", () => {
  const [datasource] = readDatasources(
    createConfig({
      datasource: {
        name: "shop",
        url: "postgres://db/shop",
        username: "me",
        password: "secret",
        ssl: true,
        statement_timeout: 3,
        migrations: { each: { urls: ["postgres://db:5432/a"] } },
      },
    }),
    {},
    FEATURES,
  );
  const at = (url: string) => {
    const { username, password, tls, statementTimeoutMs } = EACH.of(datasource!)!.at(url);
    return [username, password?.reveal(), tls?.verify, statementTimeoutMs];
  };
  assertEquals(at("postgres://db:5432/a"), ["me", "secret", "full", 3000]);
  assertEquals(at("postgres://you:own@db/a"), ["you", "own", "full", 3000]);
  assertEquals(at("postgres://other/a"), [undefined, undefined, "full", 3000]);
  assertEquals(at("postgres://db:5433/a"), [undefined, undefined, "full", 3000]);
});

Deno.test("SQLite: tenants + have files, which a program creates", async () => {
  const urls = ["sqlite:data/acme.db", "sqlite:data/globex.db"];
  await using shop = await project({ url: "sqlite:data/acme.db", each: { urls } }, {
    "1.sql": "CREATE TABLE users (id INT);",
  });
  await Deno.mkdir(join(shop.root, "data"));
  const [missing] = await shop.migrate();
  assertMatch(missing!.error!.message, /^There is no file '.*acme\.db': create it, or call/);
  const { config, sqlPath } = await shop.options();
  for (const name of ["acme", "globex"]) {
    const results = await migrateTenant(name, { create: true, sqlPath })(config);
    assertEquals(results.map(({ connection }) => connection), [`shop[${name}]`]);
  }
  assertEquals(outcomesOf(await shop.migrate()), ["acme unchanged", "globex unchanged"]);
});

Deno.test("tenants + do not choose the connection of a command that takes one", async () => {
  await using shop = await project({ url: "sqlite:a.db", each: { urls: ["sqlite:a.db"] } }, {});
  const file = join(shop.root, "config", "application.yml");
  const { datasource } = JSON.parse(await Deno.readTextFile(file));
  const plain = { name: "aux", url: "sqlite:b.db", migrations: { enabled: true } };
  await Deno.writeTextFile(file, JSON.stringify({ datasource: [...datasource, plain] }));
  const both = await shop.command("new", "a", "--only", "a");
  assertEquals(both.code, 2);
  assertStringIncludes(both.stderr, "Expected '--connection' to select one connection: 'shop'");
  const one = await shop.command("new", "a", "--connection", "aux", "--only", "a");
  assertEquals([one.code, one.stderr], [0, ""]);
});
