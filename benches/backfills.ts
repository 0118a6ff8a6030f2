/**
 * Measures a backfill beside a bare loop of the same batches, and writers beside it: `--rows 1000000` says how many rows,
 * `--rounds 1` how often; each begins with a table that was vacuumed.
 * Needs `TEST_PG_URL` or `TEST_MYSQL_URL`, which `tests/servers/sql.sh env` prints; with `--documents 2000000` instead
 * `IRORI_TEST_OPENSEARCH_3_URL`, for as many documents beside a writer and 20 kills. Ends with 1 when a bound is not kept.
 *
 * @module
 */
import { type Engine, ENGINES, filled, type Scene } from "../tests/features/backfills/support.ts";
import { changeThoughKilled, ClusterScene } from "../tests/features/backfills/search_support.ts";
import { PLAIN } from "../tests/servers/real.ts";
import { machine } from "./machine.ts";
import { type Figure, median, report } from "./web/report.ts";

const ROWS = option("rows") ?? 200_000;
const DOCUMENTS = option("documents");
const SIZE = 5000;
const ROUNDS = option("rounds") ?? 3;
const WRITES_A_SECOND = 500;
const IDLE_MS = 10_000;

function option(name: string): number | undefined {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? undefined : Number(Deno.args[at + 1]);
}

const batches = (name: string, more = "") => ({
  [name]: `-- irori: batches of ${SIZE} by id${more}\n` +
    "UPDATE orders SET total = total + quantity WHERE ${irori.batch};\n",
});

/** In PostgreSQL nothing may be cleaned up beside a measurement. */
const settingsOf = ({ isMysql }: Engine) => isMysql ? "" : " WITH (autovacuum_enabled = off)";

async function migrated(engine: Engine): Promise<Scene> {
  const scene = await engine.scene({
    "01.sql":
      "CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, quantity INT, total BIGINT NOT NULL DEFAULT 0, " +
      `written INT NOT NULL DEFAULT 0, pad CHAR(100) NOT NULL DEFAULT 'x')${settingsOf(engine)};\n`,
  });
  await run(scene, "migrate");
  await scene.query(filled(engine, "orders", ROWS));
  return scene;
}

/** @returns milliseconds */
async function run(scene: Scene, ...args: readonly string[]): Promise<number> {
  const began = performance.now();
  const { code, stdout, stderr } = await scene.run(...args);
  if (code !== 0) throw new Error(stdout + stderr);
  return performance.now() - began;
}

/** Leaves nothing of an earlier measurement to clean up, which would be done beside the next one. */
async function settle(engine: Engine, scene: Scene): Promise<void> {
  if (!engine.isMysql) return void await scene.query("VACUUM (ANALYZE) orders");
  const purged = async () => {
    const [row] = await scene.query(
      "SELECT COUNT FROM information_schema.INNODB_METRICS WHERE NAME = 'trx_rseg_history_len'",
    );
    return Number(row!.COUNT) < 100;
  };
  while (!await purged()) await sleep(200);
}

async function backfill(scene: Scene, name: string, more?: string): Promise<number> {
  for (const [path, text] of Object.entries(batches(name, more))) {
    await scene.write(`migrations/main/${path}`, text);
  }
  return await run(scene, "backfill", "run", name);
}

/** The same batches, without a place that is kept. */
async function bareLoop(engine: Engine, scene: Scene): Promise<number> {
  await using client = await engine.client(scene.datasource);
  const began = performance.now();
  for (let place = 0;;) {
    const [row] = await client.query(
      `SELECT MAX(id) AS last FROM (SELECT id FROM orders WHERE id > ${place} ORDER BY id LIMIT ${SIZE}) keys_of_it`,
    );
    if (row!.last === null) return performance.now() - began;
    const range = `id > ${place} AND id <= ${row!.last}`;
    await client.query(`UPDATE orders SET total = total + quantity WHERE ${range}`);
    place = Number(row!.last);
  }
}

/** Writes single rows at an even rate. @returns the time that a share of them took at most, in milliseconds */
async function writing(engine: Engine, scene: Scene, until: Promise<unknown>) {
  const times: number[] = [];
  let isOver = false;
  until.finally(() => isOver = true).catch(() => {});
  const clients = await Promise.all(Array.from({ length: 8 }, async () => {
    const client = await engine.client(scene.datasource);
    // The first statement of a session takes longer.
    await client.query("UPDATE orders SET written = written + 1 WHERE id = -1");
    return client;
  }));
  const began = performance.now();
  let sent = 0;
  await Promise.all(clients.map(async (connected) => {
    await using client = connected;
    while (!isOver) {
      const due = began + sent++ * 1000 / WRITES_A_SECOND;
      await sleep(Math.max(0, due - performance.now()));
      const id = 3 * (1 + Math.floor(Math.random() * ROWS));
      await client.query(`UPDATE orders SET written = written + 1 WHERE id = ${id}`);
      times.push(performance.now() - Math.max(due, began));
    }
  }));
  times.sort((a, b) => a - b);
  return (share: number) => times[Math.floor(times.length * share)]!;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function measure(engine: Engine): Promise<readonly Figure[]> {
  await using scene = await migrated(engine);
  const [own, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await settle(engine, scene);
    bare.push(await bareLoop(engine, scene));
    await settle(engine, scene);
    own.push(await backfill(scene, `1${round}_backfill.sql`));
  }
  await settle(engine, scene);
  const idle = await writing(engine, scene, sleep(IDLE_MS));
  const working = backfill(scene, "20_backfill.sql", ", pause 50ms");
  const loaded = await writing(engine, scene, working);
  await working;
  const seconds = (values: readonly number[]) => `${(median(values) / 1000).toFixed(2)} s`;
  return [
    {
      name: `${engine.title}: a backfill beside a bare loop of the same batches`,
      value: median(own) / median(bare),
      unit: "times",
      bound: { atMost: 1.3 },
      note: `${ROWS} rows: ${seconds(own)}, bare ${seconds(bare)}`,
    },
    {
      name: `${engine.title}: 99th percentile of ${WRITES_A_SECOND} writes a second beside it`,
      value: loaded(0.99) / idle(0.99),
      unit: "times",
      bound: { below: 2 },
      note: [0.99, 0.95, 0.5].map((share) =>
        `${100 * share} %: ${loaded(share).toFixed(1)} ms, idle ${idle(share).toFixed(1)} ms`
      ).join("; "),
    },
  ];
}

async function measureCluster(documents: number): Promise<Figure> {
  await using scene = await ClusterScene.of(PLAIN);
  const began = performance.now();
  const { killed, total, once, changed, kept } = await changeThoughKilled(scene, documents, 20);
  return {
    name: `${PLAIN.name}: documents not changed, changed twice, or changed against the query`,
    value: total - once + Math.abs(changed - once) + (total - documents - kept),
    unit: "documents",
    bound: { atMost: 0 },
    note: `${total} documents, ${killed} kills, ${
      Math.round((performance.now() - began) / 1000)
    } s`,
  };
}

if (import.meta.main) {
  console.log(machine());
  const figures: Figure[] = [];
  if (DOCUMENTS) figures.push(await measureCluster(DOCUMENTS));
  else {for (const engine of ENGINES.filter(({ ignore }) => !ignore)) {
      figures.push(...await measure(engine));
      await engine.cleanUp();
    }}
  if (!report(figures)) Deno.exitCode = 1;
}
