/** Runs on a local D1 that are killed, that compete, and that a worker writes beside. */
import { assertEquals } from "@std/assert";
import { depth } from "../../../long/mod.ts";
import { type Binding, type Project, project } from "./project.ts";

/** Large enough that a file takes some milliseconds. */
const ROWS = 20_000;
const NUMBERS = [1, 2, 3, 4, 5, 6];
const TREE: Readonly<Record<string, string>> = {
  "migrations/0000_done.sql":
    "CREATE TABLE done (file INTEGER);\nCREATE TABLE log (n INTEGER PRIMARY KEY);\n",
  ...Object.fromEntries(NUMBERS.map((number) => [
    `migrations/000${number}_f.sql`,
    `CREATE TABLE t${number} (n INTEGER);\n` +
    `INSERT INTO t${number} WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r ` +
    `WHERE n < ${ROWS}) SELECT n FROM r;\nINSERT INTO done VALUES (${number});\n`,
  ])),
};
const PATHS = Object.keys(TREE).map((path) => path.slice("migrations/".length)).sort();

Deno.test("local D1 + two runs at once make one database", async () => {
  for (let round = 0; round < depth(2, 50); round++) {
    await using space = await project(TREE);
    await Promise.all([ended(started(space)), ended(started(space))]);
    assertWhole(space, `round ${round}`);
  }
});

Deno.test("local D1 + the next run finishes what one has begun that was killed at any moment", async () => {
  const killed: number[] = [];
  for (let round = 0; round < depth(6, 150); round++) {
    await using space = await project(TREE);
    const competitor = round % 3 === 0 ? started(space) : undefined;
    for (let kill = 0; kill <= round % 2; kill++) killed.push(await killedRun(space));
    if (competitor) await ended(competitor);
    await ended(started(space));
    assertWhole(space, `round ${round}`);
  }
  report("killed", killed);
});

Deno.test("local D1 + a run that is killed while a worker writes loses none of its rows", async () => {
  const killed: number[] = [];
  for (let round = 0; round < depth(2, 50); round++) {
    await using space = await project(TREE);
    await using worker = await space.miniflare();
    const writing = write(worker.binding);
    killed.push(await killedRun(space));
    await ended(started(space));
    const written = await writing.stop();
    assertWhole(space, `round ${round}`);
    assertEquals(space.query("SELECT count(*) AS n FROM log"), [{ n: written }], `round ${round}`);
  }
  report("killed beside a worker", killed);
});

function started(space: Project): Deno.ChildProcess {
  return space.spawn("migrate", "--lock-timeout", "30s");
}

async function ended(child: Deno.ChildProcess): Promise<void> {
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assertEquals(code, 0, text(stdout) + text(stderr));
}

/** Kills a run some milliseconds after it has begun, or has done a number of files. @returns how many were done */
async function killedRun(space: Project): Promise<number> {
  const child = started(space);
  let isOver = false;
  const output = child.output().finally(() => isOver = true);
  const wanted = Math.floor(Math.random() * (NUMBERS.length + 1));
  if (wanted === 0) await pause(Math.random() * 200);
  while (!isOver && filesDone(space).length < wanted) await pause(1);
  await pause(Math.random() * 8);
  try {
    child.kill("SIGKILL");
  } catch { /* It has ended. */ }
  await output;
  endLease(space, child.pid);
  return filesDone(space).length;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The lock of a killed run lasts a minute: this is the same as waiting for its end. */
function endLease(space: Project, pid: number): void {
  try {
    space.query(`UPDATE framework_migrations_lock SET until = 0 WHERE owner GLOB '*-${pid}-*'`);
  } catch { /* The run has not come so far. */ }
}

function filesDone(space: Project): readonly unknown[] {
  try {
    return space.query("SELECT file FROM done ORDER BY rowid").map(({ file }) => file);
  } catch {
    return [];
  }
}

/** Nothing twice, nothing skipped, and a record of every file. */
function assertWhole(space: Project, round: string): void {
  assertEquals(filesDone(space), NUMBERS, round);
  for (const number of NUMBERS) {
    assertEquals(space.query(`SELECT count(*) AS n FROM t${number}`), [{ n: ROWS }], round);
  }
  const records = space.query("SELECT migration_path AS path FROM framework_migrations");
  assertEquals(records.map(({ path }) => path).sort(), PATHS, round);
  assertEquals(space.query("PRAGMA integrity_check"), [{ integrity_check: "ok" }], round);
}

/** Inserts rows one by one, as a worker does, which meets errors while a file is applied. */
function write(binding: Binding): { stop(): Promise<number> } {
  let [isStopped, written] = [false, 0];
  const writing = (async () => {
    for (let next = 1; !isStopped || written === 0; next++) {
      await binding.prepare(`INSERT INTO log VALUES (${next})`).run().then(
        () => written++,
        () => {},
      );
      await pause(1);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await writing;
      return written;
    },
  };
}

/** Shows in a whole run how the moments were spread. */
function report(name: string, found: readonly number[]): void {
  if (depth(0, 1) === 0) return;
  const spread = Map.groupBy(found, (done) => done);
  const counts = [...spread].sort(([a], [b]) => a - b).map(([done, { length }]) =>
    `${done}: ${length}`
  );
  console.log(`${name}, by files done: ${counts.join(", ")}`);
}
