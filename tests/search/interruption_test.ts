import { assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { ConnectionError, InterruptedError, LockedError } from "../../src/migrations/mod.ts";
import { brokenAnswer, type ClusterDouble, startClusterDouble } from "../servers/cluster_double.ts";
import { apply, connectionTo, withSession } from "./runner.ts";

const put = (name: string, priority = 0) =>
  `{"method":"PUT","path":"/_index_template/${name}","body":{"index_patterns":["${name}-1"],"priority":${priority}}}`;
const post =
  '{"method":"POST","path":"/_aliases","body":{"actions":[{"add":{"index":"framework_migrations","alias":"records"}}]}}';

const count = ({ requests }: ClusterDouble, request: string) =>
  requests.filter(({ line }) => line === request).length;

const lockOf = ({ documents }: ClusterDouble) =>
  documents.indices.get("framework_migrations_lock")!.documents.get("logs")!.source as {
    state: string;
    run_id: string;
    pending: { id: string }[];
  };

/** The lock as a run that was killed left it. */
async function leaveLock(double: ClusterDouble, pending: string[]): Promise<void> {
  const source = {
    state: "held",
    owner: "other-2-b",
    lease_expires_at: new Date(Date.now() - 1000).toISOString(),
    pending: pending.map((path) => ({ id: `logs/${path}`, hash: "h" })),
  };
  const target = { index: { _index: "framework_migrations_lock", _id: "logs" } };
  const body = `${JSON.stringify(target)}\n${JSON.stringify(source)}\n`;
  await (await fetch(`${double.url}/_bulk`, { method: "POST", body })).body?.cancel();
}

Deno.test("a raw POST without an answer is not sent again before somebody decides", async () => {
  let lost = true;
  await using double = startClusterDouble({
    loseAnswer: (line) => line === "POST /_aliases" && lost,
  });
  const files = { "1.json": put("a"), "2.json": post, "3.json": put("c") };
  const first = await apply(double.url, files);
  assertInstanceOf(first.error, ConnectionError);
  assertMatch(first.error.message, /may have been received, so it is not sent again/);
  assertEquals(first.results.map(({ outcome }) => outcome), ["applied", "failed", "not run"]);
  assertEquals(lockOf(double).state, "free");

  lost = false;
  for (let again = 0; again < 2; again++) {
    assertInstanceOf((await apply(double.url, files)).error, InterruptedError);
  }
  assertEquals(count(double, "POST /_aliases"), 1);

  const resolved = await withSession(double.url, { "2.json": post }, (session, [migration]) => {
    return session.resolve(migration!, "applied");
  });
  assertEquals(resolved, true);
  const last = await apply(double.url, files);
  assertEquals(last.results.map(({ outcome }) => outcome), ["skipped", "skipped", "applied"]);
  assertEquals(count(double, "POST /_aliases"), 1);
});

Deno.test("a raw POST that is resolved as not applied is sent by the next run", async () => {
  await using double = startClusterDouble({ intercept: (line) => answer504(line) });
  let broken = true;
  function answer504(line: string): Response | undefined {
    return broken && line === "POST /_aliases" ? new Response("", { status: 504 }) : undefined;
  }
  const files = { "2.json": post };
  const first = await apply(double.url, files);
  assertMatch(String(first.error), /does not tell what became of POST \/_aliases: HTTP 504/);
  broken = false;
  const resolve = () =>
    withSession(double.url, files, (session, [file]) => session.resolve(file!, "retry"));
  assertEquals([await resolve(), await resolve()], [true, false]);
  assertEquals((await apply(double.url, files)).results[0]!.outcome, "applied");
});

Deno.test("a raw POST that the cluster refused is simply sent again by the next run", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line === "POST /_aliases" ? new Response("{}", { status: 400 }) : undefined,
  });
  await apply(double.url, { "2.json": post });
  assertMatch(String((await apply(double.url, { "2.json": post })).error), /refused POST/);
});

Deno.test("a connection that was never made leaves nothing to decide", async () => {
  await using double = startClusterDouble();
  const closed = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const dead = `http://127.0.0.1:${closed.addr.port}`;
  closed.close();
  const report = await apply(connectionTo(dead, double.url), { "2.json": post });
  assertEquals(report.error, undefined);
});

