/** Behaviour that the specification leaves open. */
import { sql } from "kysely";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Database } from "../src/database/database.ts";
import { needsServer, start } from "./with_database.ts";

let conduit: Awaited<ReturnType<typeof start>>;
before(async () => {
  if (!needsServer.skip) conduit = await start();
});
after(() => conduit?.[Symbol.asyncDispose]());

test(
  "of requests at once that register a name, one succeeds",
  needsServer,
  async () => {
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((letter) => register("ada", letter)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      201,
      409,
      409,
      409,
    ]);
  },
);

test("an article without its tags is not stored", needsServer, async () => {
  const { user: { token } } = await (await register("bob")).json();
  await sql`ALTER TABLE article_tags ADD CHECK (tag <> 'refused')`
    .execute(conduit.app.context.get(Database).connection);
  const article = {
    title: "Half",
    description: "Short",
    body: "Long",
    tagList: ["a", "refused"],
  };
  const refused = await send("POST", "/articles", { article }, token);
  assert.equal(refused.status, 500);
  assert.deepEqual(await refused.json(), {
    errors: { server: ["has failed"] },
  });
  const { articlesCount } = await (await send("GET", "/articles?author=bob"))
    .json();
  assert.equal(articlesCount, 0);
});

test(
  "users who favor an article at once are all counted",
  needsServer,
  async () => {
    const users = await Promise.all(
      ["carl", "dora", "erin"].map(async (name) => (await (await register(name)).json()).user),
    );
    const article = { title: "Liked", description: "Short", body: "Long" };
    const created = await send(
      "POST",
      "/articles",
      { article },
      users[0].token,
    );
    const { article: { slug } } = await created.json();
    await Promise.all(
      users.flatMap(({ token }) =>
        [1, 2].map(() => send("POST", `/articles/${slug}/favorite`, {}, token))
      ),
    );
    const found = await (await send("GET", `/articles/${slug}`, undefined, users[1].token))
      .json();
    assert.deepEqual([found.article.favoritesCount, found.article.favorited], [
      3,
      true,
    ]);
  },
);

test(
  "texts that PostgreSQL cannot store are stored as what it can",
  needsServer,
  async () => {
    const registered = await register("a\0b");
    assert.equal((await registered.json()).user.username, "a\ufffdb");
    assert.equal((await send("GET", "/profiles/a%00b")).status, 200);
  },
);

test(
  "errors of the framework have the body of the specification",
  needsServer,
  async () => {
    const found = [];
    for (
      const [request, body] of [["GET /nothing"], ["PATCH /tags"], [
        "POST /users",
        "{",
      ]] as const
    ) {
      const [method = "", path = ""] = request.split(" ");
      const answer = await send(method, path, body);
      found.push([request, answer.status, (await answer.json()).errors]);
    }
    assert.deepEqual(found, [
      ["GET /nothing", 404, { request: ["Not Found"] }],
      ["PATCH /tags", 405, { request: ["Method Not Allowed"] }],
      ["POST /users", 422, {
        body: ["The request body is not well-formed JSON"],
      }],
    ]);
  },
);

test("pages of other origins may send requests", needsServer, async () => {
  const answer = await fetch(`${conduit.url}/api/user`, {
    method: "OPTIONS",
    headers: {
      "Origin": "https://conduit.example",
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "authorization,content-type",
    },
  });
  const allowed = (what: string) => answer.headers.get(`Access-Control-Allow-${what}`);
  assert.equal(answer.status, 204);
  assert.equal(allowed("Origin"), "*");
  assert.match(allowed("Methods") ?? "", /\bPUT\b/);
  assert.equal(allowed("Headers"), "authorization,content-type");
});

async function send(
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<Response> {
  const headers = new Headers(
    body === undefined ? {} : { "Content-Type": "application/json" },
  );
  if (token) headers.set("Authorization", `Token ${token}`);
  return await fetch(`${conduit.url}/api${path}`, {
    method,
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function register(
  username: string,
  address = username.replace("\0", ""),
): Promise<Response> {
  const user = {
    username,
    email: `${address}@example.com`,
    password: "correct horse",
  };
  return await send("POST", "/users", { user });
}
