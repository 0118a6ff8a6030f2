import { assertEquals, assertMatch, assertObjectMatch } from "@std/assert";
import { join } from "@std/path";
import { type Application, bootstrap } from "@irori/irori";
import { migrateSql } from "@irori/irori/migrations";

/** The application on a fresh database of its own. */
async function start(): Promise<AsyncDisposable & { app: Application; database: string }> {
  const folder = await Deno.makeTempDir();
  const database = join(folder, "users.db");
  const app = await bootstrap({
    root: import.meta.dirname!,
    config: { "users.database": database },
    startup: [migrateSql()],
  });
  return {
    app,
    database,
    async [Symbol.asyncDispose]() {
      await app.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function json(method: string, body: unknown): RequestInit {
  const headers = { "Content-Type": "application/json" };
  return { method, headers, body: JSON.stringify(body) };
}

const ada = { id: 1, name: "Ada Lovelace", email: "ada@example.com" };
const grace = { name: "Grace Hopper", email: "grace@example.com" };

Deno.test("GET /users lists the users", async () => {
  await using users = await start();
  const response = await users.app.request("/users");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("Content-Type"), "application/json");
  const alan = { id: 2, name: "Alan Turing", email: "alan@example.com" };
  assertEquals(await response.json(), { success: true, data: [ada, alan] });
});

Deno.test("GET /users/{id} answers with the user, or 404", async () => {
  await using users = await start();
  const found = await users.app.request("/users/1");
  assertEquals([found.status, await found.json()], [200, { success: true, data: ada }]);
  const absent = await users.app.request("/users/99");
  assertEquals(absent.status, 404);
  assertEquals(await absent.json(), { success: false, message: "User 99 was not found" });
});

Deno.test("GET /users/search wins over /users/{id}", async () => {
  await using users = await start();
  const found = await users.app.request("/users/search?email=ada@example.com");
  assertEquals([found.status, await found.json()], [200, { success: true, data: ada }]);
  const absent = await users.app.request("/users/search?email=unknown@example.com");
  assertEquals(absent.status, 404);
  assertObjectMatch(await absent.json(), { success: false });
});

Deno.test("POST /users creates a user with its Location, once per email", async () => {
  await using users = await start();
  const created = await users.app.request("/users", json("POST", grace));
  assertEquals([created.status, created.headers.get("Location")], [201, "/users/3"]);
  assertEquals(await created.json(), {
    success: true,
    data: { ...grace, id: 3 },
    message: "User created successfully",
  });
  const again = await users.app.request("/users", json("POST", grace));
  assertEquals(again.status, 409);
  assertMatch((await again.json()).message, /already exists/);
});

Deno.test("POST /users answers 500 with the failure text and the exception's message", async () => {
  await using users = await start();
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(users.database);
  database.exec(
    "CREATE TRIGGER full BEFORE INSERT ON users BEGIN SELECT RAISE(ABORT, 'No room left'); END",
  );
  database.close();
  const failed = await users.app.request("/users", json("POST", grace));
  assertEquals(failed.status, 500);
  const message = "Failed to create the user: No room left";
  assertEquals(await failed.json(), { success: false, message });
});

Deno.test("PUT /users/{id} replaces the user and takes the id of the path", async () => {
  await using users = await start();
  const change = { id: 77, name: "Ada King", email: "ada@example.com" };
  const updated = await users.app.request("/users/1", json("PUT", change));
  assertEquals(updated.status, 200);
  const message = "User updated successfully";
  assertEquals(await updated.json(), { success: true, data: { ...change, id: 1 }, message });
  assertEquals((await users.app.request("/users/99", json("PUT", change))).status, 404);
});

Deno.test("PUT /users/{id} answers 409 for an email of another user", async () => {
  await using users = await start();
  const taken = { name: "Ada", email: "alan@example.com" };
  const refused = await users.app.request("/users/1", json("PUT", taken));
  assertEquals(refused.status, 409);
  assertMatch((await refused.json()).message, /already exists/);
});

Deno.test("PUT /users/{id} answers 500 with the failure text when the database refuses", async () => {
  await using users = await start();
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(users.database);
  database.exec(
    "CREATE TRIGGER full BEFORE UPDATE ON users BEGIN SELECT RAISE(ABORT, 'No room left'); END",
  );
  database.close();
  const failed = await users.app.request("/users/1", json("PUT", ada));
  assertEquals(failed.status, 500);
  assertMatch((await failed.json()).message, /^Failed to update the user: /);
});

Deno.test("DELETE /users/{id} deletes the user once", async () => {
  await using users = await start();
  const deleted = await users.app.request("/users/1", { method: "DELETE" });
  const message = "User deleted successfully";
  assertEquals([deleted.status, await deleted.json()], [200, { success: true, message }]);
  assertEquals((await users.app.request("/users/1", { method: "DELETE" })).status, 404);
});

Deno.test("bad requests and unknown paths go through the error controller", async () => {
  await using users = await start();
  const answers: [string, RequestInit, number][] = [
    ["/users/abc", {}, 400],
    ["/users/search", {}, 400],
    ["/nope", {}, 404],
    ["/users", { method: "PATCH" }, 405],
    ["/users", json("POST", { name: "", email: "no" }), 400],
    ["/users", { method: "POST", body: "<x/>", headers: { "Content-Type": "text/xml" } }, 415],
  ];
  for (const [path, init, status] of answers) {
    const response = await users.app.request(path, init);
    assertEquals(response.status, status, path);
    assertObjectMatch(await response.json(), { success: false, path });
  }
});
