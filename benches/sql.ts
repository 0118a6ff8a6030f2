/**
 * Measures SQL migrations, each run in a process of its own, against a bare script on the same driver that does the
 * same transactions, and against one that connects, reads one table, and reads and hashes the files (ADR 33).
 *
 * ```sh
 * deno task bench:sql
 * ```
 *
 * Starts a PostgreSQL of its own unless `TEST_PG_URL` names one.
 *
 * @module
 */
import { join } from "@std/path";
import { execute } from "./process.ts";
import { postgreSql } from "./servers.ts";
import { median } from "./web/report.ts";

const FILES = 1000;
const ROUNDS = 7;
/** Times the other script. */
const LIMITS = { first: 2, unchanged: 1.75 }; // ADR 10 and 33

let databases = 0;
const folder = await Deno.makeTempDir({ prefix: "irori-bench-" });
try {
  await writeFiles();
  const results = [await compare("SQLite", sqliteDatabase)];
  await using server = await postgreSql();
  results.push(await compare("PostgreSQL", () => postgresqlDatabase(server.url)));
  if (!results.every((isFast) => isFast)) Deno.exitCode = 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function writeFiles(): Promise<void> {
  await Deno.mkdir(join(folder, "migrations", "main"), { recursive: true });
  for (let i = 0; i < FILES; i++) {
    const name = `${i}`.padStart(4, "0");
    const text = i % 10 === 0
      ? `CREATE TABLE t${i} (id INTEGER PRIMARY KEY, name VARCHAR(40));\n`
      : `INSERT INTO t${i - i % 10} (id, name) VALUES (${i}, 'name ${i}');\n`;
    await Deno.writeTextFile(join(folder, "migrations", "main", `${name}.sql`), text);
  }
}

interface Fresh {
  readonly url: string;
  remove(): Promise<void>;
}

function sqliteDatabase(): Promise<Fresh> {
  const path = join(folder, `${++databases}.db`);
  return Promise.resolve({ url: `sqlite:${path}`, remove: () => Deno.remove(path) });
}

async function postgresqlDatabase(server: string): Promise<Fresh> {
  const { default: pg } = await import("npm:pg@^8.23.0");
  const name = `irori_bench_${Deno.pid}_${++databases}`;
  const admin = async (sql: string) => {
    const client = new pg.Client(server);
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await admin(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => admin(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function compare(name: string, create: () => Promise<Fresh>): Promise<boolean> {
  const times: Record<string, number[]> = { ours: [], bare: [], unchanged: [], read: [], look: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const [ours, bare] = [await create(), await create()];
    const order = round % 2 === 0 ? [ours, bare] : [bare, ours];
    for (const { url } of order) {
      times[url === ours.url ? "ours" : "bare"]?.push(
        await time(url === ours.url ? "sql_ours.ts" : "sql_bare.ts", "first", url),
      );
    }
    times.unchanged?.push(await time("sql_ours.ts", "unchanged", ours.url));
    times.read?.push(await time("sql_bare.ts", "read", ours.url));
    times.look?.push(await time("sql_bare.ts", "look", ours.url));
    await ours.remove();
    await bare.remove();
  }
  const first = report(`${name}, ${FILES} files, first run`, times.ours, times.bare, LIMITS.first);
  const unchanged = report(
    `${name}, ${FILES} files, unchanged run`,
    times.unchanged,
    times.look,
    LIMITS.unchanged,
  );
  console.log(
    `  (one that only connects and reads the table: ${median(times.read ?? []).toFixed(0)} ms)`,
  );
  return first && unchanged;
}

/** Runs one of the scripts; milliseconds from its start to its end. */
async function time(script: string, mode: string, url: string): Promise<number> {
  const path = join(import.meta.dirname ?? "", "sql", script);
  const args = ["run", "-A", "--no-check", path, mode, url, join(folder, "migrations")];
  return (await execute([Deno.execPath(), ...args])).milliseconds;
}

function report(name: string, ours: number[] = [], other: number[] = [], limit: number): boolean {
  const [left, right] = [median(ours), median(other)];
  const ratio = left / right;
  const verdict = ratio <= limit ? "within" : "ABOVE";
  console.log(
    `${name}: ${left.toFixed(0)} ms against ${right.toFixed(0)} ms, ${ratio.toFixed(2)} times ` +
      `(${verdict} ${limit})`,
  );
  return ratio <= limit;
}
