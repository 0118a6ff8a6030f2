import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { CLI } from "../../e2e/command_line.ts";
import { IS_ALL } from "../../long/mod.ts";
import { ENGINES, filled, type Scene, serversTest, sleep } from "./support.ts";

Deno.test.afterAll(async () => {
  for (const engine of ENGINES) if (!engine.ignore) await engine.cleanUp();
});

const KILLS = IS_ALL ? 100 : 5;
const ROWS = KILLS * 2500;
const TABLE = "CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, quantity INT, total INT, " +
  "times INT NOT NULL DEFAULT 0);\n";

/** Kills a run at a random moment of its work. @returns whether it was still going on */
async function kill(scene: Scene): Promise<boolean> {
  const progress = async () => {
    const rows = await scene.query("SELECT progress FROM irori_backfills").catch(() => []);
    return `${rows[0]?.progress}`;
  };
  const before = await progress();
  const own = ["-c", join(scene.path, "config"), "--sqlPath", join(scene.path, "migrations")];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", CLI, ...own, "backfill", "run"],
    stdout: "null",
    stderr: "null",
  }).spawn();
  let isOver = false;
  const ended = child.status.then(() => isOver = true);
  while (await progress() === before && !isOver) await sleep(5);
  await sleep(Math.random() * 150);
  const wasOver = isOver;
  if (!isOver) child.kill("SIGKILL");
  await ended;
  return !wasOver;
}

async function killOften(scene: Scene): Promise<number> {
  let killed = 0;
  while (killed < KILLS && await kill(scene)) killed++;
  assert(killed > 0);
  return killed;
}

async function assertOnce(scene: Scene, killed: number): Promise<void> {
  const { code, stdout, stderr } = await scene.run("backfill", "run");
  assertEquals(code, 0, stdout + stderr);
  const rows = await scene.query("SELECT times, COUNT(*) AS n FROM orders GROUP BY times");
  assertEquals(rows.map(({ times }) => Number(times)), [1], `${killed} kills`);
  console.log(`${killed} kills, ${rows[0]!.n} rows`);
}

serversTest("backfill run + changes each row once though runs are killed", async (engine) => {
  await using scene = await engine.scene({
    "01_orders.sql": TABLE,
    "02_times_backfill.sql": "-- irori: batches of 50 by id, pause 2ms\n" +
      "UPDATE orders SET times = times + 1 WHERE ${irori.batch};\n",
  });
  assertEquals((await scene.run("migrate")).code, 0);
  await scene.query(filled(engine, "orders", ROWS));
  await assertOnce(scene, await killOften(scene));
});

serversTest(
  "backfill run + leaves no row out that is written late, moved or inserted beside it, though runs are killed",
  async (engine) => {
    await using scene = await engine.scene({
      "01_orders.sql": TABLE,
      "02_times_backfill.sql": "-- irori: batches of 50 by id, pause 2ms\n" +
        "UPDATE orders SET total = quantity, times = times + 1 WHERE total IS NULL AND ${irori.batch};\n",
    });
    assertEquals((await scene.run("migrate")).code, 0);
    await scene.query(filled(engine, "orders", ROWS));
    let isOver = false;
    const writing = (async () => {
      for (let number = 1; !isOver; number++) {
        const random = () => 1 + Math.floor(Math.random() * ROWS);
        // Keys of the first rows are multiples of 3.
        const insert = (id: number) =>
          scene.query(`INSERT INTO orders (id, quantity) VALUES (${id}, ${number})`).catch(
            () => {},
          );
        await insert(random() * 3 + 1);
        await insert(ROWS * 3 + number);
        const [from, to] = [random() * 3, random() * 3 + 2];
        await scene.query(`UPDATE orders SET id = ${to} WHERE id = ${from}`).catch(() => {});
        await sleep(20);
      }
    })();
    let killed = 0;
    try {
      killed = await killOften(scene);
    } finally {
      isOver = true;
      await writing;
    }
    await assertOnce(scene, killed);
  },
);
