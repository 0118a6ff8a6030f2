import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./start.ts";

test("GET /openapi.json describes the routes", async () => {
  await using users = await start();
  const document = await (await users.app.get("/openapi.json")).json();
  assert.equal(document.openapi, "3.1.0");
  assert.deepEqual(Object.keys(document.paths["/users"]), ["get", "post"]);
  assert.deepEqual(Object.keys(document.paths["/users/{id}"].get.responses).slice(0, 1), ["200"]);
});

test("GET /docs is a page that shows them", async () => {
  await using users = await start();
  const page = await users.app.get("/docs");
  assert.equal(page.status, 200);
  assert.match(await page.text(), /swagger-ui/);
});
