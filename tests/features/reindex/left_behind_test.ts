/** Tests the records that a failure leaves in the journal, and how the next run uses them. */
import {
  assertEquals,
  assertInstanceOf,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  ConnectionError,
  InterruptedError,
  MigrationFailedError,
  type RunReport,
} from "../../../src/migrations/runner/mod.ts";
import { type ClusterDouble, startClusterDouble } from "../../servers/cluster_double.ts";
import { apply, planned, resolved, standing } from "../../migrations/search/runner.ts";

const POST = { "1.json": '{"method":"POST","path":"/orders/_doc","body":{"n":1}}' };
const template = (priority: number) =>
  JSON.stringify({ index_patterns: ["logs-*"], priority, template: {} });
const outcomes = ({ results }: RunReport) => results.map(({ outcome }) => outcome);
const refused = (type: string, status: number) =>
  Response.json({ error: { type, reason: "no" }, status }, { status });

async function livePriority({ url }: ClusterDouble): Promise<number> {
  const { index_templates: [found] } = await (await fetch(`${url}/_index_template/logs`)).json();
  return found.index_template.priority;
}

Deno.test("a POST whose record cannot be written is asked about, and not sent again", async () => {
  let isBlocked = false;
  const block = { type: "cluster_block_exception", reason: "index [framework_migrations] blocked" };
  await using double = startClusterDouble({
    intercept: (line, body) => {
      if (line === "POST /orders/_doc") {
        isBlocked = true;
        return Response.json({ result: "created" }, { status: 201 });
      }
      if (isBlocked && line === "POST /_bulk" && body.includes('"_index":"framework_migrations"')) {
        const items = [{ create: { status: 403, error: block } }];
        return Response.json({ errors: true, items });
      }
    },
  });
  const first = await apply(double.url, POST);
  assertInstanceOf(first.error, ConnectionError);
  isBlocked = false;
  assertEquals((await standing(double.url, POST)).files.map(({ state }) => state), ["interrupted"]);
  assertInstanceOf((await apply(double.url, POST)).error, InterruptedError);
  await resolved(double.url, POST, "1.json", "applied");
  assertEquals(outcomes(await apply(double.url, POST)), ["skipped"]);
  const sent = double.requests.filter(({ line }) => line === "POST /orders/_doc");
  assertEquals(sent.length, 1);
});

Deno.test("an edit that was cut off stays unsettled when its revert is refused", async () => {
  let mode = "";
  await using double = startClusterDouble({
    intercept: (line) => {
      if (mode === "refuse" && line === "PUT /_index_template/logs") {
        return refused("illegal_argument_exception", 400);
      }
    },
    loseAnswer: (line) => mode === "lose" && line === "PUT /_index_template/logs",
  });
  const files = (priority: number) => ({ "logs-template.json": template(priority) });
  await apply(double.url, files(1));
  mode = "lose";
  assertInstanceOf((await apply(double.url, files(2))).error, ConnectionError);
  mode = "refuse";
  assertInstanceOf((await apply(double.url, files(1))).error, MigrationFailedError);
  mode = "";
  assertEquals(outcomes(await apply(double.url, files(1))), ["reapplied"]);
  assertEquals(await livePriority(double), 1);
});

Deno.test("a later file for the same resource that is refused once is applied by the next run", async () => {
  let isRefusing = false;
  await using double = startClusterDouble({
    intercept: (line, body) => {
      const isLater = line === "PUT /_index_template/logs" && body.includes('"priority":2');
      if (isRefusing && isLater) return refused("illegal_argument_exception", 400);
    },
  });
  const files = (first: number) => ({
    "a/logs-template.json": template(first),
    "b/logs-template.json": template(2),
  });
  await apply(double.url, files(1));
  isRefusing = true;
  assertEquals(outcomes(await apply(double.url, files(7))), ["reapplied", "failed"]);
  isRefusing = false;
  assertEquals(outcomes(await apply(double.url, files(7))), ["skipped", "reapplied"]);
  assertEquals(await livePriority(double), 2);
});

const REINDEX = {
  "1.json": '{"method":"POST","path":"/_reindex?wait_for_completion=false","body":{}}',
};
const LOOKS: readonly (readonly [name: string, answer: () => Response])[] = [
  ["500", () => refused("exception", 500)],
  ["HTML", () => new Response("<html>", { headers: { "Content-Type": "text/html" } })],
];

