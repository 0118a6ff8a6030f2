import { client } from "irori/client";
import assert from "node:assert/strict";
import { contract } from "../contract.ts";
import { app, databaseTest, dispatcher } from "./with_database.ts";

const { login } = client("http://localhost", contract, {
  fetch: async (request) => await app.fetch(request),
});
const carl = { name: "carl", password: "a password of carl" };
const unauthorized = { status: 401 };

databaseTest("a refresh token that is used twice ends the login", async () => {
  await dispatcher.courier.add({ body: carl });
  await assert.rejects(login.login({ body: { ...carl, password: "another" } }), unauthorized);

  const first = await login.login({ body: carl });
  const Authorization = `Bearer ${first.accessToken}`;
  assert.equal((await app.get("/parcels/1", { Authorization })).status, 404);

  const second = await login.refresh({ body: first });
  await assert.rejects(login.refresh({ body: first }), unauthorized);
  await assert.rejects(login.refresh({ body: second }), unauthorized);
});

databaseTest("a token in a cookie is accepted from pages of the application only", async () => {
  const body = { name: "dispatcher", password: "correct horse battery" };
  const [cookie = ""] = (await login.login.response({ body })).headers.getSetCookie();
  const [Cookie = ""] = cookie.split(";");
  const announce = async (site: string) => {
    const headers = { Cookie, "Sec-Fetch-Site": site };
    return (await app.send("POST", "/parcels", { address: "1 Main Street" }, headers)).status;
  };
  assert.deepEqual([await announce("same-origin"), await announce("cross-site")], [201, 403]);
});
