/**
 * Proves what `migrations.each` promises, with the command line and 2,000 schemas of PostgreSQL:
 *
 * - A run in which nothing changed takes at most three times as long as a script that reads one table in each schema with
 *   the same number of connections. Both run in processes of their own, in turn.
 * - A release that fails for one per cent of the tenants exits with 8, is applied to all others, and a second run touches
 *   only the tenants that failed.
 *
 * ```sh
 * deno task bench:tenants
 * ```
 *
 * Starts a PostgreSQL of its own unless `TEST_PG_URL` names one.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import pg from "npm:pg@^8.23.0";
import { execute } from "./process.ts";
import { postgreSql } from "./servers.ts";
import { median } from "./web/report.ts";

const TENANTS = 2000;
const FILES = 10;
const CONNECTIONS = 8;
const ROUNDS = 5;
const LIMIT = 3;
const FAILING = TENANTS / 100;

interface Outcome {
  readonly part?: string;
  readonly outcome?: string;
  readonly requests: number;
}

const folder = await Deno.makeTempDir({ prefix: "irori-bench-" });
await using server = await postgreSql();
const database = `irori_bench_${Deno.pid}`;
await query(server.url, `CREATE DATABASE ${database}`);
const url = Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
try {
  await prepare();
  await measureFirstRun();
  await compareUnchanged();
  await failForSome();
} finally {
  // Neither a transaction nor the list of locks takes as many tables at once as there are.
  await query(server.url, `DROP DATABASE ${database} WITH (FORCE)`);
  await Deno.remove(folder, { recursive: true });
}

async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  let rows: Record<string, unknown>[] = [];
  for (const sql of statements) rows = (await client.query(sql)).rows;
  await client.end();
  return rows;
}

async function prepare(): Promise<void> {
  const names = Array.from({ length: TENANTS }, (_, i) => `tenant_${`${i}`.padStart(4, "0")}`);
  const statements = names.map((name) => `CREATE SCHEMA ${name}`);
  const values = names.map((name) => `('${name}')`).join(", ");
  await query(
    url,
    "CREATE TABLE tenants (name TEXT PRIMARY KEY)",
    `INSERT INTO tenants VALUES ${values}`,
    ...statements,
  );
  await Deno.mkdir(join(folder, "config"), { recursive: true });
  const config = {
    datasource: {
      name: "shop",
      url,
      migrations: {
        enabled: true,
        each: { schemas: "SELECT name FROM tenants ORDER BY name", parallel: CONNECTIONS },
      },
    },
  };
  await Deno.writeTextFile(join(folder, "config", "application.yml"), JSON.stringify(config));
  await Deno.mkdir(join(folder, "migrations", "shop"), { recursive: true });
  await write("00.sql", "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);");
  for (let i = 1; i < FILES; i++) {
    await write(`${`${i}`.padStart(2, "0")}.sql`, `INSERT INTO users VALUES (${i}, 'name ${i}');`);
  }
}

async function write(name: string, sql: string): Promise<void> {
  await Deno.writeTextFile(join(folder, "migrations", "shop", name), `${sql}\n`);
}

interface Migrated {
  readonly code: number;
  readonly milliseconds: number;
  readonly tenants: readonly Outcome[];
}

async function migrate(): Promise<Migrated> {
  const cli = fromFileUrl(new URL("../cli.ts", import.meta.url));
  const options = ["-c", join(folder, "config"), "--sqlPath", join(folder, "migrations"), "--json"];
  const args = ["run", "-A", "--no-check", cli, "migrate", ...options];
  const started = performance.now();
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "null" })
    .output();
  const milliseconds = performance.now() - started;
  const { connections = [] } = JSON.parse(new TextDecoder().decode(stdout));
  return { code, milliseconds, tenants: connections };
}

/** `1980 migrated, 20 failed`. */
function counts(tenants: readonly Outcome[]): string {
  const groups = [...Map.groupBy(tenants, ({ outcome }) => outcome).values()];
  return groups.sort((a, b) => b.length - a.length)
    .map((group) => `${group.length} ${group[0]?.outcome}`).join(", ");
}

async function measureFirstRun(): Promise<void> {
  const { code, milliseconds, tenants } = await migrate();
  assertEquals([code, counts(tenants)], [0, `${TENANTS} migrated`]);
  console.log(
    `First run, ${TENANTS} schemas, ${FILES} files: ${(milliseconds / 1000).toFixed(1)} s`,
  );
}

async function compareUnchanged(): Promise<void> {
  const bare = fromFileUrl(new URL("./tenants/bare.ts", import.meta.url));
  const script = [Deno.execPath(), "run", "-A", "--no-check", bare, url, `${CONNECTIONS}`];
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const { code, milliseconds, tenants } = await migrate();
    assertEquals([code, counts(tenants)], [0, `${TENANTS} unchanged`]);
    assertEquals(tenants.map(({ requests }) => requests), tenants.map(() => 1));
    times.ours.push(milliseconds);
    const other = await execute(script);
    assertEquals(Number(other.output), TENANTS * FILES);
    times.bare.push(other.milliseconds);
  }
  const [ours, other] = [median(times.ours), median(times.bare)];
  const ratio = ours / other;
  const verdict = ratio <= LIMIT ? "within" : "ABOVE";
  console.log(
    `Unchanged, ${TENANTS} schemas: ${ours.toFixed(0)} ms against ${other.toFixed(0)} ms, ` +
      `${ratio.toFixed(2)} times (${verdict} ${LIMIT})`,
  );
  if (ratio > LIMIT) Deno.exitCode = 1;
}

async function failForSome(): Promise<void> {
  const failing = (await query(url, "SELECT name FROM tenants ORDER BY name"))
    .map(({ name }) => `${name}`).filter((_, index) => index % (TENANTS / FAILING) === 7);
  assertEquals(failing.length, FAILING);
  await query(url, ...failing.map((name) => `CREATE TABLE ${name}.orders (id INTEGER)`));
  await write("90_orders.sql", "CREATE TABLE orders (id INTEGER PRIMARY KEY, total INTEGER);");
  const first = await migrate();
  const failed = first.tenants.filter(({ outcome }) => outcome === "failed");
  assertEquals(first.code, 8);
  assertEquals(failed.map(({ part }) => part), failing);
  assertEquals(counts(first.tenants), `${TENANTS - FAILING} migrated, ${FAILING} failed`);
  await query(url, ...failing.map((name) => `DROP TABLE ${name}.orders`));
  const again = await migrate();
  assertEquals([again.code, counts(again.tenants)], [
    0,
    `${TENANTS - FAILING} unchanged, ${FAILING} migrated`,
  ]);
  const migrated = again.tenants.filter(({ outcome }) => outcome === "migrated");
  assertEquals(migrated.map(({ part }) => part), failing);
  const [{ tables } = {}] = await query(
    url,
    "SELECT count(*)::int AS tables FROM pg_class WHERE relname = 'orders' AND relkind = 'r'",
  );
  assertEquals(tables, TENANTS);
  console.log(
    `Release that fails for ${FAILING} tenants: exit ${first.code}, ` +
      `${(first.milliseconds / 1000).toFixed(1)} s; second run: ${FAILING} migrated, ` +
      `${TENANTS - FAILING} unchanged, ${(again.milliseconds / 1000).toFixed(1)} s`,
  );
}
