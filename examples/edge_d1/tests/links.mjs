import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { loadConfig, migrateSql } from "irori/migrations";
import { getPlatformProxy, unstable_startWorker as startWorker } from "wrangler";

/** The databases of the tests. */
const state = mkdtempSync(join(tmpdir(), "links-"));
let worker;

before(async () => {
  const { env, dispose } = await getPlatformProxy({ persist: { path: join(state, "v3") } });
  await migrateSql({ using: { main: env.DB } })(await loadConfig({ directory: "config" }));
  await dispose();
  worker = await startWorker({
    config: "wrangler.jsonc",
    build: { custom: { command: "" } }, // 'npm test' has built it.
    dev: { server: { hostname: "127.0.0.1", port: 0 }, persist: state, logLevel: "error" },
  });
});
after(async () => {
  await worker?.dispose();
  rmSync(state, { recursive: true });
});

const ask = (path, init) => worker.fetch(`http://links.example${path}`, init);
const create = (link) => {
  const headers = { "Content-Type": "application/json" };
  return ask("/links", { method: "POST", headers, body: JSON.stringify(link) });
};

test("a link is created once, followed, and its visits are counted", async () => {
  const docs = { slug: "docs", url: "https://example.com/docs" };
  const created = await create(docs);
  assert.deepEqual([created.status, await created.json()], [201, { ...docs, visits: 0 }]);
  assert.equal((await create(docs)).status, 409);

  const followed = await ask("/docs", { redirect: "manual" });
  assert.deepEqual([followed.status, followed.headers.get("Location")], [302, docs.url]);
  // The visit is counted after the response.
  while ((await (await ask("/links")).json())[0].visits === 0);
  assert.deepEqual(await (await ask("/links")).json(), [{ ...docs, visits: 1 }]);
});

test("the URL of a link is sent in ASCII", async () => {
  await create({ slug: "ascii", url: "https://bücher.example/\0a" });
  const { headers } = await ask("/ascii", { redirect: "manual" });
  assert.equal(headers.get("Location"), "https://xn--bcher-kva.example/%00a");
});

test("an invalid link is refused, and an unknown one is not found", async () => {
  const url = "https://example.com/";
  for (const wrong of [{ slug: "Docs" }, { slug: "links" }, { url: "javascript:alert(1)" }]) {
    assert.equal((await create({ slug: "x", url, ...wrong })).status, 400);
  }
  assert.equal((await create({ slug: "x", url: url.padEnd(2001, "x") })).status, 400);
  assert.equal((await ask("/unknown")).status, 404);
});
