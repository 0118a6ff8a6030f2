/** Types of rows: they are those of what drivers return and databases accept. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { createPool } from "npm:mysql2@^3.24.0/promise";
import { PGlite } from "npm:@electric-sql/pglite@0.5.8";
import pg from "pg";
import { assertCompiles } from "../../../compiler.ts";
import { type Workspace, workspace } from "../../../e2e/command_line.ts";
import * as mariadb from "../../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../../migrations/sql/postgresql_support.ts";
import { type Column, MARIADB, POSTGRESQL, POSTGRESQL_TYPES, SQLITE } from "./kinds.ts";

type Row = Readonly<Record<string, unknown>>;

interface Driver extends AsyncDisposable {
  exec(sql: string): Promise<unknown>;
  row(): Promise<Row>;
  insert(column: string, value: unknown): Promise<unknown>;
}

interface Subject {
  readonly name: string;
  readonly ignore?: boolean;
  readonly columns: Readonly<Record<string, Column>>;
  readonly before?: string;
  /** A new database, with its URL, and one that stays empty. */
  open(space: Workspace): Promise<{ url: string; empty?: string; driver: () => Driver }>;
}

const quoted = (name: string) => `"${name}"`;

function urlOf(variable: string, database: string): string {
  return Object.assign(new URL(Deno.env.get(variable)!), { pathname: `/${database}` }).href;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: "PostgreSQL by pg",
    ignore: postgresql.postgresqlMissing !== undefined,
    columns: POSTGRESQL,
    before: POSTGRESQL_TYPES,
    async open() {
      const [one, other] = [await postgresql.create(), await postgresql.create()];
      const url = urlOf("TEST_PG_URL", one.database);
      return {
        url,
        empty: urlOf("TEST_PG_URL", other.database),
        driver() {
          const pool = postgresql.poolOf(one);
          return {
            exec: (sql) => pool.query(sql),
            row: async () => (await pool.query("SELECT * FROM kinds")).rows[0],
            insert: (column, value) =>
              pool.query(`INSERT INTO kinds (${quoted(column)}) VALUES ($1)`, [value]),
            async [Symbol.asyncDispose]() {
              await pool.end();
              await postgresql.cleanUp();
            },
          };
        },
      };
    },
  },
  {
    name: "PGlite",
    columns: Object.fromEntries(
      // PGlite makes JSON of every value for such a column, and no numbers of texts.
      Object.entries(POSTGRESQL).map(([name, { sql, value }]) => [name, { sql, value }]),
    ),
    before: POSTGRESQL_TYPES,
    open: (space) =>
      Promise.resolve({
        url: "pglite:./data",
        driver() {
          const database = new PGlite(`${space.path}/data`);
          return {
            exec: (sql) => database.exec(sql),
            row: async () => (await database.query<Row>("SELECT * FROM kinds")).rows[0]!,
            insert: (column, value) =>
              database.query(`INSERT INTO kinds (${quoted(column)}) VALUES ($1)`, [value]),
            [Symbol.asyncDispose]: () => database.close(),
          };
        },
      }),
  },
  {
    name: "MariaDB by mysql2",
    ignore: mariadb.mysqlMissing !== undefined,
    columns: MARIADB,
    async open() {
      const [one, other] = [await mariadb.create(), await mariadb.create()];
      const url = urlOf("TEST_MYSQL_URL", one.database);
      return {
        url,
        empty: urlOf("TEST_MYSQL_URL", other.database),
        driver() {
          const pool = createPool(url);
          return {
            exec: (sql) => pool.query(sql),
            row: async () => ((await pool.query("SELECT * FROM kinds"))[0] as Row[])[0]!,
            insert: (column, value) =>
              pool.query(`INSERT INTO kinds (\`${column}\`) VALUES (?)`, [value]),
            async [Symbol.asyncDispose]() {
              await pool.end();
              await mariadb.cleanUp();
            },
          };
        },
      };
    },
  },
  {
    name: "SQLite by node:sqlite",
    columns: SQLITE,
    open: (space) =>
      Promise.resolve({
        url: "sqlite:./app.db",
        driver() {
          const database = new DatabaseSync(`${space.path}/app.db`);
          return {
            exec: (sql) => Promise.resolve(database.exec(sql)),
            row: () => Promise.resolve(database.prepare("SELECT * FROM kinds").all()[0] as Row),
            // deno-lint-ignore require-await -- a throw has to become a rejection
            insert: async (column, value) =>
              database.prepare(`INSERT INTO kinds (${quoted(column)}) VALUES (?)`)
                .run(value as string),
            [Symbol.asyncDispose]: () => Promise.resolve(database.close()),
          };
        },
      }),
  },
];

