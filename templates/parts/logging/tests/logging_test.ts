import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./start.ts";

test("a response has the X-Request-Id of its request", async () => {
  await using users = await start();
  const response = await users.app.get("/none", { "X-Request-Id": "test-1" });
  assert.equal(response.headers.get("X-Request-Id"), "test-1");
});
