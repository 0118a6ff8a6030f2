/**
 * Schemas of servers: arguments of programs, objects that are left out of files, and databases in which files are tried.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { FEATURES } from "../all.ts";
import { type Workspace, workspace } from "../../e2e/command_line.ts";
import * as mariadb from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";

function urlOf(variable: string, database: string): string {
  const url = new URL(Deno.env.get(variable)!);
  url.pathname = `/${database}`;
  return url.href;
}

/** Test of PostgreSQL with a database of the configuration and one that is empty. */
function test(
  name: string,
  body: (
    space: Workspace,
    live: string,
    empty: string,
    /** Works on the empty one. */
    ask: (sql: string) => Promise<unknown>,
  ) => Promise<void>,
) {
  Deno.test({
    name: `PostgreSQL: ${name}`,
    ignore: postgresql.postgresqlMissing !== undefined,
    async fn() {
      await using space = await workspace();
      const [one, other] = [await postgresql.create(), await postgresql.create()];
      try {
        const urls = [one, other].map(({ database }) => urlOf("TEST_PG_URL", database));
        await body(space, urls[0]!, urls[1]!, (sql) => postgresql.query(other, sql));
      } finally {
        await postgresql.cleanUp();
      }
    },
  });
}

function configOf(url: string, placeholders: Record<string, string> = {}): string {
  const migrations = { enabled: true, schema_file: "db/schema.sql", placeholders };
  return JSON.stringify({ datasource: [{ name: "main", url, migrations }] });
}

const FOREIGN = {
  "1.sql": "CREATE TABLE a (id INT, t TEXT DEFAULT '${api_password}');\n" +
    "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT 'x ${api_password}' $$;",
  "2.sql":
    "CREATE EXTENSION postgres_fdw; CREATE SERVER fs FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'x');\n" +
    "CREATE USER MAPPING FOR PUBLIC SERVER fs OPTIONS (user 'bob', password '${api_password}');",
};

test(
  "no secret goes into the file, what is printed, or what differs",
  async (space, live, empty, ask) => {
    const secret = "hunter2hunter2";
    await space.write("config/application.yml", configOf(live, { api_password: secret }));
    for (const [path, text] of Object.entries(FOREIGN)) {
      await space.write(`migrations/main/${path}`, text);
    }
    assertEquals((await space.run()).code, 0);
    const schema = await Deno.readTextFile(`${space.path}/db/schema.sql`);
    assertStringIncludes(schema, "DEFAULT '${api_password}'::text");
    assertStringIncludes(schema, "CREATE SERVER fs ");
    assert(!/hunter2|bob|USER MAPPING/.test(schema), schema);
    assertEquals((await space.run("schema")).stdout, schema);
    // With another secret it is the same schema.
    await space.write("config/application.yml", configOf(live, { api_password: "another one" }));
    const same = await space.run("schema", "--check", "--url", empty);
    assertEquals([same.code, same.stderr], [0, ""], same.stdout);
    // A file of another time may still have it.
    await space.write("config/application.yml", configOf(live, { api_password: secret }));
    await space.write("db/schema.sql", `${schema}SELECT '${secret}';\n`);
    await ask(
      "DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP EXTENSION IF EXISTS postgres_fdw CASCADE",
    );
    const differing = await space.run("schema", "--check", "--url", empty);
    assertEquals(differing.code, 5, differing.stderr);
    assertStringIncludes(differing.stdout, "-SELECT '${api_password}';");
    assert(!differing.stdout.includes(secret));
  },
);

test("a database with extensions alone counts as empty", async (space, live, empty, ask) => {
  await space.write("config/application.yml", configOf(live));
  await space.write("migrations/main/1.sql", "CREATE TABLE a (id INT);");
  assertEquals((await space.run()).code, 0);
  await ask(
    "CREATE SCHEMA other; CREATE EXTENSION citext SCHEMA other; CREATE EXTENSION pg_trgm SCHEMA other; " +
      "CREATE EXTENSION pg_stat_statements SCHEMA other; CREATE EXTENSION hstore SCHEMA other",
  );
  for (
    const made of ["TYPE t AS ENUM ('a')", "DOMAIN t AS int", "TYPE t AS (a int)", "SEQUENCE t"]
  ) {
    await ask(`CREATE ${made}`);
    const refused = await space.run("schema", "--check", "--url", empty);
    assertEquals([made, refused.code], [made, 2]);
    assertStringIncludes(refused.stderr, "is not empty");
    await ask(`DROP ${made.split(" ")[0]} t`);
  }
  const taken = await space.run("schema", "--check", "--url", empty);
  // It was tried out there: what differs are the extensions.
  assertEquals(taken.code, 5, taken.stderr);
  assertStringIncludes(taken.stdout, "+CREATE EXTENSION IF NOT EXISTS citext");
});

