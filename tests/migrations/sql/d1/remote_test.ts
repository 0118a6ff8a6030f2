/** Databases of Cloudflare by D1's HTTP API, of which only a double is at hand: what errors and cuts do to a run. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { depth } from "../../../long/mod.ts";
import type { Fault } from "./api.ts";
import { DONE, type Remote, remote, TREE } from "./remote.ts";

Deno.test("remote D1 + a run is batches on connections of their own, with the token in a header", async () => {
  await using made = await remote();
  const { code, stdout, stderr } = await made.run("migrate", "-v");
  assertEquals([code, stderr], [0, ""]);
  assertEquals(made.rows("SELECT n FROM a"), DONE);
  const { requests } = made.api;
  const trips = Number(/\((\d+) round trips\)/.exec(stdout)?.[1]);
  assertEquals(requests.length, trips);
  assert(trips <= 16, `${trips} round trips`);
  const path = `/accounts/${made.api.account}/d1/database/${made.id}/raw`;
  for (const { method, headers, ...request } of requests) {
    assertEquals([method, request.path], ["POST", path]);
    assertEquals(headers.authorization, `Bearer ${made.api.token}`);
    assertEquals([headers["content-type"], headers.connection], ["application/json", "close"]);
    assertEquals(Object.keys(JSON.parse(request.body)), ["sql"]);
    assert(!`${request.path}${request.body}`.includes(made.api.token));
  }
  const own = requests.length;
  assertMatch((await made.run("migrate")).stdout, /2 unchanged/);
  assert(requests.length - own <= 12, `${requests.length - own} requests without a change`);
});

Deno.test("remote D1 + what is missing is named, and nothing is sent", async () => {
  await using made = await remote();
  const start = "Cannot use the D1 database 'main' of 'main': expected ";
  const file = join(made.space.path, "wrangler.jsonc");
  for (const command of ["migrate", "status", "plan"]) {
    const account = await made.runWith({ CLOUDFLARE_ACCOUNT_ID: undefined }, command);
    assertEquals(account.code, 2);
    assertStringIncludes(
      account.stderr,
      `${start}the environment variable CLOUDFLARE_ACCOUNT_ID, or 'account_id' in '${file}'`,
    );
    for (const token of [undefined, ""]) {
      const { code, stderr } = await made.runWith({ CLOUDFLARE_API_TOKEN: token }, command);
      assertEquals(code, 2);
      assertStringIncludes(
        stderr,
        `${start}the environment variable CLOUDFLARE_API_TOKEN, a token`,
      );
    }
  }
  await using without = await remote({ database_id: undefined });
  const { code, stderr } = await without.run("migrate");
  assertEquals(code, 2);
  assertStringIncludes(stderr, `${start}a 'database_id' of it in '`);
  assertEquals([...made.api.requests, ...without.api.requests], []);
  assertEquals((await made.runWith({ CLOUDFLARE_API_TOKEN: undefined }, "validate")).code, 0);
});

Deno.test("remote D1 + a variable that cannot be sent is named, and nothing is sent", async () => {
  await using made = await remote();
  for (const url of ["127.0.0.1:8796", "localhost:8796", "http://", "ftp://a"]) {
    const { code, stderr } = await made.runWith({ CLOUDFLARE_API_BASE_URL: url }, "status");
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, `expected CLOUDFLARE_API_BASE_URL to be a URL such as 'https://`);
  }
  for (const token of ["wrong-tök-123456", "wrong-token\n-12345", "wrong-token-12345\n"]) {
    const { code, stderr } = await made.runWith({ CLOUDFLARE_API_TOKEN: token }, "status");
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, "expected CLOUDFLARE_API_TOKEN to be of ASCII characters");
  }
  assertEquals(made.api.requests, []);
});

Deno.test("remote D1 + a server that does not exist is named, and one that answers without a result", async () => {
  await using made = await remote();
  const url = "http://127.0.0.1:1/client/v4";
  const away = await made.runWith({ CLOUDFLARE_API_BASE_URL: url }, "status");
  assertEquals(away.code, 7);
  assertMatch(away.stderr, /D1's API gave no answer: .+ \(127\.0\.0\.1:1\)/);
  const empty = JSON.stringify({ success: true, errors: [], messages: [], result: [] });
  made.api.failNext(1, { status: 200, html: empty });
  const { code, stderr } = await made.run("status");
  assertEquals(code, 7, stderr);
  assertStringIncludes(stderr, "D1's API answered 200 without a result");
});

Deno.test("remote D1 + the account is taken from wrangler's configuration", async () => {
  await using made = await remote();
  const text = await Deno.readTextFile(join(made.space.path, "wrangler.jsonc"));
  await made.space.write(
    "wrangler.jsonc",
    text.replace("{", `{"account_id":"${made.api.account}",`),
  );
  assertEquals((await made.runWith({ CLOUDFLARE_ACCOUNT_ID: undefined }, "migrate")).code, 0);
});

Deno.test("remote D1 + a token, an account and an id that are wrong", async () => {
  await using made = await remote();
  const token = await made.runWith({ CLOUDFLARE_API_TOKEN: "wrong-token-123456" }, "migrate");
  assertEquals(token.code, 7, token.stderr);
  assertStringIncludes(token.stderr, "D1's API answered 401: Authentication error (10000)");
  assertStringIncludes(token.stderr, "CLOUDFLARE_API_TOKEN has to be a token of this account");
  assertStringIncludes(token.stderr, "or 'D1: Read' for commands that only read");
  const account = await made.runWith({ CLOUDFLARE_ACCOUNT_ID: "other" }, "migrate");
  assertEquals(account.code, 7);
  assertStringIncludes(account.stderr, "D1's API answered 403");
  await using gone = await remote({ database_id: "00000000-0000-0000-0000-000000000000" });
  const { code, stderr } = await gone.run("migrate");
  assertEquals(code, 7);
  assertStringIncludes(stderr, "D1's API answered 404: The database 00000000");
});

Deno.test("remote D1 + too many requests are waited for, as long as for a lock", async () => {
  await using made = await remote();
  const many = { status: 429, code: 10429, message: "Too many requests", retryAfter: 1 };
  made.api.failNext(2, many);
  const { code, stderr } = await made.run("migrate");
  assertEquals(code, 0, stderr);
  assertMatch(stderr, /Waiting: D1's API takes no more requests for now \(429\)/);
  assertEquals(made.rows("SELECT n FROM a"), DONE);
  made.api.failNext(1_000, many);
  const before = made.api.requests.length;
  const refused = await made.run("migrate", "--lock-timeout", "3s");
  assertEquals(refused.code, 7, refused.stderr);
  assertStringIncludes(refused.stderr, "D1's API takes no more requests for now (429)");
  const sent = made.api.requests.length - before;
  assert(sent <= 20, `${sent} requests in three seconds, each of which asks to wait for one`);
});

const FAULTS: Readonly<Record<string, Fault>> = {
  "cut before": { cut: true, isDone: false },
  "cut after": { cut: true, isDone: true },
  "500": { status: 500, code: 7500, message: "Internal error" },
  "502 of a proxy": { status: 502, html: "<html>Bad gateway</html>" },
};

for (const [name, fault] of Object.entries(FAULTS)) {
  Deno.test(`remote D1 + ${name} at any request ends a run, and the next one goes on`, async () => {
    for (let at = 0;; at += depth(3, 1)) {
      await using made = await remote();
      made.api.failNext(at, { delay: 0 });
      made.api.failNext(1, fault);
      const first = await made.run("migrate");
      if (made.api.requests.length <= at) return;
      // A request that only gives the lock back may fail.
      assert([0, 7].includes(first.code), `${at}: ${first.code} ${first.stderr}`);
      if (first.code === 7) {
        assertMatch(first.stderr, /D1's API (?:gave no answer|answered 50[02])/, `${at}`);
        endLease(made);
      }
      const { code, stdout, stderr } = await made.run("migrate", "--lock-timeout", "1s");
      assertEquals(code, 0, `${at}: ${stdout}${stderr}`);
      assertEquals(made.rows("SELECT n FROM a"), DONE, `${at}`);
      const records = made.rows(
        "SELECT migration_path AS path FROM framework_migrations ORDER BY 1",
      );
      assertEquals(records.map(({ path }) => path), ["0001_a.sql", "0002_b.sql"], `${at}`);
    }
  });
}

Deno.test("remote D1 + the lock of another run is asked for seldom", async () => {
  await using made = await remote();
  assertEquals((await made.run("migrate")).code, 0);
  made.rows("INSERT INTO framework_migrations_lock VALUES (1, 'other', 'other-host-1', 1e15)");
  await made.space.write("migrations/0003_c.sql", "CREATE TABLE c (n INTEGER);\n");
  const before = made.api.requests.length;
  const { code, stderr } = await made.run("migrate", "--lock-timeout", "3s");
  assertEquals(code, 6, stderr);
  assertStringIncludes(stderr, "other-host-1");
  const sent = made.api.requests.length - before;
  assert(sent <= 15, `${sent} requests in three seconds`);
  made.rows("DELETE FROM framework_migrations_lock");
  assertEquals((await made.run("migrate")).code, 0);
});

Deno.test("remote D1 + a slow answer is waited for", async () => {
  await using made = await remote();
  made.api.failNext(4, { delay: 300 });
  const { code, stderr } = await made.run("migrate");
  assertEquals([code, stderr], [0, ""]);
  assertEquals(made.rows("SELECT n FROM a"), DONE);
});

Deno.test("remote D1 + an error of a file names its line, and the file is taken back", async () => {
  await using made = await remote({}, {
    ...TREE,
    "migrations/0003_c.sql": "INSERT INTO a VALUES (3);\n\nINSERT INTO missing VALUES ('?', 1);\n",
  });
  const { code, stdout, stderr } = await made.run("migrate");
  assertEquals(code, 8);
  assertStringIncludes(
    stdout + stderr,
    "main/0003_c.sql:3: The database refused statement 2 of 2: no such table: missing",
  );
  assertEquals(made.rows("SELECT n FROM a"), DONE);
});

/** As if the minute had gone by that the lock of a run lasts which could not give it back. */
function endLease({ rows }: Remote): void {
  try {
    rows("UPDATE framework_migrations_lock SET until = 0");
  } catch { /* The run has not come so far. */ }
}
