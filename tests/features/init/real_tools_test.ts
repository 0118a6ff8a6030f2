/** Projects that the tools themselves have made, on PostgreSQL and D1. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { installed } from "../../../tools/_npm.ts";
import { urlOf } from "../adopt/adopt_support.ts";
import FLYWAY from "../adopt/recorded/flyway.json" with { type: "json" };
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { ID, wranglerIn } from "../../migrations/sql/d1/project.ts";
import { configurationOf, type Folder, folder } from "./init_support.ts";

const TOOLS = [
  "dbmate@2.36.0",
  "node-pg-migrate@9.0.0",
  "pg@8.23.0",
  "knex@3.3.0",
  "supabase@3.1.0",
];
const DRIZZLE = [
  ...["drizzle-orm@0.45.4", "drizzle-kit@0.31.11", "pg@8.23.0", "mysql2@3.24.0"],
  "@libsql/client@0.15.15",
];
const sql = (table: string) => `CREATE TABLE ${table} (n INT);\n`;

function test(name: string, body: (datasource: Datasource, url: string) => Promise<void>): void {
  Deno.test({
    name: `init + ${name} on PostgreSQL`,
    ignore: postgresql.postgresqlMissing !== undefined,
    async fn() {
      const datasource = await postgresql.create();
      try {
        await body(datasource, urlOf(datasource, "postgres"));
      } finally {
        await postgresql.cleanUp();
      }
    },
  });
}

/** The proposal shows what is applied and what is not, writes nothing, and works once it is written. */
async function works(
  space: Folder,
  env: Readonly<Record<string, string>>,
  password: string,
  [adopted, pending]: readonly [adopted: readonly string[], pending: readonly string[]],
  count: () => Promise<number>,
): Promise<void> {
  const before = [await space.files(), await count()];
  const found = await space.runWith(env, "init", "--json");
  assertEquals(found.code, 0, found.stderr);
  const { adopt, plan } = JSON.parse(found.stdout);
  const states = adopt.connections[0].rows.map((
    row: Record<string, string>,
  ) => [row.file, row.state]);
  assertEquals(states, adopted.map((file) => [file, "adopted"]));
  const steps = plan.connections[0].steps.map(({ file }: { file: string }) => file);
  assertEquals(steps, pending);
  assertEquals([await space.files(), await count()], before);
  const written = await space.runWith(env, "init", "--write");
  assertEquals(written.code, 0, written.stderr);
  assert(!`${found.stdout}${found.stderr}${written.stdout}`.includes(`:${password}@`));
  assertEquals((await space.runWith(env, "adopt")).code, 0);
  const applied = await space.runWith(env, "migrate");
  assertEquals(applied.code, 0, applied.stderr);
  assertEquals((await space.runWith(env, "status", "--check")).code, 0);
}

function tablesOf(datasource: Datasource): () => Promise<number> {
  const count = "SELECT count(*)::int AS n FROM pg_class WHERE relnamespace >= 2200";
  return async () => (await postgresql.query(datasource, count))[0]!.n as number;
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    ...{ args: [...args], cwd, env: { ...env }, stdin: "null" as const },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, `${command}: ${text(stdout)}${text(stderr)}`);
}

test("takes over a project of drizzle-kit", async (datasource, url) => {
  const packages = await installed("drizzle", DRIZZLE);
  const schema = (tables: string) =>
    `import { pgTable, serial } from "drizzle-orm/pg-core";\n${
      [...tables].map((name) => `export const ${name} = pgTable("${name}", { id: serial() });\n`)
        .join("")
    }`;
  await using space = await folder({
    "drizzle.config.ts": `import { defineConfig } from "drizzle-kit";
export default defineConfig({
  out: "./drizzle",
  schema: "./schema.ts",
  dialect: "postgresql",
  dbCredentials: { url: process.env.DATABASE_URL! },
});
`,
    "schema.ts": schema("a"),
  });
  await Deno.symlink(join(packages, "node_modules"), join(space.path, "node_modules"));
  const kit = (...args: readonly string[]) =>
    run("node", ["node_modules/drizzle-kit/bin.cjs", ...args], space.path, { DATABASE_URL: url });
  await kit("generate", "--name=one");
  await kit("migrate");
  await Deno.writeTextFile(join(space.path, "schema.ts"), schema("ab"));
  await kit("generate", "--name=two");
  const files = [["0000_one.sql"], ["0001_two.sql"]] as const;
  await works(space, { DATABASE_URL: url }, "secret", files, tablesOf(datasource));
});

