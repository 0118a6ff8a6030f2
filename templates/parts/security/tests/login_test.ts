import { accessTable } from "irori/testing";
import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./start.ts";

test("POST /login gives a token, which opens the routes", async () => {
  await using users = await start();
  const login = await users.app.send("POST", "/login", { name: "admin", password: "of the tests" });
  assert.equal(login.status, 200);
  const { accessToken } = await login.json();
  const headers = { Authorization: `Bearer ${accessToken}` };
  assert.equal((await users.app.get("/users", headers)).status, 200);
  assert.equal((await users.app.get("/users")).status, 401);
});

test("POST /login answers 401 for a wrong name or password", async () => {
  await using users = await start();
  for (const credentials of [{ name: "admin", password: "x" }, { name: "eve", password: "x" }]) {
    assert.equal((await users.app.send("POST", "/login", credentials)).status, 401);
  }
});

test("each route has the access that this table states", async () => {
  await using users = await start();
  const table = await accessTable(users.app, {
    users: {
      anonymous: undefined,
      ada: { name: "ada" },
      admin: { name: "admin", roles: ["admin"] },
    },
  });
  assert.equal(
    table,
    `
                 anonymous  ada  admin
POST /login      400        400  400
GET /users       401        200  200
POST /users      401        403  400
GET /users/{id}  401        404  404
`,
  );
});
