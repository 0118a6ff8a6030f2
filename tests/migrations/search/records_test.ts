import { assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { ConnectionError, LockedError } from "../../../src/migrations/runner/mod.ts";
import { idOf, isLongId } from "../../../src/migrations/search/journal/records.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { fileOf } from "../runner/memory.ts";
import { apply, connectionTo, recorded, withSession } from "./runner.ts";

const put = (name: string) =>
  `{"method":"PUT","path":"/_index_template/${name}","body":{"index_patterns":["${name}-1"]}}`;

const lines = ({ requests }: ClusterDouble) => requests.map(({ line }) => line);

const recordsOf = ({ documents }: ClusterDouble) =>
  documents.indices.get("framework_migrations")!.documents;

/** Records as the PHP framework leaves them: ids of its own, few fields, times without a zone. */
async function leaveRecords(double: ClusterDouble, tree: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    const { hash } = await fileOf(path, content);
    const source = {
      migration_path: path,
      connection: "logs",
      content_hash: hash,
      executed_at: "2026-01-31 12:00:00",
    };
    const target = { index: { _index: "framework_migrations", _id: `old-${path}` } };
    const body = `${JSON.stringify(target)}\n${JSON.stringify(source)}\n`;
    await (await fetch(`${double.url}/_bulk`, { method: "POST", body })).body?.cancel();
  }
  double.requests.length = 0;
}

Deno.test("records of the framework that was there before count, and are searched for once", async () => {
  await using double = startClusterDouble();
  await leaveRecords(double, { "1.json": put("a"), "2.json": put("old"), "9.json": put("gone") });
  const files = { "1.json": put("a"), "2.json": put("b"), "3.json": put("c") };
  const report = await apply(double.url, files);
  assertEquals(report.results.map(({ outcome }) => outcome), ["skipped", "reapplied", "applied"]);
  assertEquals(lines(double).filter((line) => line.includes("_search")).length, 1);
  const ours = recordsOf(double).get("logs/1.json")!.source as Record<string, unknown>;
  assertEquals(ours.executed_at, "2026-01-31T12:00:00.000Z");
  assertEquals((await apply(double.url, files)).requests, 1);
});

Deno.test("old records that all count are rewritten by a run that applies nothing", async () => {
  await using double = startClusterDouble();
  const files = { "1.json": put("a"), "2.json": put("b") };
  await leaveRecords(double, files);
  const report = await apply(double.url, files);
  assertEquals(report.results.map(({ outcome }) => outcome), ["skipped", "skipped"]);
  assertEquals(lines(double).some((line) => line.includes("_index_template")), false);
  assertEquals(recordsOf(double).has("logs/2.json"), true);
  const unchanged = await apply(double.url, files);
  assertEquals(unchanged.requests, 1);
});

Deno.test("a connection of its own beside others on one cluster searches once and finds nothing", async () => {
  await using double = startClusterDouble();
  await leaveRecords(double, {});
  await (await fetch(`${double.url}/framework_migrations`, { method: "PUT" })).body?.cancel();
  assertEquals((await apply(double.url, { "1.json": put("a") })).error, undefined);
  assertEquals((await apply(double.url, { "1.json": put("a"), "2.json": put("b") })).requests, 4);
});

Deno.test("IndexJournal.list gives every record of the connection, deleted files included", async () => {
  await using double = startClusterDouble();
  await apply(double.url, { "1.json": put("a"), "2.json": put("b") });
  await apply({ ...connectionTo(double.url), name: "other" }, { "3.json": put("c") });
  const entries = await withSession(double.url, {}, ({ journal }) => journal.list());
  assertEquals([...entries.keys()].sort(), ["1.json", "2.json"]);
  assertEquals(entries.get("1.json")!.applied!.resource, "PUT /_index_template/a");
});

Deno.test("IndexJournal.list of a fresh cluster is empty", async () => {
  await using double = startClusterDouble();
  assertEquals((await withSession(double.url, {}, ({ journal }) => journal.list())).size, 0);
});

Deno.test("baseline writes records and sends nothing else; the next run skips the files", async () => {
  await using double = startClusterDouble();
  const files = { "1.json": put("a"), "2.json": '{"method":"POST","path":"/_aliases"}' };
  assertEquals(await recorded(double.url, files), ["1.json", "2.json"]);
  assertEquals(lines(double).some((line) => /_index_template|_aliases/.test(line)), false);
  const report = await apply(double.url, { ...files, "3.json": put("c") });
  assertEquals(report.results.map(({ outcome }) => outcome), ["skipped", "skipped", "applied"]);
});

Deno.test("a user without the right to read across indices searches instead", async () => {
  let forbidden = false;
  const security = {
    type: "security_exception",
    reason: "no permissions for [indices:data/read/mget]",
  };
  await using double = startClusterDouble({
    intercept: (line) =>
      forbidden && (line === "POST /_mget" || line.includes("_refresh"))
        ? Response.json({ error: security, status: 403 }, { status: 403 })
        : undefined,
  });
  const files = { "1.json": put("a"), "2.json": put("b") };
  await apply(double.url, files);
  forbidden = true;
  const report = await apply(double.url, { ...files, "3.json": put("c") });
  assertEquals(report.results.map(({ outcome }) => outcome), ["skipped", "skipped", "applied"]);
  assertEquals(report.error, undefined);
});