test("says of dbmate that its files are to be rewritten first", async (datasource, url) => {
  const packages = await installed("adopt", TOOLS);
  const file = (table: string) =>
    `-- migrate:up\n${sql(table)}\n-- migrate:down\nDROP TABLE ${table};\n`;
  await using space = await folder({ "db/migrations/20240101000000_a.sql": file("a") });
  const { os, arch } = Deno.build;
  const machine = `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
  const env = { DATABASE_URL: `${url}?sslmode=disable` };
  const program = join(packages, "node_modules/@dbmate", machine, "bin/dbmate");
  await run(program, ["--no-dump-schema", "migrate"], space.path, env);
  const first = await space.runWith(env, "init");
  assertEquals(first.code, 3);
  assertStringIncludes(first.stdout, "adopt --write");
  const written = await space.runWith(env, "init", "--write");
  assertStringIncludes(written.stdout, "Next: deno run -A jsr:@irori/irori/cli adopt --write\n");
  assertEquals((await space.runWith(env, "adopt", "--write")).code, 0);
  await space.remove("config");
  const none = await tablesOf(datasource)();
  await works(space, env, "secret", [["20240101000000_a.sql"], []], () => Promise.resolve(none));
});

test("takes over a project of the Supabase CLI", async (datasource, url) => {
  const packages = await installed("adopt", TOOLS);
  await using space = await folder({
    "supabase/config.toml": "[db]\nport = 54322\n",
    "supabase/migrations/20240101_a.sql": sql("a"),
  });
  const program = join(packages, "node_modules/.bin/supabase");
  await run(program, ["db", "push", `--remote=${url}?sslmode=disable`, "--yes"], space.path);
  await Deno.writeTextFile(join(space.path, "supabase/migrations/20240102_b.sql"), sql("b"));
  const files = [["20240101_a.sql"], ["20240102_b.sql"]] as const;
  await works(space, { SUPABASE_DB_URL: url }, "secret", files, tablesOf(datasource));
});

test("takes over what Flyway has recorded", async (datasource) => {
  const { table, columns, rows, files } = FLYWAY;
  const { host, port, username, password, database } = datasource;
  await using space = await folder({
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`sql/${name}`, text])),
    "sql/V9__d.sql": sql("d"),
    "flyway.conf": [
      `flyway.url=jdbc:postgresql://${host}:${port}/${database}`,
      `flyway.user=${username}`,
      `flyway.password=${password!.reveal()}`,
    ].join("\n"),
  });
  await postgresql.query(datasource, `CREATE TABLE ${table} (${columns.join(", ")})`);
  const json = JSON.stringify(rows).replaceAll("'", "''");
  await postgresql.query(
    datasource,
    `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, '${json}')`,
  );
  const found = await space.run("init", "--json");
  assertEquals(found.code, 0, found.stderr);
  assertMatch(configurationOf(found), /password: \$\{FLYWAY_PASSWORD\}\n/);
  const { adopt, plan } = JSON.parse(found.stdout);
  const states = adopt.connections[0].rows.map(({ state }: { state: string }) => state);
  assertEquals(states, Array(rows.length).fill("adopted"));
  assertEquals(plan.connections[0].steps.map(({ file }: { file: string }) => file), ["V9__d.sql"]);
});

test("takes over what Prisma has recorded, by its URL", async (datasource, url) => {
  const name = "20240101_a";
  await using space = await folder({
    "prisma/schema.prisma":
      'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n}\n',
    [`prisma/migrations/${name}/migration.sql`]: sql("a"),
    "prisma/migrations/20240102_b/migration.sql": sql("b"),
    "prisma/migrations/migration_lock.toml": 'provider = "postgresql"\n',
    ".env": `DATABASE_URL="${url}?schema=public&connection_limit=5"\n`,
  });
  const bytes = new TextEncoder().encode(sql("a"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  await postgresql.query(
    datasource,
    `CREATE TABLE _prisma_migrations (id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL,
      finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT,
      rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
      applied_steps_count INTEGER NOT NULL DEFAULT 0);
    INSERT INTO _prisma_migrations VALUES ('1', '${hash}', now(), '${name}', NULL, NULL, now(), 1);
    ${sql("a")}`,
  );
  const files = [[`${name}/migration.sql`], ["20240102_b/migration.sql"]] as const;
  const own = `${url}?currentSchema=public`;
  const found = await space.run("init", "--json");
  assertEquals(Object.keys(JSON.parse(found.stdout).unset), ["MIGRATIONS_URL"]);
  assertEquals(found.code, 0, found.stderr);
  await works(space, { MIGRATIONS_URL: own }, "secret", files, tablesOf(datasource));
});

Deno.test("init + takes over a project of wrangler on D1", async () => {
  const entry = { binding: "DB", database_name: "main", database_id: ID };
  await using space = await folder({
    "wrangler.jsonc": `{ // the database\n "name": "try", "compatibility_date": "2025-09-01",
      "d1_databases": [${JSON.stringify(entry)}] }`,
    "drizzle.config.ts": 'export default { driver: "d1-http", out: "./migrations" };',
    "migrations/0001_a.sql": sql("a"),
  });
  const { code, stderr } = await wranglerIn(space.path, ["migrations", "apply", "DB", "--local"]);
  assertEquals(code, 0, stderr);
  await Deno.writeTextFile(join(space.path, "migrations/0002_b.sql"), sql("b"));
  const found = await space.run("init", "--json");
  assertStringIncludes(
    configurationOf(found),
    "  url: d1:DB\n  migrations:\n    enabled: true\n",
  );
  const files = [["0001_a.sql"], ["0002_b.sql"]] as const;
  await works(space, {}, "secret", files, () => Promise.resolve(0));
});
