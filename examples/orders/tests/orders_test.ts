import { idempotency } from "irori/idempotency";
import { Jobs, jobs } from "irori/jobs";
import { scheduling, TaskScheduler } from "irori/scheduling";
import { FakeClock } from "irori/testing";
import assert from "node:assert/strict";
import { test } from "node:test";
import { needsServer, start } from "./with_database.ts";

const coffee = { sku: "coffee", quantity: 2 };

test("an order and its job are stored together, once for each key", needsServer, async () => {
  await using shop = await start();
  const placed = await shop.place("1", coffee);
  assert.equal(placed.status, 201);
  assert.deepEqual(await placed.json(), { id: 1, ...coffee, status: "placed" });
  assert.equal((await shop.place("1", coffee)).headers.get("Idempotency-Replayed"), "true");
  assert.equal((await shop.place("1", { ...coffee, quantity: 3 })).status, 422);

  const jobs = shop.app.context.get(Jobs);
  assert.deepEqual(await jobs.drain(), { completed: 1, failed: 0, dead: 0 });
  assert.equal((await (await shop.app.get("/orders/1")).json()).status, "reserved");
  const stock = "SELECT quantity FROM stock WHERE sku = 'coffee'";
  assert.deepEqual(await shop.query(stock), [{ quantity: 98 }]);
});

test("a refused order leaves no job", needsServer, async () => {
  await using shop = await start();
  for (const wrong of [{ quantity: 0 }, { sku: "\0" }]) {
    assert.equal((await shop.place("1", { ...coffee, ...wrong })).status, 400);
  }
  assert.equal((await shop.app.get("/orders/99999999999")).status, 404);
  const jobs = shop.app.context.get(Jobs);
  assert.deepEqual(await jobs.drain(), { completed: 0, failed: 0, dead: 0 });
});

test("an order without stock is rejected after 3 retries, and deleted", needsServer, async () => {
  const clock = new FakeClock();
  // The clock takes the place of the waits: the queue is in memory, all else is in the database.
  const extensions = [jobs({ memory: clock }), scheduling({ clock }), idempotency()];
  await using shop = await start(extensions);
  await shop.place("1", { sku: "tea", quantity: 4 });

  const queue = shop.app.context.get(Jobs);
  const ended: unknown[] = [];
  for (const seconds of [0, 1, 2, 4]) {
    await clock.advance(seconds);
    ended.push(await queue.drain());
  }
  const failed = { completed: 0, failed: 1, dead: 0 };
  assert.deepEqual(ended, [failed, failed, failed, { completed: 1, failed: 0, dead: 1 }]);
  assert.deepEqual(await shop.query("SELECT status FROM orders"), [{ status: "rejected" }]);

  const statusAfterAnHour = async () => {
    await clock.advance(3600);
    await shop.app.context.get(TaskScheduler).idle();
    return (await shop.app.get("/orders/1")).status;
  };
  assert.equal(await statusAfterAnHour(), 200);
  await shop.query("UPDATE orders SET placed_at = now() - INTERVAL '31 days'");
  assert.equal(await statusAfterAnHour(), 404);
});
