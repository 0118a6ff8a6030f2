/** The double of D1's HTTP API: its rules, and that wrangler's own client accepts what it answers. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type D1Api, d1Api } from "./api.ts";
import { variablesOf } from "./clients.ts";
import { wranglerIn } from "./project.ts";

interface Body {
  readonly success: boolean;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  // deno-lint-ignore no-explicit-any -- the shape depends on the endpoint
  readonly result: any;
}

/** Sends what a client of the API sends. */
async function send(
  { url, account, token }: Pick<D1Api, "url" | "account" | "token">,
  path: string,
  body?: object,
): Promise<Body & { readonly response: Response }> {
  const response = await fetch(`${url}/accounts/${account}/d1/database${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      // On a connection that is kept, Deno sends a request again when it gets no answer.
      Connection: "close",
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { ...await response.json(), response };
}

/** The rows of each statement. */
async function rows(api: D1Api, id: string, body: object): Promise<unknown[][]> {
  const { result, errors } = await send(api, `/${id}/query`, body);
  assertEquals(errors, []);
  return result.map(({ results }: { readonly results: unknown[] }) => results);
}

async function refusal(api: D1Api, id: string, body: object): Promise<string> {
  const { success, errors, response } = await send(api, `/${id}/query`, body);
  assertEquals([success, response.status, errors.length, errors[0]?.code], [
    false,
    400,
    1,
    7500,
  ], JSON.stringify(body).slice(0, 100));
  return errors[0]!.message;
}

Deno.test("double of D1's API + runs several statements, parameters and batches", async () => {
  await using api = await d1Api();
  const id = api.create("main");
  const sql =
    "CREATE TABLE a (id INTEGER PRIMARY KEY, n TEXT); -- a; b\nINSERT INTO a VALUES (?, ?)";
  assertEquals(await rows(api, id, { sql, params: [1, "x;y"] }), [[], []]);
  const trigger =
    "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET n = 'b;'; END; SELECT * FROM a;";
  assertEquals(await rows(api, id, { sql: trigger }), [[], [{ id: 1, n: "x;y" }]]);
  const batch = [{ sql: "INSERT INTO a VALUES (?, 'c')", params: [2] }, { sql: "SELECT n FROM a" }];
  assertEquals(await rows(api, id, { batch }), [[], [{ n: "b;" }, { n: "b;" }]]);
  const raw = await send(api, `/${id}/raw`, { sql: "SELECT 1 AS a, x'01ff' AS a" });
  assertEquals(raw.result[0].results, { columns: ["a", "a"], rows: [[1, [1, 255]]] });
  const changed = await send(api, `/${id}/query`, { sql: "DELETE FROM a" });
  assertEquals([changed.result[0].meta.changes, changed.result[0].meta.changed_db], [2, true]);
});

Deno.test("double of D1's API + rolls back a whole request", async () => {
  await using api = await d1Api();
  const id = api.create("main");
  await rows(api, id, { sql: "CREATE TABLE a (id INTEGER PRIMARY KEY)" });
  const failing = ["INSERT INTO a VALUES (1)", "CREATE TABLE b (x)", "SELECT json('irori')"];
  for (const body of [{ sql: failing.join(";") }, { batch: failing.map((sql) => ({ sql })) }]) {
    assertEquals(await refusal(api, id, body), "malformed JSON: SQLITE_ERROR");
  }
  const names = "SELECT name FROM sqlite_schema WHERE name NOT GLOB '_cf_*'";
  assertEquals(await rows(api, id, { sql: `SELECT * FROM a; ${names}` }), [[], [{ name: "a" }]]);
});

Deno.test("double of D1's API + always enforces foreign keys", async () => {
  await using api = await d1Api();
  const id = api.create("main");
  const sql = "CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1);" +
    "CREATE TABLE c (p REFERENCES p ON DELETE CASCADE); INSERT INTO c VALUES (1)";
  await rows(api, id, { sql });
  const orphan = "INSERT INTO c VALUES (9)";
  const violated =
    "FOREIGN KEY constraint failed: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_FOREIGNKEY)";
  assertEquals(await refusal(api, id, { sql: `PRAGMA foreign_keys = OFF; ${orphan}` }), violated);
  const deferred = `PRAGMA defer_foreign_keys = ON; ${orphan}`;
  const atEnd = await refusal(api, id, { sql: deferred });
  assert(atEnd.startsWith("Durable Object was reset and rolled back"), atEnd);
  assertStringIncludes(atEnd, violated);
  await rows(api, id, { sql: `${deferred}; INSERT INTO p VALUES (9)` });
  const rebuild = "PRAGMA foreign_keys = OFF; CREATE TABLE n (id INTEGER PRIMARY KEY);" +
    "INSERT INTO n SELECT id FROM p; DROP TABLE p; ALTER TABLE n RENAME TO p";
  await rows(api, id, { sql: rebuild });
  const counts = "SELECT (SELECT count(*) FROM p) AS p, (SELECT count(*) FROM c) AS c";
  assertEquals(await rows(api, id, { sql: counts }), [[{ p: 2, c: 0 }]]);
});

// The messages are those of `prepare().run()` in Miniflare 4.20260730.
const REFUSED: readonly (readonly [sql: string, message: string])[] = [
  ...["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "RELEASE a"].map((sql) =>
    [sql, "To execute a transaction, please use the state.storage.transaction()"] as const
  ),
  ...[
    "ATTACH ':memory:' AS x",
    "CREATE TEMP TABLE t (x)",
    "CREATE TABLE temp.t (x)",
    "CREATE TABLE _cf_x (x)",
    "DROP TABLE _cf_METADATA",
    "CREATE VIRTUAL TABLE r USING rtree (id, a, b)",
    "PRAGMA journal_mode",
    "PRAGMA user_version",
    "PRAGMA database_list",
    "PRAGMA integrity_check",
    "SELECT * FROM pragma_database_list",
  ].map((sql) => [sql, "not authorized: SQLITE_AUTH"] as const),
  ["VACUUM", "cannot VACUUM from within a transaction: SQLITE_ERROR"],
  ["SELECT * FROM _cf_METADATA", "access to _cf_METADATA.key is prohibited: SQLITE_AUTH"],
  ["SELECT sqlite_version()", "not authorized to use function: sqlite_version"],
  [`SELECT '${"x".repeat(100_000)}'`, "statement too long: SQLITE_TOOBIG"],
  [
    Array(6).fill("SELECT 1").join(" UNION ALL "),
    "too many terms in compound SELECT: SQLITE_ERROR",
  ],
  [
    `SELECT 1 LIKE '${"x".repeat(51)}'`,
    "LIKE or GLOB pattern too complex: SQLITE_ERROR",
  ],
  ["SELECT ?, '?' -- ?", "Wrong number of parameter bindings for SQL query."],
  ["-- nothing", "No SQL statements detected."],
  ["SELEC", 'near "SELEC": syntax error'],
];

Deno.test("double of D1's API + refuses what D1 refuses", async () => {
  await using api = await d1Api();
  const id = api.create("main");
  for (const [sql, expected] of REFUSED) {
    const message = await refusal(api, id, { sql });
    assert(message.startsWith(expected), `${sql.slice(0, 80)}: ${message}`);
  }
  const allowed = "PRAGMA table_list; PRAGMA quick_check; SELECT name FROM pragma_table_list();" +
    "CREATE VIRTUAL TABLE f USING fts5 (a); CREATE TABLE main.m (x); DROP TABLE main.m";
  assertEquals((await rows(api, id, { sql: allowed })).length, 6);
});

Deno.test("double of D1's API + finds databases, and refuses foreign tokens, accounts and ids", async () => {
  await using api = await d1Api();
  const [main, other] = [api.create("main"), api.create("main-preview")];
  const uuids = async (path: string) =>
    (await send(api, path)).result.map(({ uuid }: { readonly uuid: string }) => uuid);
  assertEquals(await uuids("?name=main"), [main, other]);
  assertEquals(await uuids("?name=preview&per_page=10&page=1"), [other]);
  assertEquals((await send(api, "/main?fields=uuid,name")).result.uuid, main);
  const sql = { sql: "SELECT 1" };
  const answers = [
    await send({ ...api, token: "x" }, `/${main}/query`, sql),
    await send({ ...api, account: "x" }, `/${main}/query`, sql),
    await send(api, `/${crypto.randomUUID()}/query`, sql),
    await send(api, `/${main}/query`, {}),
    await send(api, `/${main}/nothing`, {}),
  ];
  assertEquals(
    answers.map(({ response, errors }) => [response.status, errors[0]?.code]),
    [[401, 10000], [403, 10000], [404, 7404], [400, 7400], [404, 7003]],
  );
});

Deno.test("double of D1's API + fails as often as a test wants", async () => {
  await using api = await d1Api();
  const id = api.create("main");
  const insert = () => send(api, `/${id}/query`, { sql: "INSERT INTO a VALUES (1)" });
  await rows(api, id, { sql: "CREATE TABLE a (n)" });
  api.failNext(2, { status: 429, code: 10429, message: "Too many requests", retryAfter: 1 });
  api.failNext(1, { cut: true, isDone: false });
  api.failNext(1, { cut: true, isDone: true });
  api.failNext(1, { status: 502, html: "<html>Bad gateway</html>" });
  api.failNext(1, { delay: 30 });
  for (const _ of "12") {
    const { response } = await insert();
    assertEquals([response.status, response.headers.get("Retry-After")], [429, "1"]);
  }
  await assertRejects(insert);
  await assertRejects(insert);
  await assertRejects(insert, SyntaxError);
  const start = performance.now();
  await insert();
  assert(performance.now() - start >= 29);
  assertEquals(await rows(api, id, { sql: "SELECT count(*) AS n FROM a" }), [[{ n: 2 }]]);
  assertEquals(api.requests.length, 8);
});

Deno.test("double of D1's API + answers wrangler's own client", async (t) => {
  await using api = await d1Api();
  const root = await Deno.makeTempDir();
  const id = api.create("main");
  const database = { binding: "DB", database_name: "main", database_id: id };
  const config = { name: "try", compatibility_date: "2025-09-01", d1_databases: [database] };
  await Deno.mkdir(join(root, "migrations"));
  await Deno.writeTextFile(join(root, "wrangler.json"), JSON.stringify(config));
  const write = (name: string, text: string) =>
    Deno.writeTextFile(join(root, "migrations", name), text);
  const first = "CREATE TABLE a (id INTEGER PRIMARY KEY, n TEXT);\r\n" +
    "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET n = 'x'; END;";
  await write("0001_first.sql", first);
  await write("0002_second.sql", "CREATE TABLE b (id);\nINSERT INTO a VALUES (1, 2, 3);");
  const runWrangler = async (...args: string[]) => {
    const { code, stdout, stderr } = await wranglerIn(root, args, variablesOf(api));
    return { code, text: stdout + stderr };
  };
  const query = (sql: string) =>
    runWrangler("execute", "main", "--remote", "--json", "--command", sql);

  try {
    await t.step("a file is applied, the next one is rolled back with its record", async () => {
      const { code, text } = await runWrangler("migrations", "apply", "DB", "--remote");
      assertEquals(code, 1, text);
      assertStringIncludes(text, "table a has 2 columns but 3 values were supplied");
      const sent = api.requests.map(({ body }) => JSON.parse(body).sql);
      assertStringIncludes(sent[0], 'CREATE TABLE IF NOT EXISTS "d1_migrations"(');
      assertEquals(sent[1]?.replace(/\s+/g, " "), 'SELECT * FROM "d1_migrations" ORDER BY id');
      const record = `INSERT INTO "d1_migrations" (name)\nvalues ('0001_first.sql');`;
      assertEquals(sent[2], `${first.replace("\r\n", "\n")}\n${record}`);
      assertEquals(sent.length, 4);
      const [{ method, path, headers } = api.requests[0]!] = api.requests;
      assertEquals([method, path], ["POST", `/accounts/${api.account}/d1/database/${id}/query`]);
      assertEquals(headers["content-type"], "application/json");
      const sql = "SELECT name FROM d1_migrations; SELECT name FROM sqlite_schema WHERE name = 'b'";
      assertEquals(await rows(api, id, { sql }), [[{ name: "0001_first.sql" }], []]);
    });

    await t.step("rows are printed as JSON", async () => {
      const sql = "INSERT INTO a VALUES (1, 'y'); SELECT * FROM a";
      const { code, text } = await query(sql);
      assertEquals(code, 0, text);
      const results = JSON.parse(text).map(({ results }: { readonly results: unknown }) => results);
      assertEquals(results, [[], [{ id: 1, n: "x" }]]);
    });

    await t.step("an error keeps its code", async () => {
      api.failNext(1, { status: 429, code: 10429, message: "Too many requests", retryAfter: 7 });
      const before = api.requests.length;
      const { code, text } = await query("SELECT 1");
      assertEquals(code, 1, text);
      assertEquals(JSON.parse(text).error.code, 10429);
      assertStringIncludes(text, "wait 7 second(s)");
      assertEquals(api.requests.length, before + 1, "wrangler does not retry");
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
