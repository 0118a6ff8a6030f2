import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { retry } from "../../../../src/migrations/runner/mod.ts";
import { localClient } from "../../../../src/migrations/sql/engines/d1/local.ts";
import { loadRuntime } from "../../../../src/runtime/mod.ts";

const { files } = await loadRuntime();
const STATE = ".wrangler/state/v3/d1/miniflare-D1DatabaseObject";

const client = (root: string, localId: string, own: typeof files = files) => {
  const database = { file: join(root, "wrangler.toml"), localId };
  return localClient(database, { files: own }, (text) => text);
};

Deno.test("local D1 + the file has the name that wrangler gives it", async () => {
  const root = await Deno.makeTempDir();
  const ids = ["aaaaaaaa-0000-0000-0000-000000000001", "preview-2", "THREE"];
  for (const id of ids) {
    const made = await client(root, id);
    assertEquals((await made.all("SELECT 1 AS a")).rows.length, 1);
    assertEquals(
      (await names(root)).filter((name) => name.endsWith("ite")).length,
      ids.indexOf(id),
    );
    await made.change({ sql: "CREATE TABLE a (id)", values: [] });
    made.close();
  }
  assertEquals((await names(root)).filter((name) => name.endsWith(".sqlite")), [
    "62681e6d27fb52c73bf66a6f15ddfff1aef3d10ff544645cc3e7c72a3ebfc59c.sqlite",
    "8bc27a3e67ebd574f2ea4d8712fc4edad898012ae04d08a535d35158ec7f4006.sqlite",
    "a233ae7bae6c05f3d8cf94dbe466e498bd83b2d9c047ff1e2929c5b7ff234ada.sqlite",
  ]);
  await Deno.remove(root, { recursive: true });
});

Deno.test("local D1 + two that make the database at once keep what both have written", async () => {
  for (let round = 0; round < 25; round++) {
    const root = await Deno.makeTempDir();
    const write = async (delay: number) => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      const made = await client(root, "a");
      const change = (sql: string) =>
        retry(() => made.change({ sql, values: [] }).catch(() => undefined), { timeoutMs: 5_000 });
      await change("CREATE TABLE IF NOT EXISTS a (id)");
      await change("INSERT INTO a VALUES (1)");
      made.close();
    };
    await Promise.all([write(0), write(round / 12)]);
    const made = await client(root, "a");
    assertEquals((await made.all("SELECT count(*) AS n FROM a")).rows, [{ n: 2 }]);
    made.close();
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("local D1 + what a file sets ends before the next one", async () => {
  const root = await Deno.makeTempDir();
  const made = await client(root, "a");
  await made.batch([{ sql: "PRAGMA ignore_check_constraints = ON", values: [] }]);
  assertEquals((await made.all("PRAGMA ignore_check_constraints")).rows, [
    { ignore_check_constraints: 0 },
  ]);
  assertEquals((await made.all("PRAGMA foreign_keys")).rows, [{ foreign_keys: 1 }]);
  made.close();
  await Deno.remove(root, { recursive: true });
});

async function names(root: string): Promise<readonly string[]> {
  return await files.list(join(root, STATE)).catch(() => []);
}
