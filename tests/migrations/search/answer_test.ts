import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigError, createConfig } from "../../../src/config/mod.ts";
import {
  describeFailure,
  type Failure,
  failureOf,
} from "../../../src/migrations/search/cluster/answer.ts";
import { readSearchConnections } from "../../../src/migrations/search/connection.ts";
import { recordsByPath } from "../../../src/migrations/search/journal/records.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { apply, connectionTo, standing } from "./runner.ts";

const error = (type: string) => ({ error: { type, reason: "no" } });

/** Requests, what was answered, and what that says of what was done. */
const ANSWERS: readonly (readonly [
  request: string,
  status: number,
  body: unknown,
  effect: Failure["effect"] | "done",
])[] = [
  ["POST /i/_doc", 201, { result: "created" }, "done"],
  ["POST /i/_doc", 200, {}, "unknown"],
  ["POST /i/_doc", 200, [], "unknown"],
  ["POST /i/_doc", 200, { status: "ok" }, "unknown"],
  ["POST /i/_doc", 200, { ...error("exception"), status: 500 }, "unknown"],
  ["POST /i/_doc?filter_path=x", 200, {}, "done"],
  ["POST /i/_doc", 400, error("mapper_parsing_exception"), "none"],
  ["POST /i/_doc", 408, {}, "unknown"],
  ["POST /i/_bulk", 200, { items: [], errors: false }, "done"],
  ["POST /i/_bulk", 200, { acknowledged: true }, "unknown"],
  ["POST /i/_bulk", 200, {}, "unknown"],
  ["POST /i/_update_by_query", 200, { took: 1, updated: 2, failures: [] }, "done"],
  ["POST /i/_update_by_query", 200, {}, "unknown"],
  // The first document on which a script fails ends it, and reports nothing about those before.
  ["POST /i/_update_by_query?refresh=true", 400, error("script_exception"), "unknown"],
  ["POST /i/_update_by_query", 400, error("parsing_exception"), "none"],
  ["POST /i/_delete_by_query", 404, error("index_not_found_exception"), "none"],
  ["POST /i/_update_by_query", 403, { updated: 4, failures: [{ cause: {} }] }, "partial"],
  ["POST /_reindex", 429, { created: 1, failures: [{ status: 429 }] }, "partial"],
  ["POST /_reindex?wait_for_completion=false", 200, { task: "n:1" }, "done"],
  ["POST /_reindex?wait_for_completion=false", 200, { took: 1 }, "unknown"],
  ["POST /a/_rollover", 200, { acknowledged: true, rolled_over: true }, "done"],
  ["POST /a/_rollover", 200, { acknowledged: false, rolled_over: false, dry_run: false }, "none"],
  ["POST /a/_rollover", 200, { acknowledged: false, rolled_over: false, dry_run: true }, "done"],
  ["POST /a/_rollover", 200, { status: "ok" }, "unknown"],
];

for (const [line, status, body, effect] of ANSWERS) {
  const [method = "", path = ""] = line.split(" ");
  Deno.test(`failureOf: ${line} answered ${status} ${JSON.stringify(body)} is ${effect}`, () => {
    const answer = { status, text: JSON.stringify(body), json: body, host: "h" };
    assertEquals(failureOf({ method, path }, answer)?.effect ?? "done", effect);
  });
}

Deno.test("failureOf writes control characters of a server as escapes", () => {
  const json = { error: { type: "x", reason: "\x1b[2J\nerror: forged" } };
  const answer = { status: 400, text: "", json, host: "h" };
  const { reason } = failureOf({ method: "PUT", path: "/x" }, answer)!;
  assertMatch(reason, /^[ -~]*$/);
});

for (const status of [403, 429, 503]) {
  Deno.test(`an update by query that stopped in the middle with ${status} is not sent again`, async () => {
    const body = { took: 1, updated: 4, failures: [{ cause: { type: "x", reason: "blocked" } }] };
    let sent = 0;
    await using double = startClusterDouble({
      intercept: (line) => {
        if (!line.includes("_update_by_query")) return;
        sent++;
        return Response.json(body, { status });
      },
    });
    const files = { "1.json": '{"method":"POST","path":"/i/_update_by_query","body":{}}' };
    const report = await apply(double.url, files);
    assertStringIncludes(String(report.error), "A part of it is applied");
    assertEquals(sent, 1);
    assertEquals((await standing(double.url, files)).files[0]?.state, "interrupted");
  });
}

