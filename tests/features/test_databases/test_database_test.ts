import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import {
  ConfigError,
  databaseForTest,
  migrateSql,
  MigrationRunError,
  type TestDatabase,
} from "../../../src/migrations/mod.ts";
import { createConfig } from "../../../src/config/mod.ts";
import { DatabaseError } from "../../../src/migrations/sql/mod.ts";
import { mysqlMissing } from "../../migrations/sql/mysql_support.ts";
import { postgresqlMissing } from "../../migrations/sql/postgresql_support.ts";

const FILES = {
  "1_kinds.sql":
    "CREATE TABLE kinds (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL);\nINSERT INTO kinds VALUES (1, 'book'), (2, 'film');\n",
  "2_items.sql":
    "CREATE TABLE items (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL REFERENCES kinds (id));\n",
};

async function application(files: Readonly<Record<string, string>> = FILES): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "irori-test-" });
  await Deno.mkdir(join(root, "config"));
  await Deno.mkdir(join(root, "migrations", "shop"), { recursive: true });
  await Deno.writeTextFile(
    join(root, "config", "application.yml"),
    "datasource:\n  - name: logs\n    url: ${NOWHERE}\n  - name: shop\n    url: ${NOWHERE}\n" +
      "    migrations:\n      enabled: true\n      schema_file: schema.sql\n",
  );
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(root, "migrations", "shop", name), text);
  }
  return root;
}

const SERVERS = [
  { variable: "TEST_PG_URL", missing: postgresqlMissing, query: queryPostgresql },
  { variable: "TEST_MYSQL_URL", missing: mysqlMissing, query: queryMysql },
];

