import { databaseForTest, migrateSql } from "irori/migrations";
import { testApplication } from "irori/testing";
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import pg from "pg";
import { tenants } from "../tenants.ts";

/** A PostgreSQL server on which the user may create databases. */
const server = process.env.TEST_PG_URL;

/** Skips tests without a server. */
const needsServer = { skip: server === undefined && "TEST_PG_URL names no PostgreSQL" };

const operator = { Authorization: `Basic ${btoa("operator:correct horse battery")}` };

test("a tenant reads and writes its own rows only", needsServer, async () => {
  await using app = await start();
  const acme = await app.keyOf("acme");
  const globex = await app.keyOf("globex");
  assert.equal((await app.send("POST", "/notes", { text: "tea" }, acme)).status, 201);
  assert.equal((await app.send("POST", "/notes", { text: "milk" }, globex)).status, 201);
  assert.equal((await app.send("POST", "/notes", { text: "salt" }, globex)).status, 201);

  const notes = async (headers: HeadersInit) => await (await app.get("/notes", headers)).json();
  assert.deepEqual(await notes(acme), [{ id: 1, text: "tea" }]);
  assert.deepEqual(await notes(globex), [{ id: 1, text: "milk" }, { id: 2, text: "salt" }]);
  assert.equal((await app.get("/notes/2", acme)).status, 404);
  assert.equal((await app.get("/notes/99999999999", acme)).status, 404);
  assert.equal((await app.send("POST", "/notes", { text: "\0" }, acme)).status, 400);
});

test("only the operator adds tenants, and only members have notes", needsServer, async () => {
  await using app = await start();
  const acme = await app.keyOf("acme");
  const add = async (name: string, headers: HeadersInit) =>
    (await app.send("POST", "/tenants", { name }, headers)).status;
  assert.deepEqual(
    [await add("globex", {}), await add("globex", acme), await add("acme", operator)],
    [401, 403, 409],
  );
  assert.deepEqual([await add("public;", operator), await add("pg_x", operator)], [400, 400]);
  const status = async (headers: HeadersInit) => (await app.get("/notes", headers)).status;
  assert.deepEqual([await status(operator), await status({ "X-API-Key": "none" })], [403, 401]);
  assert.equal((await app.get("/notes", acme)).status, 200);
});

test("the next start migrates the tenants that there are", needsServer, async () => {
  await using app = await start();
  await app.keyOf("acme");
  // As the tenant was before a release with another file.
  const pool = app.context.get(pg.Pool);
  await pool.query("DROP SCHEMA tenant_acme CASCADE; CREATE SCHEMA tenant_acme");
  await migrateSql()(app.config);
  const { rows } = await pool.query("SELECT * FROM tenant_acme.notes");
  assert.deepEqual(rows, []);
});

test("a request is refused with 503 while the database does not respond", async () => {
  const database = { url: "postgres://127.0.0.1:1/none" };
  await using app = await testApplication({ ...tenants, profiles: ["dev"], config: { database } });
  assert.equal((await app.get("/notes", { "X-API-Key": "key" })).status, 503);
});

/** The application on a new database. */
async function start() {
  const options = { url: server, root: tenants.root, connection: "registry" };
  const { url = "", close } = await databaseForTest(options);
  const app = await testApplication({
    ...tenants,
    profiles: ["dev"],
    config: { database: { url } },
  });
  return {
    ...app,
    async keyOf(name: string) {
      const response = await app.send("POST", "/tenants", { name }, operator);
      assert.equal(response.status, 201);
      return { "X-API-Key": (await response.json()).key as string };
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await close();
    },
  };
}
