import { assertEquals, assertInstanceOf, assertMatch, assertStringIncludes } from "@std/assert";
import {
  ConnectionError,
  InterruptedError,
  LockedError,
  MigrationFailedError,
} from "../../../src/migrations/runner/mod.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { repeat } from "../../repeat.ts";
import { apply, connectionTo } from "./runner.ts";

const lines = ({ requests }: ClusterDouble) => requests.map(({ line }) => line);
const index = '{"settings":{}}';
const post =
  '{"method":"POST","path":"/_aliases","body":{"actions":[{"add":{"index":"framework_migrations","alias":"records"}}]}}';
const put = (name: string) =>
  `{"method":"PUT","path":"/_index_template/${name}","body":{"index_patterns":["${name}-1"]}}`;

/** The lock as a run of another process left it. */
async function leaveLock(double: ClusterDouble, source: Record<string, unknown>): Promise<void> {
  const target = { index: { _index: "framework_migrations_lock", _id: "logs" } };
  const body = `${JSON.stringify(target)}\n${JSON.stringify({ owner: "other-2-b", ...source })}\n`;
  await (await fetch(`${double.url}/_bulk`, { method: "POST", body })).body?.cancel();
  double.requests.length = 0;
}

const past = new Date(Date.now() - 3600_000).toISOString();
const future = new Date(Date.now() + 60_000).toISOString();

for (const n of [0, 1, 10, 1000, 2500]) {
  Deno.test(`a run of ${n} files sends r + 1 + 2k requests, an unchanged one r`, async () => {
    await using double = startClusterDouble();
    // However slow the machine is: a lease that is renewed is a request more.
    const unhurried = { leaseMs: 3_600_000 };
    const files = Object.fromEntries(
      Array.from({ length: n }, (_, i) => [`${String(i).padStart(5, "0")}.json`, put(`t${i}`)]),
    );
    const reads = Math.max(1, Math.ceil((n + 1) / 1000));
    const first = await apply(double.url, files, unhurried);
    assertEquals(first.error, undefined);
    assertEquals(first.requests, double.requests.length);
    // The lock, two for each file, and the two indices of the first run.
    assertEquals(first.requests, n === 0 ? reads : reads + 1 + 2 * n + 2);
    assertEquals((await apply(double.url, files, unhurried)).requests, reads);
    if (n > 1) {
      const changed = { ...files, "00000.json": put("other"), "zz.json": put("zz") };
      const { requests } = await apply(double.url, changed, unhurried);
      assertEquals(requests, Math.ceil((n + 2) / 1000) + 1 + 4);
    }
  });
}

Deno.test("a run reads, locks, applies and records each file, and releases with the last record", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "a.json": put("a"), "b.json": index });
  assertEquals(lines(double), [
    "POST /_mget",
    "PUT /framework_migrations_lock",
    "PUT /framework_migrations",
    "POST /_bulk",
    "PUT /_index_template/a",
    "POST /_bulk",
    "GET /b",
    "PUT /b",
    "POST /_bulk",
  ]);
  const last = double.requests.at(-1)!.body.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(last[1].migration_path, "b.json");
  assertEquals([last[3].state, last[3].pending], ["free", []]);
});

Deno.test("a record says what ran, when, by whom and how long", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "a/b.json": put("a") });
  const { documents } = double.documents.indices.get("framework_migrations")!;
  const source = documents.get("logs/a/b.json")!.source as Record<string, unknown>;
  assertEquals(Object.keys(source).sort(), [
    "connection",
    "content_hash",
    "duration_ms",
    "executed_at",
    "executed_by",
    "kind",
    "migration_path",
    "resource",
  ]);
  assertEquals([source.connection, source.migration_path, source.executed_by], [
    "logs",
    "a/b.json",
    "test-1-a",
  ]);
  assertMatch(String(source.content_hash), /^[0-9a-f]{64}$/);
});

Deno.test("an id over 512 bytes is the SHA-256 of itself", async () => {
  await using double = startClusterDouble();
  const path = `${"d".repeat(200)}/${"e".repeat(200)}/${"f".repeat(120)}.json`;
  await apply(double.url, { [path]: put("a") });
  const [id] = double.documents.indices.get("framework_migrations")!.documents.keys();
  assertMatch(id!, /^[0-9a-f]{64}$/);
  assertEquals((await apply(double.url, { [path]: put("a") })).requests, 1);
});

Deno.test("an index that exists is left alone, and recorded with that note", async () => {
  await using double = startClusterDouble();
  await fetch(`${double.url}/users`, { method: "PUT" });
  const report = await apply(double.url, { "Users.json": index });
  const note = "the index exists already and was not changed";
  assertEquals([report.results[0]!.outcome, report.results[0]!.note], ["applied", note]);
  assertEquals(lines(double).includes("PUT /users"), true); // the one of this test
  assertEquals(lines(double).filter((line) => line === "PUT /users").length, 1);
});

Deno.test("a failure inside a success stops the run: bulk errors, failures, not acknowledged", async () => {
  const answers: [unknown, RegExp][] = [
    [
      { errors: true, items: [{ index: { error: { type: "mapper_parsing_exception" } } }] },
      /mapper_parsing/,
    ],
    [{ failures: [{ cause: "why" }] }, /1 failures, first .*why/],
    [{ acknowledged: false }, /did not acknowledge/],
  ];
  for (const [answer, message] of answers) {
    await using double = startClusterDouble({
      intercept: (line) => line === "PUT /_index_template/a" ? Response.json(answer) : undefined,
    });
    const report = await apply(double.url, { "1.json": put("a"), "2.json": put("b") });
    assertInstanceOf(report.error, MigrationFailedError);
    assertMatch(report.error.message, message);
    assertEquals(report.results.map(({ outcome }) => outcome), ["failed", "not run"]);
    assertEquals(double.documents.indices.get("framework_migrations")!.documents.size, 0);
    assertEquals((await apply(double.url, { "2.json": put("b") })).error, undefined); // the lock is free
  }
});