Deno.test("what a killed run left undecided outlives a run that waited for its lock", async () => {
  await using double = startClusterDouble();
  const files = { "1.json": put("a"), "2.json": post };
  await leaveLock(double, ["2.json"]);
  // A lease that is about to run out: the run waits, takes over, and finds the POST of the other.
  const lock = lockOf(double) as unknown as Record<string, unknown>;
  lock.lease_expires_at = new Date(Date.now() + 300).toISOString();
  assertInstanceOf((await apply(double.url, files)).error, InterruptedError);
  assertEquals(lockOf(double).pending.map(({ id }) => id), ["logs/2.json"]);
  assertInstanceOf((await apply(double.url, files)).error, InterruptedError);
  assertEquals(count(double, "POST /_aliases"), 0);
});

Deno.test("a POST that stood behind the file in hand was never sent, and needs no decision", async () => {
  await using double = startClusterDouble();
  await leaveLock(double, ["1.json", "2.json"]);
  const files = { "1.json": put("a"), "2.json": post };
  assertEquals((await apply(double.url, files)).error, undefined);
});

Deno.test("a killed run's file that is gone or was recorded needs no decision", async () => {
  await using double = startClusterDouble();
  await leaveLock(double, ["gone.json"]);
  assertEquals((await apply(double.url, { "2.json": post })).error, undefined);
});

Deno.test("resolve waits for a run that is going on, and names it", async () => {
  await using double = startClusterDouble();
  await leaveLock(double, ["2.json"]);
  const lock = lockOf(double) as unknown as Record<string, unknown>;
  lock.lease_expires_at = new Date(Date.now() + 60_000).toISOString();
  const error = await withSession(
    double.url,
    { "2.json": post },
    (session, [file]) => session.resolve(file!, "retry").catch((error) => error),
    { lockTimeoutMs: 200 },
  );
  assertInstanceOf(error, LockedError);
});

Deno.test("a changed file applies the later files for its resource again, also after a failure between", async () => {
  let refused = false;
  await using double = startClusterDouble({
    intercept: (line) =>
      refused && line === "PUT /_index_template/b"
        ? new Response("{}", { status: 400 })
        : undefined,
  });
  const files = (priority: number) => ({
    "1.json": put("a", priority),
    "2.json": put("b", priority),
    "3.json": put("a", 9),
  });
  await apply(double.url, files(1));
  const told: string[] = [];
  const tell = {
    onEvent: (event: { type: string; message?: string }) => {
      if (event.type === "notice") told.push(String(event.message));
    },
  };
  refused = true;
  const failed = await apply(double.url, files(2), tell);
  assertEquals(failed.results.map(({ outcome }) => outcome), ["reapplied", "failed", "not run"]);
  assertMatch(String(told), /did not change: an earlier file for the same resource/);
  refused = false;
  const next = await apply(double.url, files(2));
  assertEquals(next.results.map(({ outcome }) => outcome), ["skipped", "reapplied", "reapplied"]);
  const { index_templates: [found] } = await (await fetch(`${double.url}/_index_template/a`))
    .json();
  assertEquals(found.index_template.priority, 9);
  assertEquals((await apply(double.url, files(2))).requests, 1);
});

Deno.test("a write of the lock whose answer was lost is known as one's own", async () => {
  for (const broken of [1, 2, 3]) {
    let writes = 0;
    await using double = startClusterDouble({
      loseAnswer: (line) => line === "POST /_bulk" && ++writes === broken,
    });
    const report = await apply(double.url, { "1.json": put("a"), "2.json": put("b") });
    assertEquals(report.error, undefined, `write ${broken}`);
    assertEquals(lockOf(double).state, "free");
    assertEquals(count(double, "PUT /_index_template/a"), 1);
  }
});

