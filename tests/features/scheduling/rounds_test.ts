/** Replicas that are killed and frozen, a database that is restarted, and clocks that jump. */
import { assert } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type mysql from "npm:mysql2@^3.24.0/promise";
import pg from "npm:pg@^8.23.0";
import { SCHEDULES_SCHEMA, TICKS } from "../../../src/features/scheduling/ticks_table.ts";
import { depth, writeProof } from "../../long/mod.ts";
import * as mariadb from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { clockOf, OwnServer, removeLeftovers } from "./own_server.ts";

const REPLICAS = 5;
const SCRIPT = fromFileUrl(new URL("./replica.ts", import.meta.url));
const CONFIG = fromFileUrl(new URL("../../../deno.json", import.meta.url));
const proof: string[] = [];

Deno.test.afterAll(async () => {
  await mariadb.cleanUp();
  const introduction =
    "# Rounds of scheduled tasks\n\nFive replicas with four tasks; each round has " +
    "one fault. `starts` counts calls of the methods, `ticks` the rows that were claimed.\n\n" +
    "| database | rounds | faults | starts | ticks | abandoned | skipped |\n|---|---|---|---|---|---|---|\n";
  await writeProof("scheduling", introduction, proof);
});

type Row = Record<string, unknown>;

/** Replicas of one application, on a database that a fault may hit. */
class Rounds {
  readonly replicas: (Replica | undefined)[] = Array(REPLICAS).fill(undefined);
  readonly faults: Map<string, number> = new Map();
  /** Replicas that were started since the last count. */
  readonly pids: Set<string> = new Set();

  constructor(
    readonly url: string,
    readonly query: (sql: string) => Promise<Row[]>,
    readonly folder: string,
    readonly server?: OwnServer,
  ) {}

  async start(index: number): Promise<void> {
    if (this.replicas[index]) return;
    const replica = await Replica.start(this.url, `${this.folder}/clock-${index}`);
    this.replicas[index] = replica;
    this.pids.add(`${replica.process.pid}`);
  }

  async startAll(): Promise<void> {
    for (let index = 0; index < REPLICAS; index++) await this.start(index);
  }

  async kill(index: number): Promise<void> {
    await this.replicas[index]?.end();
    this.replicas[index] = undefined;
  }

  /** By the clock of the database. */
  async now(): Promise<number> {
    const sql = this.server
      ? "SELECT EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS now"
      : "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 AS now";
    return Math.floor(Number((await this.query(sql))[0]!.now));
  }

  async round(round: number): Promise<void> {
    const names = Object.keys(FAULTS).filter((name) => this.server || !name.includes("database"));
    const name = names[round % names.length]!;
    const index = await busyIn(this) ?? Math.floor(Math.random() * REPLICAS);
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
    await FAULTS[name]!(this, index);
    await this.startAll();
  }
}

/** A replica that runs a tick, so that the fault hits it. */
async function busyIn(rounds: Rounds): Promise<number | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const [row] = await rounds.query(`SELECT replica FROM ${TICKS} WHERE running = 'long'`);
    const index = rounds.replicas.findIndex((one) =>
      `${row?.replica}`.includes(`-${one?.process.pid}-`)
    );
    if (index >= 0) return index;
    await pause(200);
  }
}

class Replica {
  private constructor(readonly process: Deno.ChildProcess, readonly clock: string) {}