function configOf(url: string, migrations: object = {}): string {
  const datasource = [{ name: "main", url, migrations: { enabled: true, ...migrations } }];
  return JSON.stringify({ datasource });
}

/** The members of an interface of a module, by their names. */
function membersOf(module: string, name: string): Readonly<Record<string, string>> {
  const [, body = ""] = new RegExp(`interface ${name} \\{\\n(.*?)\\n\\}`, "s").exec(module) ?? [];
  return Object.fromEntries(
    [...body.matchAll(/^ {2}"?([\w ]+)"?(\??: .*);$/gm)].map(([, name, type]) => [name, type]),
  );
}

/** Types that a value has in a module. */
function kindsOf(value: unknown): readonly string[] {
  if (value instanceof Date) return ["Date"];
  if (value instanceof Uint8Array) return ["Uint8Array"];
  if (Array.isArray(value)) {
    return kindsOf(value[0]).flatMap((kind) => [`${kind}[]`, `(${kind})[]`]);
  }
  if (typeof value === "string") return ["string", JSON.stringify(value), "Mood"];
  if (typeof value !== "object" || value === null) return [typeof value];
  if ("toPostgres" in value) return ["Interval"];
  if ("radius" in value) return ["Circle"];
  return "x" in value ? ["Point"] : ["Json"];
}

for (const { name, ignore = false, columns, before = "", open } of SUBJECTS) {
  Deno.test({
    name: `types + ${name}: values that the driver returns and accepts have the types`,
    ignore,
    async fn() {
      await using space = await workspace();
      const { url, empty, driver } = await open(space);
      await space.write("config/application.yml", configOf(url));
      const separator = name.startsWith("MariaDB") ? "`" : '"';
      const definitions = Object.entries(columns).map(([name, { sql }]) =>
        `${separator}${name}${separator} ${sql}`
      );
      await space.write(
        "migrations/main/1.sql",
        `${before}\nCREATE TABLE kinds (${definitions.join(",\n")});\n`,
      );
      const printed = await space.run("types", ...(empty ? ["--url", empty] : []));
      assertEquals([printed.code, printed.stderr], [0, ""]);
      await space.write("database.ts", printed.stdout);
      await assertCompiles(`file://${space.path}/database.ts`);
      assertEquals((await space.run()).code, 0);
      assertEquals((await space.run("types", "--live")).stdout, printed.stdout);
      const [row, insert] = ["Kinds", "NewKinds"].map((name) => membersOf(printed.stdout, name));
      assertEquals(Object.keys(row!), Object.keys(columns));
      await using database = driver();
      const values = Object.values(columns).map(({ value }) => value);
      await database.exec(`INSERT INTO kinds VALUES (${values.join(", ")})`);
      const found = await database.row();
      const wrong = Object.keys(columns).flatMap((name) => {
        const type = row![name]!.slice(2).replace(/ \| null$/, "");
        const alternatives = type.startsWith("(") ? [type] : type.split(" | ");
        const element = /^\((.*)\)\[\]$/.exec(type)?.[1]?.split(" | ").map((one) => `${one}[]`);
        const kinds = kindsOf(found[name]);
        const isRight = type === "unknown" ||
          [...alternatives, ...element ?? []].some((one) => kinds.includes(one));
        return isRight ? [] : [`${name}: ${type}, found ${kinds[0]}`];
      });
      assertEquals(wrong, []);
      for (const [name, { accepted = [], refused = [] }] of Object.entries(columns)) {
        assert(insert![name]!.startsWith("?: "), name);
        const written = insert![name]!.slice(3).split(" | ");
        for (const value of accepted) {
          if (value instanceof Uint8Array) assert(written.includes("Uint8Array"), name);
          await database.insert(name, value);
        }
        for (const value of refused) await assertRejects(() => database.insert(name, value), name);
      }
    },
  });
}

