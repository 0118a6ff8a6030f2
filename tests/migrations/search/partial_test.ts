import { assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { InterruptedError, MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { apply, resolved, standing } from "./runner.ts";

const BULK = JSON.stringify({
  method: "POST",
  path: "/orders/_bulk",
  body: [{ index: {} }, { n: 1 }, { index: {} }, { n: "x" }, { index: {} }, { n: 3 }],
});
const error = { type: "mapper_parsing_exception", reason: "failed to parse field [n]" };
const item = (status: number) => ({ index: { status, ...(status >= 400 && { error }) } });

Deno.test("a raw request that failed in part asks before it is sent again, and says how far it came", async () => {
  const table: [file: string, answer: unknown, known: RegExp][] = [
    [
      BULK,
      { errors: true, items: [item(201), item(400), item(201)] },
      /1 of 3 items failed, first .*mapper_parsing_exception/,
    ],
    [
      BULK.replace('"POST"', '"PUT"'),
      { errors: true, items: [item(201), item(400), item(201)] },
      /1 of 3 items failed/,
    ],
    [
      '{"method":"POST","path":"/_reindex","body":{}}',
      { total: 9, created: 5, updated: 2, failures: [{ cause: error }] },
      /1 failures, first .*mapper_parsing.*; 5 created, 2 updated/,
    ],
    [
      '{"method":"POST","path":"/_plugins/_ism/add/logs-*","body":{}}',
      { updated_indices: 1, failures: true, failed_indices: [{ reason: "has one" }] },
      /some parts failed: .*has one/,
    ],
  ];
  for (const [file, answer, known] of table) {
    let isBroken = true;
    let sent = 0;
    await using double = startClusterDouble({
      intercept: (line) => {
        if (!/orders\/_bulk|_reindex|_ism\/add/.test(line)) return undefined;
        sent++;
        return Response.json(isBroken ? answer : { took: 1, errors: false, items: [] });
      },
    });
    const files = { "1.json": file };
    const first = await apply(double.url, files);
    assertInstanceOf(first.error, MigrationFailedError);
    assertMatch(first.error.message, known);
    assertMatch(
      first.error.message,
      /A part of it is applied[^]*resolve 1\.json --applied[^]*--retry/,
    );
    const { files: [status] } = await standing(double.url, files);
    assertEquals(status!.state, "interrupted");
    assertMatch(status!.known!, known);

    isBroken = false;
    const second = await apply(double.url, files);
    assertInstanceOf(second.error, InterruptedError);
    assertMatch(second.error.message, known);
    assertEquals(sent, 1);
    const settled = await resolved(double.url, files, "1.json", "retry");
    assertMatch(settled!.known, known);
    assertEquals((await apply(double.url, files)).error, undefined);
    assertEquals(sent, 2);
  }
});

Deno.test("a raw request of which nothing was done is simply sent again", async () => {
  const answers = [
    { errors: true, items: [item(400), item(409)] },
    { total: 3, created: 0, failures: [{ cause: error }] },
  ];
  for (const answer of answers) {
    let isBroken = true;
    await using double = startClusterDouble({
      intercept: (line) =>
        line.includes("/orders/_bulk")
          ? Response.json(isBroken ? answer : { errors: false, items: [] })
          : undefined,
    });
    assertInstanceOf((await apply(double.url, { "1.json": BULK })).error, MigrationFailedError);
    isBroken = false;
    assertEquals((await apply(double.url, { "1.json": BULK })).error, undefined);
  }
});

Deno.test("a raw POST that a server failed in asks before it is sent again", async () => {
  for (const status of [500, 501]) {
    await using double = startClusterDouble({
      intercept: (line) => line === "POST /_aliases" ? new Response("{}", { status }) : undefined,
    });
    const files = { "1.json": '{"method":"POST","path":"/_aliases"}' };
    const first = await apply(double.url, files);
    assertInstanceOf(first.error, MigrationFailedError);
    assertMatch(first.error.message, /It may be applied, so it is not sent again/);
    assertInstanceOf((await apply(double.url, files)).error, InterruptedError);
  }
});

/** A cluster whose background work goes on until the test ends it. */
function working(ends: () => unknown) {
  const sent: string[] = [];
  const double = startClusterDouble({
    intercept: (line) => {
      if (line.startsWith("POST /_reindex")) {
        sent.push(line);
        return Response.json({ task: "node:1" });
      }
      if (!line.startsWith("GET /_tasks/")) return undefined;
      const end = ends();
      if (end instanceof Response) return end;
      return Response.json(end === undefined ? { completed: false } : { completed: true, ...end });
    },
  });
  return { double, sent };
}

const REINDEX = '{"method":"POST","path":"/_reindex?wait_for_completion=false","body":{}}';

Deno.test("background work is followed to its end, and its failures are the file's", async () => {
  const table: [end: object, error: RegExp | undefined][] = [
    [{ response: { total: 2, created: 2, failures: [] } }, undefined],
    [{ response: { created: 1, failures: [{ cause: error }] } }, /1 failures, first .*; 1 created/],
    [{ error: { type: "x_exception", reason: "why" } }, /task 'node:1' failed: x_exception: why/],
    [{ response: { canceled: "by user request", failures: [] } }, /was cancelled: by user request/],
  ];
  for (const [end, expected] of table) {
    let looks = 0;
    const { double, sent } = working(() => ++looks < 3 ? undefined : end);
    await using _ = double;
    const report = await apply(double.url, { "1.json": REINDEX });
    if (expected) assertMatch(String(report.error), expected);
    else {
      assertEquals(report.error, undefined);
      assertMatch(report.results[0]!.note!, /done in the background, as task 'node:1'/);
      assertEquals((await apply(double.url, { "1.json": REINDEX })).requests, 1);
    }
    assertEquals(sent.length, 1);
  }
});

Deno.test("background work is taken up by the next run, and not begun twice", async () => {
  let isDone = false;
  const { double, sent } = working(() =>
    isDone ? { response: { created: 1, failures: [] } } : undefined
  );
  await using _ = double;
  const stop = new AbortController();
  const files = { "1.json": REINDEX, "2.json": '{"method":"POST","path":"/_refresh"}' };
  const waiting = apply(double.url, files, { signal: stop.signal });
  while (!double.requests.some(({ line }) => line.startsWith("GET /_tasks"))) {
    await new Promise((done) => setTimeout(done, 5));
  }
  stop.abort();
  const stopped = await waiting;
  assertEquals([stopped.error, stopped.stopped], [undefined, true]);
  const { files: [status] } = await standing(double.url, files);
  assertMatch(status!.known!, /may continue in the background of the cluster, as task 'node:1'/);

  isDone = true;
  const report = await apply(double.url, files);
  assertEquals(report.results.map(({ outcome }) => outcome), ["applied", "applied"]);
  assertEquals(sent.length, 1);
});

Deno.test("background work that the cluster does not know any more needs a decision", async () => {
  const notFound = {
    error: { type: "resource_not_found_exception", reason: "task isn't running" },
  };
  const { double, sent } = working(() => Response.json(notFound, { status: 404 }));
  await using _ = double;
  const files = { "1.json": REINDEX };
  const report = await apply(double.url, files);
  assertMatch(String(report.error), /no longer knows the task 'node:1'/);
  assertInstanceOf((await apply(double.url, files)).error, InterruptedError);
  assertEquals(sent.length, 1);
});

Deno.test("background work continues where the run does not follow tasks", async () => {
  const { double } = working(() => undefined);
  await using _ = double;
  const report = await apply(double.url, { "1.json": REINDEX }, { followTasks: false });
  assertEquals(report.error, undefined);
  assertMatch(
    report.results[0]!.note!,
    /continues in the background of the cluster, as task 'node:1'/,
  );
});
