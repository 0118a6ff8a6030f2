import { assertEquals, assertInstanceOf, assertMatch, assertRejects } from "@std/assert";
import {
  ConnectionError,
  InterruptedError,
  LockedError,
  MigrationFailedError,
} from "../../../src/migrations/runner/mod.ts";
import {
  brokenAnswer,
  type ClusterDouble,
  startClusterDouble,
} from "../../servers/cluster_double.ts";
import { repeat } from "../../repeat.ts";
import { fileOf } from "../runner/memory.ts";
import { apply, connectionTo, resolved, standing } from "./runner.ts";

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

/** The lock as a run that was killed left it, long ago unless the test says otherwise. */
async function leaveLock(
  double: ClusterDouble,
  pending: readonly (string | Record<string, unknown>)[],
  secondsLeft = -3600,
): Promise<void> {
  const source = {
    state: "held",
    owner: "other-2-b",
    lease_expires_at: new Date(Date.now() + secondsLeft * 1000).toISOString(),
    pending: pending.map((item) =>
      typeof item === "string" ? { id: `logs/${item}`, hash: "h" } : item
    ),
  };
  const target = { index: { _index: "framework_migrations_lock", _id: "logs" } };
  const body = `${JSON.stringify(target)}\n${JSON.stringify(source)}\n`;
  await (await fetch(`${double.url}/_bulk`, { method: "POST", body })).body?.cancel();
}

Deno.test("a raw POST without an answer is not sent again before it is resolved", async () => {
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

  const settled = await resolved(double.url, { "2.json": post }, "2.json", "applied");
  assertEquals(settled?.isPending, false);
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
  assertMatch(String(first.error), /does not say whether it applied POST \/_aliases: HTTP 504/);
  broken = false;
  const settled = await resolved(double.url, files, "2.json", "retry");
  assertEquals(settled?.isPending, true);
  assertEquals(await resolved(double.url, files, "2.json", "retry"), undefined);
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
  await leaveLock(double, ["2.json"], 60);
  // Whatever the clocks say: the lock does not change, so the run takes over, and finds the POST of the other.
  const options = { leaseMs: 200 };
  assertInstanceOf((await apply(double.url, files, options)).error, InterruptedError);
  assertEquals(lockOf(double).pending.map(({ id }) => id), ["logs/2.json"]);
  assertInstanceOf((await apply(double.url, files, options)).error, InterruptedError);
  assertEquals(count(double, "POST /_aliases"), 0);
});

Deno.test("a POST that stood behind the file in hand was never sent, and needs no decision", async () => {
  await using double = startClusterDouble();
  await leaveLock(double, ["1.json", "2.json"]);
  const files = { "1.json": put("a"), "2.json": post };
  assertEquals((await apply(double.url, files)).error, undefined);
});

Deno.test("a killed run's file that was deleted or recorded needs no decision", async () => {
  await using double = startClusterDouble();
  await leaveLock(double, ["gone.json"]);
  assertEquals((await apply(double.url, { "2.json": post })).error, undefined);
});

