/** Replicas that are killed and stopped, and a database that crashes: each job has its effect exactly once. */
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import pg from "npm:pg@^8.23.0";
import { Jobs } from "irori/jobs";
import { jobsSchema } from "../../../src/features/jobs/tables.ts";
import { PgTransactions, transactional, TransactionOutcomeUnknownError } from "irori/transactions";
import { depth, writeProof } from "../../long/mod.ts";
import { clockOf, OwnServer, removeLeftovers } from "../scheduling/own_server.ts";
import { EFFECTS, silently } from "./support.ts";
import { until } from "../../until.ts";

const ROUNDS = depth(5, 10, 200);
const REPLICAS = 5;
/** The clocks are those of a replica and of the database, by 10 minutes. */
const EVENTS = ["kill", "stop", "clock", "restart", "database clock"] as const;
const table: string[] = [];

/** A process of `replica.ts`. */
class Process {
  #child!: Deno.ChildProcess;
  isStopped = false;

  constructor(readonly url: string, readonly clock: string) {}

  async start(): Promise<void> {
    const child = this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--quiet",
        fromFileUrl(new URL("replica.ts", import.meta.url)),
      ],
      env: { DATABASE_URL: this.url, ...await clockOf(this.clock) },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    for await (const _ of child.stdout) break; // It is ready, or has ended: the database may be down.
  }

  async kill(): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch { /* It has ended. */ }
    await this.#child.status;
  }

  async stop(milliseconds: number): Promise<void> {
    this.isStopped = true;
    try {
      this.#child.kill("SIGSTOP");
      await sleep(milliseconds);
      this.#child.kill("SIGCONT");
    } catch { /* It has ended. */ }
    this.isStopped = false;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

type Fate = "committed" | "rolled back" | "unknown";

Deno.test({
  name:
    "@Job + has its effect exactly once through kills, stops and restarts of the database (PostgreSQL)",
  ignore: Deno.env.get("TEST_PG_URL") === undefined || Deno.uid() !== 0,
  // Connections of pools end in the background.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using server = await OwnServer.start();
    const pool = new pg.Pool({ connectionString: server.url });
    pool.on("error", () => {});
    await pool.query(`${await jobsSchema()}; ${EFFECTS}`);
    Deno.env.set("DATABASE_URL", server.url);
    const { replica } = await import("./replica.ts");
    const app = await replica();
    const jobs = app.context.get(Jobs);
    const manager = app.context.get(PgTransactions);
    const replicas = Array.from(
      { length: REPLICAS },
      (_, index) => new Process(server.url, `${server.folder}/clock-${index}`),
    );
    const fates = new Map<number, Fate>();
    const enqueue = async (n: number) => {
      const fails = n % 5 === 0;
      let fate: Fate = "rolled back";
      await transactional({ manager }, async () => {
        await jobs.enqueue("first", { n });
        if (fails) throw new Error("rolled back");
      }).then(() => fate = "committed", (error) => {
        if (error instanceof TransactionOutcomeUnknownError) fate = "unknown";
      });
      fates.set(n, fate);
    };
    const counts: Record<string, number> = Object.fromEntries(EVENTS.map((name) => [name, 0]));
    await silently(async () => {
      await Promise.all(replicas.map((one) => one.start()));
      const pending = new Set<Promise<unknown>>();
      for (let round = 0; round < ROUNDS; round++) {
        const work = Array.from({ length: 15 }, (_, index) => enqueue(round * 15 + index));
        await sleep(Math.random() * 600);
        const awake = replicas.filter(({ isStopped }) => !isStopped);
        const one = awake[Math.floor(Math.random() * awake.length)];
        const event = EVENTS[round % EVENTS.length]!;
        counts[event]!++;
        if (event === "restart") await server.restart();
        else if (event === "kill") await one?.kill().then(() => one.start());
        else if (event.endsWith("clock")) {
          const jump = ["+600", "-600", "+0"][Math.floor(Math.random() * 3)]!;
          const file = event === "clock" ? one?.clock : server.clock;
          if (file !== undefined) await Deno.writeTextFile(file, jump);
        } else {
          // Beyond the time of a run; at times beyond that of its transaction.
          const stopped = one?.stop(Math.random() < 0.2 ? 9000 : 3500).then(() => {
            pending.delete(stopped!);
          });
          if (stopped) pending.add(stopped);
        }
        await Promise.all(work);
      }
      await Promise.all(pending);
      // Jobs that were enqueued while the clock was ahead are due, too.
      await Deno.writeTextFile(server.clock, "+1500");
      for (const one of replicas) await one.kill().then(() => one.start());
      const left = async () => {
        const sql = "SELECT count(*)::int AS n FROM irori_jobs.job WHERE state <> 'completed'";
        return (await pool.query(sql)).rows[0].n;
      };
      await until(async () => await left() === 0, 120);
    });
    await Promise.all(replicas.map((one) => one.kill()));
    const { rows } = await pool.query("SELECT note, count(*)::int AS n FROM effects GROUP BY note");
    const found = new Map<string, number>(rows.map(({ note, n }) => [note, n]));
    const wrong: string[] = [];
    for (const [n, fate] of fates) {
      const [first = 0, second = 0] = [found.get(`first ${n}`), found.get(`second ${n}`)];
      const isRight = first === second &&
        (fate === "committed" ? first === 1 : fate === "rolled back" ? first === 0 : first <= 1);
      if (!isRight) wrong.push(`${n} was ${fate}: ${first}, ${second} effects`);
    }
    const { rows: [again] } = await pool.query(
      "SELECT count(*)::int AS n, sum(retry_count)::int AS sum FROM irori_jobs.job WHERE retry_count > 0",
    );
    await app.close();
    await pool.end();
    await (manager.pool as unknown as pg.Pool).end();
    await removeLeftovers();
    assertEquals(wrong, []);
    const fateOf = (fate: Fate) => [...fates.values()].filter((one) => one === fate).length;
    assertEquals(fateOf("committed") > ROUNDS * 8, true);
    assertEquals(again.n > 0, true, "no job has run again");
    const cells = [ROUNDS, ...EVENTS.map((name) => counts[name]!), fateOf("committed")];
    cells.push(fateOf("rolled back"), fateOf("unknown"), again.sum);
    table.push(`| ${cells.join(" | ")} |`);
    console.log(table.at(-1));
  },
});

Deno.test.afterAll(() =>
  writeProof(
    "jobs",
    `# Jobs through failures

Five replicas run jobs on PostgreSQL. In each round 15 transactions enqueue a job each, three of which roll back, and one
replica is killed (SIGKILL), or stopped beyond the time of a run (SIGSTOP, SIGCONT), or its clock or that of the database
jumps by 10 minutes, or the database crashes and recovers.
A job writes a row, waits, fails at times, and enqueues a second job in its transaction. At the end each job whose
transaction was committed has written its row once, and so has the second one; those that were rolled back have written
nothing. Transactions with a lost answer of COMMIT are counted apart: all of it has happened once, or nothing.

| rounds | kills | stops | clocks | restarts | database clocks | committed | rolled back | unknown | repeated runs |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
`,
    table,
  )
);