  static async start(url: string, clock: string): Promise<Replica> {
    const env = { ROUNDS_URL: url, ...await clockOf(clock) };
    const process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", CONFIG, SCRIPT],
      env,
      stdout: "null",
      stderr: "inherit",
    }).spawn();
    return new Replica(process, clock);
  }

  async end(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.process.status;
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const FAULTS: Record<string, (rounds: Rounds, index: number) => Promise<void>> = {
  async "SIGKILL"(rounds, index) {
    await rounds.kill(index);
    await pause(1500);
  },
  async "SIGSTOP beyond the lease"(rounds, index) {
    const { process } = rounds.replicas[index]!;
    process.kill("SIGSTOP");
    await pause(4000);
    process.kill("SIGCONT");
    await pause(500);
  },
  async "restart of the database"(rounds) {
    await rounds.server!.restart();
    await pause(2000);
  },
  async "clock of a replica"(rounds, index) {
    await jump(rounds.replicas[index]!.clock, pause);
  },
  async "clock of the database"(rounds) {
    await jump(rounds.server!.clock, pause);
  },
  async "no replica"(rounds) {
    for (let index = 0; index < REPLICAS; index++) await rounds.kill(index);
    const down = await rounds.now();
    await pause(5000);
    const up = await rounds.now();
    await rounds.startAll();
    const sql = `SELECT due, started FROM ${TICKS} WHERE name = 'cron' AND due > ${down} ` +
      `AND due < ${up + 300_000} ORDER BY due`;
    let rows: Row[] = [];
    for (let tries = 0; rows.length < 2; tries++) {
      assert(tries < 60, "no ticks after the outage");
      await pause(500);
      rows = await rounds.query(sql);
    }
    // One tick at most for the time in which there was no replica, of its last instant.
    const made = rows.filter(({ due }) => Number(due) <= up);
    assert(made.length <= 1, `${made.length} ticks made up for the outage`);
    const [{ due, started }] = rows as [Row];
    assert(Number(due) > down + 2000, `${Number(due) - down} ms after the last replica`);
    assert(Number(started) - Number(due) < 4000, `${Number(started) - Number(due)} ms late`);
  },
};

async function jump(file: string, pause: (milliseconds: number) => Promise<unknown>) {
  if (await Deno.stat(file).catch(() => undefined) === undefined) return;
  const seconds = Math.random() < 0.5 ? "+600" : "-600";
  await Deno.writeTextFile(file, seconds);
  await pause(3000);
  await Deno.writeTextFile(file, "+0");
  await pause(1000);
}

interface Totals {
  starts: number;
  ticks: number;
  abandoned: number;
  skipped: number;
}

/** Each call of a method belongs to a tick that its replica has claimed. */
async function verify({ query, pids }: Rounds): Promise<Totals> {
  const counted = async (sql: string) =>
    new Map((await query(sql)).map(({ task, pid, n }) => [`${task} by ${pid}`, Number(n)]));
  const starts = await counted("SELECT task, pid, COUNT(*) AS n FROM starts GROUP BY task, pid");
  const ticks = new Map<string, number>();
  const totals = { starts: 0, ticks: 0, abandoned: 0, skipped: 0 };
  for (const { name, replica, state } of await query(`SELECT name, replica, state FROM ${TICKS}`)) {
    const pid = /-(\d+)-[0-9a-f]{8}-[0-9a-f-]+$/.exec(`${replica}`)![1]!;
    // Those that are kept were counted before.
    if (!pids.has(pid)) continue;
    if (state === "abandoned") totals.abandoned++;
    if (state === "skipped") {
      totals.skipped++;
      continue;
    }
    totals.ticks++;
    const key = `${name} by ${pid}`;
    ticks.set(key, (ticks.get(key) ?? 0) + 1);
  }
  for (const [key, count] of starts) {
    assert(count <= (ticks.get(key) ?? 0), `${key}: ${count} starts, ${ticks.get(key)} ticks`);
    totals.starts += count;
  }
  return totals;
}

/** Verifies, and begins to count again before old ticks are deleted. */
async function verifyAndClear(rounds: Rounds, totals: Totals): Promise<void> {
  for (let index = 0; index < REPLICAS; index++) await rounds.kill(index);
  const found = await verify(rounds);
  for (const name of Object.keys(found) as (keyof Totals)[]) totals[name] += found[name];
  rounds.pids.clear();
  await rounds.query("DELETE FROM starts");
  const now = await rounds.now();
  for (const name of ["fast", "cron", "delay", "long"]) {
    const [row] = await rounds.query(
      `SELECT MAX(due) AS last FROM ${TICKS} WHERE name = '${name}'`,
    );
    const old = `due < ${row!.last} AND due < ${now - 60_000} AND running IS NULL`;
    await rounds.query(`DELETE FROM ${TICKS} WHERE name = '${name}' AND ${old}`);
  }
}

async function runRounds(rounds: Rounds, count: number, name: string): Promise<void> {
  const totals: Totals = { starts: 0, ticks: 0, abandoned: 0, skipped: 0 };
  try {
    await rounds.startAll();
    await pause(3000);
    for (let round = 0; round < count; round++) {
      await rounds.round(round);
      if (round % 20 !== 19) continue;
      await verifyAndClear(rounds, totals);
      await rounds.startAll();
    }
    // Everything goes on.
    const { starts } = await verify(rounds);
    await pause(5000);
    assert((await verify(rounds)).starts > starts, "no task is called any more");
    await verifyAndClear(rounds, totals);
    const faults = [...rounds.faults].map(([name, count]) => `${name} ${count}`).join(", ");
    const figures = [totals.starts, totals.ticks, totals.abandoned, totals.skipped];
    proof.push(`| ${name} | ${count} | ${faults} | ${figures.join(" | ")} |`);
    assert(totals.abandoned > 0 && totals.skipped > 0, figures.join());
  } finally {
    for (let index = 0; index < REPLICAS; index++) await rounds.kill(index);
  }
}

Deno.test({
  name:
    "@Scheduled + starts no tick twice, in rounds of kills, freezes, restarts and clocks: PostgreSQL",
  ignore: postgresql.postgresqlMissing !== undefined || Deno.uid() !== 0,
  async fn() {
    await using server = await OwnServer.start();
    const query = async (sql: string) => {
      const client = new pg.Client({ connectionString: server.url });
      client.on("error", () => {});
      await client.connect();
      return (await client.query(sql).finally(() => client.end())).rows ?? [];
    };
    await query(SCHEDULES_SCHEMA.postgresql);
    await query("CREATE TABLE starts (task TEXT, pid TEXT)");
    await runRounds(
      new Rounds(server.url, query, server.folder, server),
      depth(6, 10, 200),
      "PostgreSQL",
    );
  },
});

Deno.test({
  name: "@Scheduled + starts no tick twice, in rounds of kills, freezes and clocks: MariaDB",
  ignore: mariadb.mysqlMissing !== undefined,
  async fn() {
    const datasource = await mariadb.create();
    const folder = await Deno.makeTempDir({ prefix: "irori-rounds-" });
    const admin = await mariadb.connect(datasource);
    const query = async (sql: string) => (await (admin as mysql.Connection).query(sql))[0] as Row[];
    await query(SCHEDULES_SCHEMA.mysql.trim().replace(/;$/, ""));
    await query("CREATE TABLE starts (task VARCHAR(20), pid VARCHAR(20))");
    const url = Object.assign(new URL(Deno.env.get("TEST_MYSQL_URL")!), {
      pathname: `/${datasource.database}`,
    });
    try {
      await runRounds(new Rounds(url.href, query, folder), depth(4, 4, 40), "MariaDB");
    } finally {
      await admin.end();
      await removeLeftovers();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