Deno.test("types + SQLite: a key may be NULL unless it names the row id", async () => {
  await using space = await workspace({
    "config/application.yml": configOf("sqlite:./app.db"),
    "migrations/main/1.sql": "CREATE TABLE row_id (id INTEGER, PRIMARY KEY (id DESC));\n" +
      "CREATE TABLE other (id INTEGER PRIMARY KEY DESC);\n",
  });
  const { stdout } = await space.run("types");
  assertEquals(membersOf(stdout, "RowId"), { id: ": number" });
  assertEquals(membersOf(stdout, "Other"), { id: ": number | null" });
  using database = new DatabaseSync(":memory:");
  database.exec(await Deno.readTextFile(`${space.path}/migrations/main/1.sql`));
  database.exec("INSERT INTO row_id DEFAULT VALUES; INSERT INTO other DEFAULT VALUES");
  const id = (table: string) => database.prepare(`SELECT id FROM ${table}`).get()!.id;
  assertEquals([id("row_id"), id("other")], [1, null]);
});

Deno.test({
  name: "types + PostgreSQL: --live needs no privilege but to connect; enums of arrays have names",
  ignore: postgresql.postgresqlMissing !== undefined,
  async fn() {
    await using space = await workspace({
      "migrations/main/1.sql":
        "CREATE SCHEMA audit; CREATE TYPE audit.kind AS ENUM ('a', 'b'); CREATE TYPE kind AS ENUM ('c');\n" +
        "CREATE TABLE audit.log (kind audit.kind NOT NULL, kinds kind[] NOT NULL);\n" +
        "CREATE TABLE log (id serial, at date) PARTITION BY RANGE (at);\n" +
        "CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');\n" +
        "CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM log; CREATE EXTENSION pg_stat_statements;\n" +
        `CREATE TABLE "audit.log" (other text); ` +
        "CREATE TABLE nothing (); COMMENT ON MATERIALIZED VIEW counted IS 'A */ count.';",
    });
    const { database } = await postgresql.create();
    const url = new URL(urlOf("TEST_PG_URL", database));
    await space.write("config/application.yml", configOf(url.href));
    assertEquals((await space.run()).code, 0);
    const owner = await space.run("types", "--live");
    await using client = await closing(url.href);
    const role = `r_${database.slice(-8)}`;
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    try {
      url.username = role;
      url.password = "secret";
      await space.write("config/application.yml", configOf(url.href));
      assertEquals(await space.run("types", "--live"), owner);
    } finally {
      await client.query(`DROP ROLE ${role}`);
    }
    const { stdout } = owner;
    assertStringIncludes(stdout, 'export type AuditKind = "a" | "b";\n\nexport type Kind = "c";\n');
    assertStringIncludes(
      stdout,
      "/** A *\\/ count. */\nexport interface Counted {\n  n: string | null;\n}",
    );
    const [, tables = ""] = /interface Database \{\n(.*?)\}/s.exec(stdout) ?? [];
    assertEquals(tables.trim().split("\n").map((line) => line.trim()), [
      '"audit.log": Table<AuditLog, NewAuditLog>;',
      "counted: Table<Counted>;",
      "log: Table<Log, NewLog>;",
      "nothing: Table<Nothing, NewNothing>;",
    ]);
    assertEquals(membersOf(stdout, "AuditLog"), { kind: ": AuditKind", kinds: ": string" });
    assertEquals(membersOf(stdout, "AuditLog2"), { other: ": string | null" });
    assertEquals(membersOf(stdout, "NewAuditLog"), { kind: ": AuditKind", kinds: ": Kind[]" });
  },
});

/** A connection that ends, and the databases with it. */
async function closing(connectionString: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return Object.assign(client, {
    async [Symbol.asyncDispose]() {
      await client.end();
      await postgresql.cleanUp();
    },
  });
}