Deno.test("resolve waits for a run that is going on, and names it", async () => {
  await using double = startClusterDouble();
  await leaveLock(double, ["2.json"], 60);
  const files = { "2.json": post };
  const beat = repeat(() => leaveLock(double, ["2.json"], 60), 20);
  const error = await assertRejects(
    () => resolved(double.url, files, "2.json", "retry", { lockTimeoutMs: 200, leaseMs: 2000 }),
    LockedError,
  );
  await beat[Symbol.asyncDispose]();
  assertMatch(error.message, /other-2-b/);
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

Deno.test("a write of the lock whose answer was lost is recognized", async () => {
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

Deno.test("a run that lost its lock stops before its next request, and exits as locked", async () => {
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
  assertInstanceOf(report.error, LockedError);
  assertMatch(
    report.error.message,
    /lock was lost to another run: stopped before the next request/,
  );
  assertEquals(count(double, "PUT /_index_template/b"), 0);
  assertEquals(double.documents.indices.get("framework_migrations")!.documents.size, 0);
});

Deno.test("a run whose lock is taken during its last request does not end well", async () => {
  for (const file of [put("a"), post]) {
    await using double: ClusterDouble = startClusterDouble({
      intercept: async (line) => {
        if (/_index_template|_aliases/.test(line)) await leaveLock(double, []);
        return undefined;
      },
    });
    const report = await apply(double.url, { "1.json": file });
    assertInstanceOf(report.error, LockedError);
    assertEquals(lockOf(double).state, "held");
  }
});

Deno.test("a run that was frozen does not write over what another one has recorded", async () => {
  await using double: ClusterDouble = startClusterDouble({
    intercept: async (line) => {
      if (line !== "POST /_aliases") return undefined;
      // Another run, of another version of the file, works while this one is frozen.
      double.documents.indices.get("framework_migrations_lock")!.documents.delete("logs");
      const other = await apply(double.url, { "1.json": put("a") }, { owner: "other-2-b" });
      assertEquals(other.error, undefined);
      return undefined;
    },
  });
  const report = await apply(double.url, { "1.json": post });
  assertInstanceOf(report.error, LockedError);
  assertMatch(
    report.error.message,
    /record of '1\.json' was changed meanwhile: other-2-b has written/,
  );
  const { source } = double.documents.indices.get("framework_migrations")!.documents.get(
    "logs/1.json",
  )!;
  assertEquals((source as { resource: string }).resource, "PUT /_index_template/a");
});

Deno.test("a run accepts a record of the same content that another one wrote behind the release of its lock", async () => {
  const { hash } = await fileOf("1.json", put("a"));
  let isRecorded = false;
  await using double: ClusterDouble = startClusterDouble({
    intercept: async (line) => {
      if (line !== "PUT /_index_template/a" || isRecorded) return undefined;
      isRecorded = true;
      // A cluster may write the record after the lock, although one request has both.
      const target = { index: { _index: "framework_migrations", _id: "logs/1.json" } };
      const source = {
        migration_path: "1.json",
        connection: "logs",
        content_hash: hash,
        executed_at: new Date().toISOString(),
        executed_by: "other-2-b",
      };
      const body = `${JSON.stringify(target)}\n${JSON.stringify(source)}\n`;
      await (await fetch(`${double.url}/_bulk`, { method: "POST", body })).body?.cancel();
      return undefined;
    },
  });
  const first = await apply(double.url, { "1.json": put("a") });
  assertEquals([first.error, first.results[0]?.outcome], [undefined, "applied"]);
  const next = await apply(double.url, { "1.json": put("a") });
  assertEquals([next.error, next.results[0]?.outcome], [undefined, "skipped"]);
  assertEquals(lockOf(double).state, "free");
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
    const { hash } = await fileOf("1.json", file);
    await leaveLock(double, [{ id: "logs/1.json", hash }]);
    const report = await apply(double.url, { "1.json": file });
    assertEquals(report.error, undefined);
    assertMatch(report.results[0]!.note!, note);
  }
});

Deno.test("a DELETE whose answer got lost is done; one of a missing object is refused", async () => {
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

Deno.test("an unreadable effect does not count as done when its request was sent more than once", async () => {
  let lose = true;
  const answer = () => Response.json({ error: { type: "x", reason: "gone" } }, { status: 404 });
  await using double = startClusterDouble({
    intercept: (line) => line === "DELETE /_snapshot/r/s" && !lose ? answer() : undefined,
    loseAnswer: (line) => {
      if (line !== "DELETE /_snapshot/r/s" || !lose) return false;
      lose = false;
      return true;
    },
  });
  const files = { "1.json": '{"method":"DELETE","path":"/_snapshot/r/s"}' };
  const report = await apply(double.url, files);
  assertInstanceOf(report.error, MigrationFailedError);
  const { files: [file] } = await standing(double.url, files);
  assertEquals(file!.state, "pending");
  assertMatch(file!.known!, /sent more than once, and it is unknown/);
});

Deno.test("a run that was cut off, and a file that was reverted since, are applied again as it was", async () => {
  await using double = startClusterDouble();
  const [old, edited] = [put("a", 1), put("a", 2)];
  const { hash } = await fileOf("1.json", edited);
  await apply(double.url, { "1.json": old });
  // The edited file was received, and the run killed before it could record it.
  const body = JSON.stringify(JSON.parse(edited).body);
  await (await fetch(`${double.url}/_index_template/a`, { method: "PUT", body })).body?.cancel();
  await leaveLock(double, [{ id: "logs/1.json", hash, repeat_safe: true }]);
  const report = await apply(double.url, { "1.json": old });
  assertEquals(report.results.map(({ outcome }) => outcome), ["reapplied"]);
  const { index_templates: [found] } = await (await fetch(`${double.url}/_index_template/a`))
    .json();
  assertEquals(found.index_template.priority, 1);
  assertEquals((await apply(double.url, { "1.json": old })).requests, 1);
});

Deno.test("a run that is cut off again while it applies a reverted file is not forgotten", async () => {
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line !== "PUT /_index_template/a" || !broken) return undefined;
      return new Response("", { status: 500 });
    },
  });
  let broken = false;
  const old = { "1.json": put("a", 1) };
  await apply(double.url, old);
  broken = true;
  assertInstanceOf(
    (await apply(double.url, { "1.json": put("a", 2) })).error,
    MigrationFailedError,
  );
  // Twice, since the second run has to remember what the first one did not know.
  for (let round = 0; round < 2; round++) {
    assertInstanceOf((await apply(double.url, old)).error, MigrationFailedError);
  }
  broken = false;
  const report = await apply(double.url, old);
  assertEquals(report.results.map(({ outcome }) => outcome), ["reapplied"]);
});

Deno.test("a cut-off file that was deleted is reported, and remembered until it is back", async () => {
  await using double = startClusterDouble();
  const { hash } = await fileOf("2.json", put("b", 9));
  await leaveLock(double, [{ id: "logs/2.json", hash, repeat_safe: true }]);
  const notices: string[] = [];
  const report = await apply(double.url, { "1.json": put("a") }, {
    onEvent: (event) => event.type === "notice" && notices.push(`${event.file}: ${event.message}`),
  });
  assertEquals(report.error, undefined);
  assertMatch(
    notices.join(),
    /2\.json: The file was deleted after a run stopped in it: it was interrupted/,
  );
  const back = { "1.json": put("a"), "2.json": put("b", 1) };
  assertEquals((await standing(double.url, back)).files.map(({ state }) => state), [
    "applied",
    "pending",
  ]);
  assertEquals((await apply(double.url, back)).error, undefined);
  assertEquals(lockOf(double).pending, []);
});

Deno.test("a refused file that is renamed is forgotten by the next run that applies one", async () => {
  const refused = "PUT /_index_template/1";
  await using double = startClusterDouble({
    intercept: (line) =>
      line === refused ? Response.json({ error: { type: "x" } }, { status: 400 }) : undefined,
  });
  const template = '{"index_patterns":["a-*"]}';
  assertInstanceOf(
    (await apply(double.url, { "1-template.json": template })).error,
    MigrationFailedError,
  );
  const renamed = { "2-template.json": template };
  assertEquals((await apply(double.url, renamed)).error, undefined);
  assertEquals(lockOf(double).pending, []);
  assertEquals((await apply(double.url, renamed)).requests, 1);
});

Deno.test("a POST needs a decision also when the file before it was recorded and deleted since", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "1.json": put("a") });
  const record = double.documents.indices.get("framework_migrations")!.documents.get("logs/1.json");
  const { content_hash: hash } = record!.source as { content_hash: string };
  await leaveLock(double, ["1.json", "2.json"]);
  (lockOf(double).pending[0] as { id: string; hash?: string }).hash = hash;
  assertInstanceOf((await apply(double.url, { "2.json": post })).error, InterruptedError);
});
