import { client } from "irori/client";
import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../contract.ts";
import { headersOf } from "./callers.ts";
import { callEveryRoute, FOUND } from "./every_route.ts";
import { needsServer, startWithDatabase } from "./with_database.ts";

test("a client calls every route", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  const found = await callEveryRoute(
    tracks.url,
    headersOf("user"),
    headersOf("admin"),
  );
  assert.deepEqual(found, FOUND);
  const routes = Object.entries(contract).flatMap(([controller, operations]) =>
    Object.keys(operations).map((name) =>
      `${controller.replace("Controller", "").toLowerCase()}.${name}`
    )
  );
  const called = Object.keys(found).filter((name) => !name.includes(","));
  assert.deepEqual(called.sort(), routes.sort());
});

test("a client uploads and downloads by streams", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  const { attachment } = client(tracks.url, contract, {
    headers: headersOf("admin"),
  });
  const chunk = new Uint8Array(2 ** 16).map((_, index) => index % 251);
  let count = 0;
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (count++ < 48) controller.enqueue(chunk);
        else controller.close();
      },
    });
  const [kept] = await attachment.upload({
    id: 2,
    body: { file: { name: "large.bin", stream } },
  });
  assert.deepEqual([kept?.name, kept?.size], ["large.bin", 48 * chunk.length]);
  const { body } = await attachment.download({ id: kept!.id });
  let size = 0;
  for await (const bytes of body!) {
    for (const [index, byte] of bytes.entries()) {
      if (byte !== chunk[(size + index) % chunk.length]) {
        assert.fail(`at ${size + index}`);
      }
    }
    size += bytes.length;
  }
  assert.equal(size, kept?.size);
});