Deno.test("a lock that another run holds is waited for, then named", async () => {
  await using double = startClusterDouble();
  const held = { state: "held", lease_expires_at: future, pending: [] };
  await leaveLock(double, held);
  const beat = repeat(() => leaveLock(double, held), 20);
  const told = { notices: [] };
  const report = await apply(double.url, { "a.json": put("a") }, { lockTimeoutMs: 300, told });
  await beat[Symbol.asyncDispose]();
  assertInstanceOf(report.error, LockedError);
  assertEquals(report.error.owner, "other-2-b");
  assertStringIncludes(report.error.message, "other-2-b");
  assertMatch(
    String(told.notices),
    /^Waiting up to 35 s for other-2-b.*longer than the configured 0.3 s/,
  );
});

Deno.test("a lock that does not change expires after a lease on the local clock, whatever its times", async () => {
  for (const lease of [future, past.replace(/^\d+/, "2999"), new Date().toISOString()]) {
    await using double = startClusterDouble();
    await leaveLock(double, { state: "held", lease_expires_at: lease, pending: [] });
    const started = performance.now();
    const options = { lockTimeoutMs: 1, leaseMs: 300 };
    assertEquals((await apply(double.url, { "a.json": put("a") }, options)).error, undefined);
    assertEquals(performance.now() - started >= 300, true);
  }
});

Deno.test("a lock that changes is held, though its lease is over by the clocks", async () => {
  await using double = startClusterDouble();
  const minuteAgo = new Date(Date.now() - 60_000).toISOString();
  const held = { state: "held", lease_expires_at: minuteAgo, pending: [] };
  await leaveLock(double, held);
  const beat = repeat(() => leaveLock(double, held), 30);
  const options = { lockTimeoutMs: 1000, leaseMs: 300 };
  const report = await apply(double.url, { "a.json": put("a") }, options);
  await beat[Symbol.asyncDispose]();
  assertInstanceOf(report.error, LockedError);
});

Deno.test("waiting for a lock ends with the signal, and is no failure", async () => {
  await using double = startClusterDouble();
  await leaveLock(double, { state: "held", lease_expires_at: future, pending: [] });
  const stop = new AbortController();
  const onNotice = () => stop.abort();
  const report = await apply(double.url, { "a.json": put("a") }, { signal: stop.signal, onNotice });
  assertEquals([report.error, report.stopped], [undefined, true]);
});

Deno.test("a lock whose lease ran out is taken over, with a notice", async () => {
  await using double = startClusterDouble();
  await leaveLock(double, { state: "held", lease_expires_at: past, pending: [] });
  const told = { notices: [] };
  assertEquals((await apply(double.url, { "a.json": put("a") }, { told })).error, undefined);
  assertMatch(String(told.notices), /Took over from other-2-b/);
});

Deno.test("a raw POST of a run that was cut off needs a decision; work that repeats does not", async () => {
  const files = { "1.json": put("a"), "2.json": post };
  await using double = startClusterDouble();
  const pending = [{ id: "logs/2.json", hash: "h" }];
  await leaveLock(double, { state: "held", lease_expires_at: past, pending });
  const report = await apply(double.url, files);
  assertInstanceOf(report.error, InterruptedError);
  assertMatch(
    report.error.message,
    /2\.json[^]*resolve 2\.json --applied[^]*resolve 2\.json --retry/,
  );

  const first = [{ id: "logs/1.json", hash: "h" }, ...pending];
  await leaveLock(double, { state: "held", lease_expires_at: past, pending: first });
  assertEquals((await apply(double.url, files)).error, undefined);
});

Deno.test("a cluster that is not ready is asked again, one that fails is not", async () => {
  for (const [status, tries] of [[503, 3], [500, 1]] as const) {
    let count = 0;
    await using double = startClusterDouble({
      intercept: (line) => {
        if (line !== "POST /_aliases" || ++count === 3) return undefined;
        const headers = { "Retry-After": "0" };
        return Response.json({ error: { type: "cluster_block_exception" } }, { status, headers });
      },
    });
    const report = await apply(double.url, { "1.json": post });
    assertEquals(count, tries, `${status}`);
    assertEquals(report.error instanceof MigrationFailedError, status === 500);
  }
});

Deno.test("a raw POST that may have been received is not sent to the next host", async () => {
  await using good = startClusterDouble();
  await using hanging = startClusterDouble({
    intercept: (line) => {
      if (!line.includes("_aliases")) return undefined;
      return new Response(new ReadableStream()); // never ends
    },
  });
  const connection = { ...connectionTo(hanging.url, good.url), timeoutMs: 200 };
  const report = await apply(connection, { "1.json": post });
  assertInstanceOf(report.error, ConnectionError);
  assertMatch(report.error.message, /may have been received/);
  assertEquals(lines(good), []);
});

Deno.test("401 and 403 are a matter of the connection, and show no secret", async () => {
  for (const status of [401, 403]) {
    await using double = startClusterDouble({
      intercept: () => new Response("Unauthorized", { status }),
    });
    const connection = { ...connectionTo(double.url), authorization: "Basic c2VjcmV0OnNlY3JldA==" };
    const report = await apply(connection, { "1.json": put("a") });
    assertInstanceOf(report.error, ConnectionError);
    assertStringIncludes(report.error.message, `HTTP ${status}: Unauthorized`);
    assertEquals(/c2VjcmV0/.test(report.error.message), false);
  }
});
