import { testApplication } from "irori/testing";
import assert from "node:assert/strict";
import { test } from "node:test";
import { tracks } from "../tracks.ts";
import { checkAccess } from "./answers.ts";
import { headersOf } from "./callers.ts";
import { startWithoutDatabase } from "./without_database.ts";

test("who may do what, without a database", async () => {
  await using app = await startWithoutDatabase();
  await checkAccess((path, init) => app.request(path, init));
});

test("a database that is down is 503, once it is known who asks", async () => {
  const datasource = [{ name: "main", url: "postgres://none@127.0.0.1:1/none" }];
  await using app = await testApplication({ ...tracks, profiles: ["dev"], config: { datasource } });
  const answer = await app.get("/issues/1", headersOf("user"));
  assert.deepEqual([answer.status, answer.headers.get("Retry-After")], [503, "5"]);
  assert.equal((await app.get("/issues/1")).status, 401);
});