const TOLD = '#!/bin/sh\nenv | grep "^PG" | sort\necho "told: $@"\n';

test("pg_dump goes by the datasource, not by variables of others", async (space, live) => {
  await space.write("config/application.yml", configOf(live));
  await space.write("migrations/main/1.sql", "CREATE TABLE a (id INT);");
  await space.write("bin/pg_dump", TOLD);
  await Deno.chmod(`${space.path}/bin/pg_dump`, 0o755);
  const env = {
    ...{ PGSERVICE: "other", PGHOSTADDR: "127.0.0.2", PGOPTIONS: "-c a=b" },
    PATH: `${space.path}/bin:${Deno.env.get("PATH")}`,
  };
  const { stdout, stderr } = await space.runWith(env, "schema");
  const { hostname, port, pathname } = new URL(live);
  for (const part of [`PGHOST=${hostname}`, `PGPORT=${port}`, `PGDATABASE=${pathname.slice(1)}`]) {
    assertStringIncludes(stdout, part, stderr);
  }
  assert(!/PGSERVICE|PGHOSTADDR|PGOPTIONS|SSLROOTCERT/.test(stdout), stdout);
  assertMatch(stdout, /--lock-wait-timeout=5000/);
  await space.write("config/application.yml", configOf(`${live}?sslmode=verify-full`));
  const verified = (await space.runWith(env, "schema")).stdout;
  assertMatch(verified, /PGSSLMODE=verify-full\nPGSSLROOTCERT=system/);
});

test(
  "--url gets no credentials of another server, and --check names file and place",
  async (space, live, empty) => {
    await space.write("config/application.yml", configOf(live));
    await space.write("migrations/main/1.sql", "CREATE TABLE a (id INT);");
    assertEquals((await space.run()).code, 0);
    const { host, hostname, port, pathname } = new URL(empty);
    const elsewhere = `postgres://${hostname === "localhost" ? "127.0.0.1" : "localhost"}:${port}`;
    const refused = await space.run("schema", "--check", "--url", `${elsewhere}${pathname}`);
    assertEquals(refused.code, 7, refused.stdout);
    await space.write("migrations/main/2.sql", "CREATE TABLE b (id INT);\nSELECT nope;\n");
    const failed = await space.run("schema", "--check", "--url", `postgres://${host}${pathname}`);
    assertEquals(failed.code, 8);
    assertMatch(failed.stderr, /error: main\/2\.sql:2:8: The database refused statement 2 of 2: /);
    assertMatch(failed.stderr, /\| SELECT nope;\n.*\^/);
  },
);

test("the wait for a locked table ends", async (space, live) => {
  const config = JSON.parse(configOf(live));
  config.datasource[0].migrations.lock_timeout = 0.3;
  await space.write("config/application.yml", JSON.stringify(config));
  await space.write("migrations/main/1.sql", "CREATE TABLE held (id INT);");
  assertEquals((await space.run()).code, 0);
  const schema = await Deno.readTextFile(`${space.path}/db/schema.sql`);
  await space.write("migrations/main/2.sql", "CREATE TABLE b (id INT);");
  const database = new URL(live).pathname.slice(1);
  const client = await postgresql.connect({ ...(await postgresql.create()), database });
  try {
    await client.query("BEGIN; LOCK TABLE held");
    const { code, stdout, stderr } = await space.run();
    assertEquals(code, 0);
    assertMatch(`${stdout}${stderr}`, /notice: .* was not written to .*canceling statement due to/);
    assertEquals(await Deno.readTextFile(`${space.path}/db/schema.sql`), schema);
  } finally {
    await client.end();
  }
});