for (const [name, answer] of LOOKS) {
  Deno.test(`a task that cannot be looked at (${name}) is followed by the next run`, async () => {
    let isBroken = true;
    await using double = startClusterDouble({
      intercept: (line) => {
        if (line.startsWith("POST /_reindex")) return Response.json({ task: "n:1" });
        if (!line.startsWith("GET /_tasks/")) return;
        return isBroken
          ? answer()
          : Response.json({ completed: true, task: {}, response: { failures: [], created: 5 } });
      },
    });
    const first = await apply(double.url, REINDEX);
    assertMatch(String(first.error), /'n:1' may still run, .*\n.*next run continues to wait/);
    isBroken = false;
    assertEquals(outcomes(await apply(double.url, REINDEX)), ["applied"]);
    const sent = double.requests.filter(({ line }) => line.startsWith("POST /_reindex"));
    assertEquals(sent.length, 1);
  });
}

Deno.test("a look at a task that fails now and then is made again", async () => {
  let looks = 0;
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line.startsWith("POST /_reindex")) return Response.json({ task: "n:1" });
      if (!line.startsWith("GET /_tasks/")) return;
      return ++looks < 3 ? refused("exception", 500) : Response.json({
        completed: true,
        task: {},
        response: { failures: [] },
      });
    },
  });
  assertEquals(outcomes(await apply(double.url, REINDEX)), ["applied"]);
});

Deno.test("a creation that may be done and cannot be read back says how to go on", async () => {
  let isLost = true;
  await using double = startClusterDouble({
    intercept: (line) => {
      if (!line.startsWith("PUT /orders/_create/1")) return;
      if (!isLost) return refused("version_conflict_engine_exception", 409);
      isLost = false;
      return new Response("", { status: 502 });
    },
  });
  const files = { "1.json": '{"method":"PUT","path":"/orders/_create/1","body":{"n":1}}' };
  for (let run = 0; run < 2; run++) {
    const { error } = await apply(double.url, files);
    assertInstanceOf(error, MigrationFailedError);
    assertStringIncludes(error.message, "resolve 1.json --applied");
  }
  await resolved(double.url, files, "1.json", "applied");
  assertEquals(outcomes(await apply(double.url, files)), ["skipped"]);
});

/** A run whose only request waits until `go` is called; `begun` is when it has come. */
function slowRun(): {
  readonly intercept: (line: string) => Promise<Response> | undefined;
  readonly begun: Promise<void>;
  readonly go: () => void;
} {
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  return {
    begun,
    go,
    intercept: (line) => {
      if (line !== "POST /orders/_doc") return;
      begin();
      return gate.then(() => Response.json({ result: "created" }, { status: 201 }));
    },
  };
}

Deno.test("plan does not take a run that is at work for one that was cut off", async () => {
  const { intercept, begun, go } = slowRun();
  await using double = startClusterDouble({ intercept });
  const running = apply(double.url, POST);
  await begun;
  const { steps, notices } = await planned(double.url, POST);
  assertEquals(steps.map(({ file }) => file), ["1.json"]);
  assertMatch(notices.map(({ message }) => message).join(), / is at work \(/);
  go();
  assertEquals(outcomes(await running), ["applied"]);
});

Deno.test("plan of a run that was killed asks as soon as its lock has run out", async () => {
  const { intercept, begun, go } = slowRun();
  await using double = startClusterDouble({ intercept });
  const running = apply(double.url, POST);
  await begun;
  await aMinuteLater(() => assertRejects(() => planned(double.url, POST), InterruptedError));
  go();
  assertEquals(outcomes(await running), ["applied"]);
});

Deno.test("status of a run whose lock has run out by a clock that is wrong says that it may be at work", async () => {
  const { intercept, begun, go } = slowRun();
  await using double = startClusterDouble({ intercept });
  const running = apply(double.url, POST);
  await begun;
  const { files: [file] } = await aMinuteLater(() => standing(double.url, POST));
  assertMatch(String(file?.known), /, unless .* is still at work$/);
  go();
  assertEquals(outcomes(await running), ["applied"]);
});

for (const path of ["/typo", "/_index_template/typo", "/_component_template/typo"]) {
  Deno.test(`DELETE ${path} of what was never there is refused by each run alike`, async () => {
    await using double = startClusterDouble();
    const files = { "1.json": JSON.stringify({ method: "DELETE", path }) };
    for (let run = 1; run <= 2; run++) {
      const report = await apply(double.url, files);
      assertInstanceOf(report.error, MigrationFailedError);
      assertMatch(report.error.message, /HTTP 404/);
      const { files: [file] } = await standing(double.url, files);
      assertEquals([file?.state, file?.known], ["pending", undefined]);
    }
  });
}

Deno.test("a DELETE in place of what was refused is not taken for done", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line.startsWith("PUT /_component_template/")
        ? refused("mapper_parsing_exception", 400)
        : undefined,
  });
  const put = { method: "PUT", path: "/_component_template/never", body: { template: {} } };
  assertInstanceOf(
    (await apply(double.url, { "1.json": JSON.stringify(put) })).error,
    MigrationFailedError,
  );
  const { path } = put;
  const next = await apply(double.url, { "1.json": JSON.stringify({ method: "DELETE", path }) });
  assertMatch(String(next.error), /HTTP 404/);
});

