import { client } from "irori/client";
import { accessTable } from "irori/testing";
import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../contract.ts";
import { needsServer, start } from "./with_database.ts";

test("who may do what", needsServer, async () => {
  await using conduit = await start();
  await client(conduit.url, contract).user.register({
    body: {
      user: {
        username: "ada",
        email: "ada@example.com",
        password: "correct horse",
      },
    },
  });
  const users = { anonymous: undefined, ada: { name: "1", id: "1" } };
  // Requests have no body: 422 is beyond the check.
  assert.equal(
    await accessTable(conduit.app, { users, values: { username: "ada" } }),
    `
                                           anonymous  ada
GET /api/articles                          200        200
POST /api/articles                         401        422
GET /api/articles/feed                     401        200
DELETE /api/articles/{slug}                401        404
GET /api/articles/{slug}                   404        404
PUT /api/articles/{slug}                   401        422
GET /api/articles/{slug}/comments          404        404
POST /api/articles/{slug}/comments         401        422
DELETE /api/articles/{slug}/comments/{id}  401        404
DELETE /api/articles/{slug}/favorite       401        404
POST /api/articles/{slug}/favorite         401        404
GET /api/profiles/{username}               200        200
DELETE /api/profiles/{username}/follow     401        200
POST /api/profiles/{username}/follow       401        200
GET /api/tags                              200        200
GET /api/user                              401        200
PUT /api/user                              401        422
POST /api/users                            422        422
POST /api/users/login                      422        422
`,
  );
  for (const path of ["/openapi.json", "/docs", "/actuator/health"]) {
    assert.equal((await conduit.app.request(`/api${path}`)).status, 200, path);
  }
});