Deno.test("PGlite: policies may name roles that the files make", async () => {
  await using space = await workspace();
  await space.write("config/application.yml", configOf("pglite:./data"));
  await space.write(
    "migrations/main/1.sql",
    "CREATE ROLE app; CREATE TABLE t (x INT);\nCREATE POLICY p ON t TO app USING (true);",
  );
  assertEquals((await space.run()).code, 0);
  const file = `${space.path}/db/schema.sql`;
  const schema = await Deno.readTextFile(file);
  assertStringIncludes(schema, "CREATE POLICY p ON public.t TO app");
  // Line ends are those of the checkout.
  await Deno.writeTextFile(file, schema.replaceAll("\n", "\r\n"));
  const { code, stdout, stderr } = await space.run("schema", "--check");
  assertEquals([code, stderr], [0, ""], stdout);
});

Deno.test("a run that is stopped says that its schema is not written", async () => {
  const { createConfig } = await import("../../../src/config/mod.ts");
  const { migrateSql } = await import("../../../src/migrations/mod.ts");
  await using space = await workspace({ "migrations/main/1.sql": "CREATE TABLE a (id INT);" });
  const config = createConfig(JSON.parse(configOf("sqlite:./app.db")), { root: space.path });
  const stop = new AbortController();
  const notices: string[] = [];
  await migrateSql({
    signal: stop.signal,
    onEvent(event) {
      if (event.type === "finished") stop.abort();
      if (event.type === "notice") notices.push(event.message);
    },
  })(config);
  assertEquals(notices, [
    `The schema was not written to '${space.path}/db/schema.sql', which is as it was: the run was ` +
    "stopped; 'irori schema' prints what belongs there",
  ]);
});

Deno.test("schemas have files of their own, and --check has one to compare with", async () => {
  await using space = await workspace({ "migrations/main/1.sql": "CREATE TABLE a (id INT);" });
  const [main] = JSON.parse(configOf("sqlite:./app.db")).datasource;
  const other = { ...main, name: "other", url: "sqlite:./other.db" };
  await space.write("config/application.yml", JSON.stringify({ datasource: [main, other] }));
  const shared = await space.run("schema", "--check");
  assertEquals(shared.code, 2);
  assertStringIncludes(shared.stderr, "'main' and 'other' share one 'schema_file'");
  delete main.migrations.schema_file;
  await space.write("config/application.yml", JSON.stringify({ datasource: [main] }));
  const none = await space.run("schema", "--check");
  assertEquals(none.code, 2);
  assertStringIncludes(none.stderr, "'main' has no 'migrations.schema_file'");
});

Deno.test("a pool does not say how the program that reads the schema is to connect", async () => {
  const { createConfig } = await import("../../../src/config/mod.ts");
  const { readDatasources } = await import("../../../src/migrations/sql/mod.ts");
  const used = { main: { kind: "postgresql", database: "a", parameters: new Map() } } as const;
  const section = { name: "main", migrations: { enabled: true, schema_file: "a.sql" } };
  const read = (values: object) =>
    readDatasources(createConfig({ datasource: [{ ...section, ...values }] }), used, FEATURES);
  let message = "";
  try {
    read({});
  } catch (error) {
    message = `${error}`;
  }
  assertStringIncludes(message, "connects by 'url', and there is none");
  assertEquals(read({ url: "postgres://db/a" })[0]?.host, "db");
});

Deno.test({
  name: "MariaDB: a sequence that was used is the same schema",
  ignore: mariadb.mysqlMissing !== undefined,
  async fn() {
    await using space = await workspace();
    const { database } = await mariadb.create();
    try {
      await space.write("config/application.yml", configOf(urlOf("TEST_MYSQL_URL", database)));
      await space.write("migrations/main/1.sql", "CREATE SEQUENCE sq;");
      assertEquals((await space.run()).code, 0);
      const schema = await Deno.readTextFile(`${space.path}/db/schema.sql`);
      assertStringIncludes(schema, "CREATE SEQUENCE `sq`");
      assert(!schema.includes("SETVAL"), schema);
    } finally {
      await mariadb.cleanUp();
    }
  },
});
