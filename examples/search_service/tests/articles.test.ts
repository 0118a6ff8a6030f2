import { Client } from "@opensearch-project/opensearch";
import { migrateSearch } from "irori/migrations";
import { type TestApplication, testApplication } from "irori/testing";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import process from "node:process";
import { after, before, test } from "node:test";
import { service } from "../service.ts";

/** An OpenSearch. The tests write articles of their own, and delete them. */
const url = process.env.TEST_SEARCH_URL;

/** Skips tests without a server. */
const needsServer = { skip: url === undefined && "TEST_SEARCH_URL names no OpenSearch" };

const word = randomUUID().replaceAll("-", "");
const ids = ["a", "b", "c"].map((letter) => `${letter}-${word}`);
const article = (title: string, text: string) => ({ title, text });
let app: TestApplication;

before(async () => {
  if (needsServer.skip) return;
  const config = { cluster: { url: url ?? "" } };
  app = await testApplication({ ...service, startup: [migrateSearch()], config });
});
after(async () => {
  if (needsServer.skip) return;
  const client = app.context.get(Client);
  for (const id of ids) await client.delete({ index: "articles", id });
  await app.close();
});

test(
  "articles are found by stems of words, titles first, page by page",
  needsServer,
  async () => {
    const put = async (id: string, title: string, text: string) =>
      (await app.send("PUT", `/articles/${id}`, article(title, text))).status;
    const statuses = [
      await put(ids[0]!, "Trains", `<p>Two <b>trains</b> of ${word}</p>`),
      await put(ids[1]!, `Trains of ${word}`, "None"),
      await put(ids[2]!, "Ships", `Ships of ${word}`),
    ];
    assert.deepEqual(statuses, [204, 204, 204]);

    const search = async (query: string) => await (await app.get(`/articles?${query}`)).json();
    const { content, page } = await search(`q=${word}&size=2`);
    assert.equal(content[0].id, ids[1]);
    assert.deepEqual([content.length, page.totalElements, page.totalPages], [2, 3, 2]);
    assert.equal((await search(`q=${word}&size=2&page=2`)).content.length, 1);

    const stem = await search(`q=train+${word}`);
    assert.deepEqual(
      stem.content.map(({ id }: { id: string }) => id).slice(0, 2),
      [ids[1], ids[0]],
    );
    assert.equal(stem.content[1].text.trim(), `Two trains of ${word}`); // By the pipeline.
  },
);

test("a write is refused with 503 while the index is blocked", needsServer, async () => {
  const { indices } = app.context.get(Client);
  const block = (write: boolean) =>
    indices.putSettings({ index: "articles", body: { index: { blocks: { write } } } });
  await block(true);
  const { status } = await app.send("PUT", `/articles/${ids[0]}`, article("Trains", word));
  await block(false);
  assert.equal(status, 503);
});

test("an invalid search is refused", needsServer, async () => {
  const status = async (query: string) => (await app.get(`/articles?${query}`)).status;
  assert.deepEqual(
    [
      await status("q="),
      await status("q=x&page=101&size=100"),
      await status("q=x&size=1000"),
    ],
    [400, 400, 400],
  );
});

test("the service is ready while the cluster answers", needsServer, async () => {
  assert.equal((await app.get("/actuator/health/readiness")).status, 200);
});