Deno.test("a user without the right to write gets an error that names it", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line === "POST /_bulk"
        ? Response.json({ error: { type: "security_exception", reason: "no permissions" } }, {
          status: 403,
        })
        : undefined,
  });
  const { error } = await apply(double.url, { "1.json": put("a") });
  assertInstanceOf(error, ConnectionError);
  assertMatch(
    error.message,
    /Cannot write a record on http.*security_exception.*needs the right 'cluster_composite_ops'/,
  );

  // With that right, and without the one to write to the index, as the security plugin answers.
  const refused = (status: number) =>
    startClusterDouble({
      intercept: (line) => {
        if (line !== "POST /_bulk") return undefined;
        const item = { status, error: { type: "security_exception", reason: "no permissions" } };
        return Response.json({ errors: true, items: [{ index: item }] });
      },
    });
  for (const status of [403, 401]) {
    await using other = refused(status);
    const { error } = await apply(other.url, { "1.json": put("a") });
    const isTold = /needs the right 'write' on 'framework_migrations_lock'/.test(String(error));
    assertEquals(isTold, status === 403, String(error));
  }
});

Deno.test("a lock index that is blocked for writing is no matter of rights", async () => {
  await using double = startClusterDouble();
  assertEquals((await apply(double.url, { "1.json": put("a") })).error, undefined);
  const block = await fetch(`${double.url}/framework_migrations_lock/_settings`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: '{"index.blocks.write":true}',
  });
  assertEquals((await block.json()).acknowledged, true);
  const { error } = await apply(double.url, { "1.json": put("a"), "2.json": put("b") });
  assertInstanceOf(error, ConnectionError);
  assertMatch(error.message, /Cannot write a record .*HTTP 403.*cluster_block_exception/);
  assertEquals(error.message.includes("needs the right"), false);

  await using failing = startClusterDouble({
    intercept: (line) => line === "POST /_bulk" ? new Response("{}", { status: 500 }) : undefined,
  });
  const failed = await apply(failing.url, { "1.json": put("a") });
  assertMatch(String(failed.error), /Cannot write a record .*HTTP 500/);
  assertEquals(String(failed.error).includes("needs the right"), false);
});

Deno.test("idOf() + takes the SHA-256 of what is over 512 bytes, as isLongId() says", async () => {
  const table: [path: string, isLong: boolean][] = [
    ["x".repeat(507), false],
    ["x".repeat(508), true],
    // 504 bytes in 252 characters, and 508 in 254.
    ["é".repeat(252) + "xxx", false],
    ["é".repeat(254), true],
  ];
  for (const [path, isLong] of table) {
    const id = await idOf("logs", path);
    assertEquals([id !== `logs/${path}`, isLongId("logs", path)], [isLong, isLong], path);
    assertEquals(/^[0-9a-f]{64}$/.test(id), isLong);
  }
});

Deno.test("records that a busy cluster turns away one by one are written again", async () => {
  let busy = 2;
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line !== "POST /_bulk" || busy === 0) return undefined;
      busy--;
      const error = { type: "es_rejected_execution_exception", reason: "queue is full" };
      const items = Array(7).fill({ create: { status: 429, error } });
      return Response.json({ errors: true, items });
    },
  });
  assertEquals((await apply(double.url, { "1.json": put("a") })).error, undefined);
  assertEquals(busy, 0);
});

Deno.test("a lock that cannot be written and that no run holds is given up after the timeout", async () => {
  await using double = startClusterDouble({
    intercept: (line, body) => {
      if (line !== "POST /_bulk") return undefined;
      const lines = body.trim().split("\n").map((text) => JSON.parse(text));
      const items = lines.flatMap((action, at): readonly unknown[] => {
        const [[name, target] = []] = Object.entries<{ _id: string }>(action);
        const written = { _id: target?._id, result: name === "index" ? "created" : "noop" };
        const get = { _source: lines[at - 1] };
        if (name === "create") return [{ create: { _id: "logs", status: 409 } }];
        const isOperation = ["index", "update", "delete"].includes(name ?? "");
        return isOperation ? [{ [name!]: { ...written, status: 200, get } }] : [];
      });
      return Response.json({ errors: true, items });
    },
  });
  const { error } = await apply(double.url, { "1.json": put("a") }, { lockTimeoutMs: 300 });
  assertInstanceOf(error, LockedError);
  assertMatch(
    error.message,
    /^Cannot write the lock of 'logs', which no run holds; gave up after 0 s/,
  );
  assertEquals(lines(double).length < 20, true);
});

Deno.test("a shard that is not ready yet is asked again, and is no missing index", async () => {
  let busy = 2;
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line !== "POST /_mget" || busy === 0) return undefined;
      busy--;
      const error = { type: "no_shard_available_action_exception", reason: "no shard" };
      const doc = { _index: "framework_migrations_lock", _id: "logs", error };
      return Response.json({ docs: [doc] });
    },
  });
  assertEquals((await apply(double.url, { "1.json": put("a") })).error, undefined);
  assertEquals(busy, 0);
});