Deno.test("a run renews its lease while a request takes long", async () => {
  const seen = new Set<string>();
  let finish = () => {};
  await using double = startClusterDouble({
    intercept: async (line, body) => {
      if (line === "POST /_bulk" && body.includes('"held"')) {
        seen.add(/"lease_expires_at":"([^"]+)"/.exec(body)![1]!);
        if (seen.size === 4) finish();
      }
      if (line === "PUT /_index_template/a") await new Promise<void>((done) => finish = done);
      return undefined;
    },
  });
  const report = await apply(double.url, { "1.json": put("a") }, { leaseMs: 120 });
  assertEquals([report.error, seen.size], [undefined, 4]);
});

Deno.test("a run that lost its lock stops before its next request", async () => {
  let noticed = (_: string) => {};
  await using double: ClusterDouble = startClusterDouble({
    intercept: async (line) => {
      if (line !== "PUT /_index_template/a") return undefined;
      const notice = new Promise<string>((done) => noticed = done);
      // Another run takes over while this one hangs.
      await leaveLock(double, []);
      assertMatch(await notice, /Cannot renew the lock: The lock was lost/);
      return undefined;
    },
  });
  const files = { "1.json": put("a"), "2.json": put("b") };
  const onNotice = (message: string) => noticed(message);
  const report = await apply(double.url, files, { leaseMs: 150, onNotice });
  assertMatch(
    String(report.error),
    /lock was lost to another run: stopped before the next request/,
  );
  assertEquals(count(double, "PUT /_index_template/b"), 0);
  assertEquals(double.documents.indices.get("framework_migrations")!.documents.size, 0);
});

Deno.test("a stopped run finishes the file in hand, records it and gives the lock back", async () => {
  const stop = new AbortController();
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line === "PUT /_index_template/a") stop.abort();
      return undefined;
    },
  });
  const files = { "1.json": put("a"), "2.json": put("b") };
  const report = await apply(double.url, files, { signal: stop.signal });
  assertEquals(report.stopped, true);
  assertEquals(report.results.map(({ outcome }) => outcome), ["applied", "not run"]);
  assertEquals([lockOf(double).state, lockOf(double).pending], ["free", []]);
});

Deno.test("a broken answer to work that repeats is tried on the next host", async () => {
  let broken = true;
  const intercept = (line: string) => {
    if (line !== "PUT /_index_template/a" || !broken) return undefined;
    broken = false;
    return brokenAnswer();
  };
  await using double = startClusterDouble({ intercept });
  const report = await apply(connectionTo(double.url, double.url), { "1.json": put("a") });
  assertEquals(report.error, undefined);
});

Deno.test("a request that cannot be done twice is no dead end after a run that was cut off", async () => {
  const table: [file: string, before: string, note: RegExp][] = [
    ['{"method":"DELETE","path":"/x"}', "", /deleted already/],
    ['{"method":"PUT","path":"/x"}', "/x", /exists already/],
  ];
  for (const [file, before, note] of table) {
    await using double = startClusterDouble();
    if (before) await (await fetch(double.url + before, { method: "PUT" })).body?.cancel();
    await leaveLock(double, ["1.json"]);
    const report = await apply(double.url, { "1.json": file });
    assertEquals(report.error, undefined);
    assertMatch(report.results[0]!.note!, note);
  }
});

Deno.test("a DELETE whose answer got lost is done; one of something that is not there is refused", async () => {
  let lose = true;
  await using double = startClusterDouble({
    loseAnswer: (line) => {
      const lost = lose && line === "DELETE /x";
      if (lost) lose = false;
      return lost;
    },
  });
  await (await fetch(`${double.url}/x`, { method: "PUT" })).body?.cancel();
  const file = '{"method":"DELETE","path":"/x"}';
  const report = await apply(double.url, { "1.json": file });
  assertEquals([report.error, report.results[0]!.note], [undefined, "it was deleted already"]);
  assertMatch(String((await apply(double.url, { "2.json": file })).error), /index_not_found/);
});

Deno.test("a POST needs a decision also when the file before it was recorded and is gone since", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "1.json": put("a") });
  const record = double.documents.indices.get("framework_migrations")!.documents.get("logs/1.json");
  const { content_hash: hash } = record!.source as { content_hash: string };
  await leaveLock(double, ["1.json", "2.json"]);
  (lockOf(double).pending[0] as { id: string; hash?: string }).hash = hash;
  assertInstanceOf((await apply(double.url, { "2.json": post })).error, InterruptedError);
});
