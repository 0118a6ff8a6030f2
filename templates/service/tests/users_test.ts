import { testApplication } from "irori/testing";
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { application } from "../src/application.ts";

/** The application on a new database, with the migrations applied. */
async function start() {
  const folder = await mkdtemp(join(tmpdir(), "users-"));
  const config = { ...application.config, "database.file": join(folder, "test.db") };
  const app = await testApplication({ ...application, config });
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close();
      await rm(folder, { recursive: true });
    },
  };
}

const ada = { name: "Ada Lovelace", email: "ada@example.com" };

test("POST /users creates a user, which GET then finds", async () => {
  await using users = await start();
  const created = await users.app.send("POST", "/users", ada);
  assert.equal(created.status, 201);
  assert.equal(created.headers.get("Location"), "/users/1");
  assert.deepEqual(await created.json(), { id: 1, ...ada });
  assert.deepEqual(await (await users.app.get("/users/1")).json(), { id: 1, ...ada });
  assert.deepEqual(await (await users.app.get("/users")).json(), [{ id: 1, ...ada }]);
});

test("POST /users answers 409 for an email that is taken, 400 for invalid values", async () => {
  await using users = await start();
  assert.equal((await users.app.send("POST", "/users", ada)).status, 201);
  assert.equal((await users.app.send("POST", "/users", ada)).status, 409);
  const long = `${"a".repeat(250)}@example.com`;
  for (const wrong of [{ email: "ada" }, { email: long }, { name: "\0" }]) {
    assert.equal((await users.app.send("POST", "/users", { ...ada, ...wrong })).status, 400);
  }
});

test("GET /users/{id} answers 404 for an unknown user", async () => {
  await using users = await start();
  assert.equal((await users.app.get("/users/1")).status, 404);
  assert.equal((await users.app.get("/users/99999999999")).status, 404);
});

test("GET /actuator/health reports that the database is up", async () => {
  await using users = await start();
  const health = await users.app.get("/actuator/health");
  assert.equal(health.status, 200);
  assert.equal((await health.json()).status, "UP");
});