Deno.test("a repeated refusal is reported with its own cause", async () => {
  await using double = startClusterDouble({
    intercept: (line) =>
      line === "PUT /_index_template/logs" ? refused("parse_exception", 400) : undefined,
  });
  const files = { "logs-template.json": template(1) };
  for (let run = 1; run <= 3; run++) {
    assertMatch(String((await apply(double.url, files)).error), /HTTP 400: parse_exception: no$/);
    const { files: [file] } = await standing(double.url, files);
    assertEquals(file?.known, "HTTP 400: parse_exception: no");
    const { notices } = await planned(double.url, files);
    assertEquals(notices.map(({ message }) => message), [
      "An earlier run failed here (HTTP 400: parse_exception: no): it is applied again",
    ]);
  }
});

for (
  const [name, file, isAsked] of [
    ["a template", { "logs-template.json": template(1) }, false],
    ["a raw POST", POST, false],
  ] as const
) {
  Deno.test(`a stop ends the wait for a busy cluster at once, and ${name} is sent by the next run`, async () => {
    const stop = new AbortController();
    let isBusy = true;
    await using double = startClusterDouble({
      intercept: (line) => {
        if (!/^(?:POST \/orders\/_doc|PUT \/_index_template\/logs)$/.test(line)) return;
        if (!isBusy) {
          return line.startsWith("POST") ? Response.json({ result: "created" }) : undefined;
        }
        queueMicrotask(() => setTimeout(() => stop.abort()));
        return new Response("", { status: 429, headers: { "Retry-After": "9" } });
      },
    });
    const report = await apply(double.url, file, { signal: stop.signal });
    assertEquals([report.stopped, report.error, outcomes(report)], [true, undefined, ["not run"]]);
    isBusy = false;
    assertEquals((await standing(double.url, file)).files[0]?.state === "interrupted", isAsked);
    assertEquals(outcomes(await apply(double.url, file)), ["applied"]);
  });
}

Deno.test("a lock whose answer is lost or makes no sense is held all the same", async () => {
  for (const fault of ["lost", "html", "500", "html each time"] as const) {
    let isFirst = true;
    const isTaking = (line: string, body: string) =>
      isFirst && line === "POST /_bulk" && body.includes('"state":"held"');
    let url = "";
    await using double = startClusterDouble({
      intercept: async (line, body, { headers }) => {
        if (fault === "lost" || headers.has("X-Forwarded") || !isTaking(line, body)) return;
        isFirst = fault === "html each time";
        const forwarded = { method: "POST", body, headers: { "X-Forwarded": "yes" } };
        await (await fetch(`${url}/_bulk`, forwarded)).text();
        return fault.startsWith("html")
          ? new Response("<html>", { headers: { "Content-Type": "text/html" } })
          : refused("exception", 500);
      },
      loseAnswer: (line, body) => {
        const isLost = fault === "lost" && isTaking(line, body);
        if (isLost) isFirst = false;
        return isLost;
      },
    });
    url = double.url;
    const files = { "logs-template.json": template(1) };
    assertEquals(outcomes(await apply(double.url, files)), ["applied"], fault);
    const started = performance.now();
    assertEquals(outcomes(await apply(double.url, files)), ["skipped"], fault);
    assertEquals(performance.now() - started < 2000, true);
  }
});

async function aMinuteLater<T>(action: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + 60_000;
  try {
    return await action();
  } finally {
    Date.now = now;
  }
}
