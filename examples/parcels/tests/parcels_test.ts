import { isProblem } from "irori/client";
import { asUser } from "irori/testing";
import assert from "node:assert/strict";
import { app, courier, databaseTest, dispatcher } from "./with_database.ts";

const address = "1 Main Street";

databaseTest("a changed parcel is not overwritten", async () => {
  const created = await dispatcher.parcel.announce.response({ body: { address } });
  const tag = created.headers.get("ETag") ?? "";
  const { id } = await created.json();

  const known = await courier.parcel.get.response({ id, "If-None-Match": tag });
  assert.deepEqual([known.status, await known.text()], [304, ""]);

  const body = { address: "2 Main Street" };
  const changed = await dispatcher.parcel.redirect({ id, body, "If-Match": tag });
  assert.deepEqual(changed, { id, address: "2 Main Street", status: "announced", version: 2 });
  await assert.rejects(dispatcher.parcel.redirect({ id, body, "If-Match": tag }), { status: 412 });
});

databaseTest("events are followed, and the stream is resumed after the last one", async () => {
  const { id } = await dispatcher.parcel.announce({ body: { address } });
  const first = await courier.parcel.record({ id, body: { type: "picked-up" } });
  const received: unknown[] = [];
  for await (const { data } of dispatcher.parcel.follow({ id })) {
    received.push(JSON.parse(data));
    if (received.length === 2) break;
    await courier.parcel.record({ id, body: { type: "delivered" } });
  }
  assert.deepEqual(received, [
    { parcel: id, type: "picked-up", courier: "carl" },
    { parcel: id, type: "delivered", courier: "carl" },
  ]);
  assert.equal((await dispatcher.parcel.get({ id })).status, "delivered");

  for await (const { data } of dispatcher.parcel.follow({ id, "Last-Event-ID": first.id })) {
    assert.equal(JSON.parse(data).type, "delivered");
    break;
  }
});

databaseTest("no event is recorded for a parcel that does not exist", async () => {
  const error = await courier.parcel.record({ id: 7, body: { type: "delivered" } }).catch((e) => e);
  assert.ok(isProblem(courier.parcel.record, error));
  assert.equal(error.problem.type, "/problems/parcel-not-found");
});

databaseTest("each user has a limit of requests, and each response an id", async () => {
  const get = () => app.request(asUser({ name: "hasty" }, "/parcels/1"));
  for (let count = 0; count < 100; count++) assert.equal((await get()).status, 404);
  const limited = await get();
  assert.equal(limited.status, 429);
  assert.match(limited.headers.get("X-Request-Id") ?? "", /./);
  assert.match(limited.headers.get("Retry-After") ?? "", /./);
  assert.equal((await limited.json()).detail, "Too many requests");
});