async function queryPostgresql(url: string, sql: string): Promise<readonly unknown[]> {
  const { default: pg } = await import("npm:pg@^8.23.0");
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

async function queryMysql(url: string, sql: string): Promise<readonly unknown[]> {
  const { createConnection } = await import("npm:mysql2@^3.24.0/promise");
  const connection = await createConnection(url);
  const [rows] = await connection.query(sql);
  await connection.end();
  return rows as readonly unknown[];
}

for (const { variable, missing, query } of SERVERS) {
  const define = (name: string, fn: (url: string, root: string) => Promise<void>) =>
    Deno.test({
      name: `databaseForTest() ${name} (${variable})`,
      ignore: missing !== undefined,
      fn: async () => {
        const root = await application();
        try {
          await fn(Deno.env.get(variable)!, root);
        } finally {
          await Deno.remove(root, { recursive: true });
        }
      },
    });
  const names = async ({ url }: TestDatabase) =>
    (await query(url!, "SELECT name FROM kinds ORDER BY id")).map((row) => Object(row).name);

  define("gives each test the rows of the migrations alone", async (url, root) => {
    {
      await using one = await databaseForTest({ url, root });
      await query(one.url!, "INSERT INTO items VALUES (1, 1)");
      await query(one.url!, "INSERT INTO kinds VALUES (3, 'song')");
      assertEquals(await names(one), ["book", "film", "song"]);
    }
    await using next = await databaseForTest({ url, root });
    assertEquals(await names(next), ["book", "film"]);
    assertEquals(await query(next.url!, "SELECT * FROM items"), []);
  });

  define("gives tests that run at once databases of their own", async (url, root) => {
    const all = await Promise.all([1, 2, 3].map(() => databaseForTest({ url, root })));
    assertEquals(new Set(all.map((one) => one.url)).size, 3);
    await query(all[0]!.url!, "DELETE FROM kinds");
    assertEquals(await names(all[1]!), ["book", "film"]);
    await Promise.all(all.map((one) => one.close()));
  });

  define("notices a changed file", async (url, root) => {
    const before = await databaseForTest({ url, root });
    await before.close();
    await Deno.writeTextFile(
      join(root, "migrations", "shop", "3.sql"),
      "INSERT INTO kinds VALUES (3, 'song');\n",
    );
    await using after = await databaseForTest({ url, root });
    assertNotEquals(after.url, before.url);
    assertEquals(await names(after), ["book", "film", "song"]);
  });

  define("replaces a database whose tables a test has changed", async (url, root) => {
    for (
      const change of [
        "DROP TABLE items",
        "ALTER TABLE items ADD COLUMN note INTEGER",
        "CREATE UNIQUE INDEX one_each ON items (id, kind)",
      ]
    ) {
      {
        await using one = await databaseForTest({ url, root });
        await query(one.url!, change);
      }
      await using next = await databaseForTest({ url, root });
      assertEquals(await query(next.url!, "SELECT * FROM items"), []);
      // Fails where the change is still there.
      await query(next.url!, change);
    }
  });

  define("leaves no half-migrated database behind", async (url, root) => {
    const broken = join(root, "migrations", "shop", "3.sql");
    await Deno.writeTextFile(broken, "SELECT nothing FROM nowhere;\n");
    await assertRejects(() => databaseForTest({ url, root }), MigrationRunError, "nowhere");
    await assertRejects(() => databaseForTest({ url, root }), MigrationRunError, "nowhere");
    await Deno.remove(broken);
    await using fixed = await databaseForTest({ url, root });
    assertEquals(await names(fixed), ["book", "film"]);
  });
}

Deno.test({
  name: "databaseForTest() has a template for each schema (TEST_PG_URL)",
  ignore: postgresqlMissing !== undefined,
  fn: async () => {
    const root = await application();
    const url = Deno.env.get("TEST_PG_URL")!;
    await using one = await databaseForTest({ url, root });
    await using other = await databaseForTest({ url: `${url}?currentSchema=public`, root });
    const [template, another] = [one, other].map(({ url }) => {
      return new URL(url!).pathname.replace(/_[^_]*$/, "");
    });
    assertNotEquals(template, another);
    await Deno.remove(root, { recursive: true });
  },
});

Deno.test({
  name: "databaseForTest() makes schemas for a user who may create no databases (TEST_PG_URL)",
  ignore: postgresqlMissing !== undefined,
  fn: async () => {
    const root = await application();
    const server = Deno.env.get("TEST_PG_URL")!;
    const user = `tester_${crypto.randomUUID().slice(0, 8)}`;
    const url = Object.assign(new URL(server), { username: user, password: "secret" }).href;
    const { name } = Object(
      (await queryPostgresql(server, "SELECT current_database() AS name"))[0],
    );
    await queryPostgresql(server, `CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
    try {
      await assertRejects(
        () => databaseForTest({ url, root }),
        DatabaseError,
        `The user '${user}' may create neither databases nor schemas: expected one with CREATEDB, or with CREATE on the ` +
          `database '${name}'`,
      );
      await queryPostgresql(server, `GRANT CREATE ON DATABASE ${name} TO ${user}`);
      {
        await using one = await databaseForTest({ url, root });
        await using other = await databaseForTest({ url, root });
        await queryPostgresql(one.url!, "DELETE FROM kinds");
        assertEquals((await queryPostgresql(other.url!, "SELECT * FROM kinds")).length, 2);
        const config = createConfig({
          datasource: [{ name: "shop", url: other.url!, migrations: { enabled: true } }],
        });
        const results = await migrateSql({ sqlPath: join(root, "migrations") })(config);
        assertEquals(results.map(({ outcome }) => outcome), ["skipped", "skipped"]);
      }
      await Deno.writeTextFile(join(root, "migrations", "shop", "3.sql"), "SELECT nothing;\n");
      await assertRejects(() => databaseForTest({ url, root }), MigrationRunError, "nothing");
      const left = `SELECT FROM pg_namespace WHERE nspowner = '${user}'::regrole`;
      assertEquals(await queryPostgresql(server, left), []);
    } finally {
      await queryPostgresql(server, `DROP OWNED BY ${user} CASCADE; DROP ROLE ${user}`);
      await Deno.remove(root, { recursive: true });
    }
  },
});

Deno.test({
  name: "databaseForTest() migrates an unchanged database once (TEST_MYSQL_URL)",
  ignore: mysqlMissing !== undefined,
  fn: async () => {
    const root = await application();
    const options = { url: Deno.env.get("TEST_MYSQL_URL")!, root };
    {
      await using one = await databaseForTest(options);
      const copy = `${new URL(one.url!).pathname.slice(1)}_copy`;
      await queryMysql(one.url!, `INSERT INTO ${copy}.kinds VALUES (3, 'song')`);
    }
    await using next = await databaseForTest(options);
    assertEquals((await queryMysql(next.url!, "SELECT * FROM kinds")).length, 3);
    await queryMysql(next.url!, "DROP TABLE items");
    await Deno.remove(root, { recursive: true });
  },
});

Deno.test({
  name: "databaseForTest() restores ids of 0, sequences and versions of rows (TEST_MYSQL_URL)",
  ignore: mysqlMissing !== undefined,
  fn: async () => {
    const root = await application({
      "1.sql": "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';\n" +
        "CREATE TABLE ids (id INTEGER PRIMARY KEY AUTO_INCREMENT);\nINSERT INTO ids VALUES (0), (5);\n",
    });
    const url = Deno.env.get("TEST_MYSQL_URL")!;
    const idsOf = async (sql: string) => {
      await using database = await databaseForTest({ url, root });
      const rows = await queryMysql(database.url!, sql);
      await queryMysql(database.url!, "DELETE FROM ids WHERE id = 5");
      return rows.map((row) => Object.values(Object(row))[0]);
    };
    try {
      for (const _ of [1, 2]) assertEquals(await idsOf("SELECT id FROM ids ORDER BY id"), [0, 5]);
      await Deno.writeTextFile(
        join(root, "migrations", "shop", "2.sql"),
        "ALTER TABLE ids ADD SYSTEM VERSIONING;\nCREATE SEQUENCE numbers;\n",
      );
      for (const _ of [1, 2]) assertEquals(await idsOf("SELECT NEXTVAL(numbers) FROM ids"), [1, 2]);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
});

Deno.test("databaseForTest() migrates a database in memory", async () => {
  const root = await application();
  using handle = new DatabaseSync(":memory:");
  await using database = await databaseForTest({ using: handle, root, connection: "shop" });
  assertEquals(database.url, undefined);
  assertEquals(handle.prepare("SELECT count(*) AS n FROM kinds").get()!.n, 2);
  using other = new DatabaseSync(":memory:");
  await Deno.mkdir(join(root, "migrations", "logs"));
  await databaseForTest({ using: other, root, connection: "logs" });
  await Deno.remove(root, { recursive: true });
});

Deno.test("databaseForTest() names what is wrong", async () => {
  const root = await application();
  await assertRejects(() => databaseForTest({ root }), TypeError, "either 'url' or 'using'");
  await assertRejects(
    () => databaseForTest({ url: "postgres://127.0.0.1:1/none", root, connection: "main" }),
    ConfigError,
    "no datasource named 'main' (found 'logs', 'shop')",
  );
  for (const url of ["sqlite:./test.db", "pglite:./test"]) {
    await assertRejects(() => databaseForTest({ url, root }), TypeError, "pass 'using'");
  }
  await Deno.remove(root, { recursive: true });
});