for (const status of [400, 401, 403, 404, 413]) {
  // The runtime's fetch sends a request again by itself when a kept connection closes.
  Deno.test(`a template that may have been sent before it was refused with ${status} is applied again`, async () => {
    let isRefusing = false;
    await using double = startClusterDouble({
      intercept: (line) => {
        if (!isRefusing || line !== "PUT /_index_template/logs") return;
        return Response.json(error("x"), { status });
      },
    });
    const files = (priority: number) => ({
      "logs-template.json": JSON.stringify({ index_patterns: ["l-*"], priority, template: {} }),
    });
    await apply(double.url, files(1));
    isRefusing = true;
    await apply(double.url, files(2));
    isRefusing = false;
    assertEquals((await standing(double.url, files(2))).files[0]?.state, "changed");
    assertEquals((await standing(double.url, files(1))).files[0]?.state, "interrupted");
    const { results: [result] } = await apply(double.url, files(1));
    assertEquals(result?.outcome, "reapplied");
  });
}

const SECRETS: readonly Readonly<Record<string, string>>[] = [
  { username: "u", password: "hunter2zz" },
  { api_key: "aGVsbG86d29ybGQ=" },
  { bearer_token: "tok-en-123456" },
];

for (const secret of SECRETS) {
  Deno.test(`a server that repeats the request does not get ${Object.keys(secret)} printed`, async () => {
    const config = createConfig({ search: [{ name: "logs", hosts: ["http://h"], ...secret }] });
    const [{ authorization } = {}] = readSearchConnections(config);
    await using double = startClusterDouble({
      intercept: (line) => {
        if (line !== "POST /i/_doc") return;
        const text = `<p>You sent ${authorization}, which is ${Object.values(secret).at(-1)}`;
        return new Response(text, { status: 502 });
      },
    });
    const connection = { ...connectionTo(double.url), ...(authorization && { authorization }) };
    const files = { "1.json": '{"method":"POST","path":"/i/_doc","body":{}}' };
    const { error } = await apply(connection, files);
    const { files: [file] } = await standing(connection, files);
    for (const text of [`${error}`, `${file?.known}`]) {
      for (const shown of [...Object.values(secret).slice(-1), authorization!.split(" ")[1]!]) {
        assertEquals(text.includes(shown), false, text);
      }
    }
    assertStringIncludes(`${error}`, "***");
  });
}

Deno.test("readSearchConnections refuses credentials that no header can carry, without showing them", () => {
  for (const key of ["api_key", "bearer_token"]) {
    const config = createConfig({
      search: [{ name: "logs", hosts: ["http://h"], [key]: "abc\nsecretkey" }],
    });
    const { message } = assertThrows(() => readSearchConnections(config), ConfigError);
    assertStringIncludes(message, key);
    assertEquals(message.includes("secretkey"), false);
  }
});

Deno.test("readSearchConnections refuses two connections of one name", () => {
  const twin = { name: "logs", hosts: ["http://h"] };
  const config = createConfig({ search: [twin, twin] });
  assertStringIncludes(
    assertThrows(() => readSearchConnections(config), ConfigError).message,
    "two connections 'logs'",
  );
});

Deno.test("of several old records of one file the newest counts", () => {
  const record = (hash: string, at: string) => ({
    source: { connection: "c", migration_path: "1.json", content_hash: hash, executed_at: at },
    version: { seqNo: 0, primaryTerm: 1 },
  });
  const found = new Map([
    ["a", record("old", "2023-01-01T00:00:00Z")],
    ["b", record("new", "2024-01-01T00:00:00Z")],
    ["c", record("older", "2022-01-01T00:00:00Z")],
  ]);
  assertEquals(recordsByPath("c", found).get("1.json")?.hash, "new");
});

Deno.test("describeFailure says why all shards have failed", () => {
  const json = {
    error: {
      root_cause: [{ type: "query_shard_exception", reason: "Failed to parse query [)]" }],
      type: "search_phase_execution_exception",
      reason: "all shards failed",
    },
    status: 400,
  };
  const answer = { status: 400, text: JSON.stringify(json), json, host: "http://a" };
  assertEquals(
    describeFailure(answer),
    "HTTP 400: search_phase_execution_exception: all shards failed; " +
      "caused by query_shard_exception: Failed to parse query [)]",
  );
});

Deno.test("an answer that breaks off is reported without its content", () => {
  const text = '{"s3":{"type":"s3","settings":{"secret_key":"sk-1"';
  const answer = { status: 200, text, json: undefined, host: "h" };
  const { reason } = failureOf({ method: "GET", path: "/_snapshot" }, answer)!;
  assertEquals(reason, "HTTP 200 with invalid or truncated JSON (50 characters)");
});
