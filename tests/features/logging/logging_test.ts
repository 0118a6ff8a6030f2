import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { redactByField } from "@logtape/redaction";
import { ACCESS_PROPERTIES } from "../../../src/features/logging/access_log.ts";
import { actuator } from "../../../src/features/actuator/mod.ts";
import { logging } from "../../../src/features/logging/mod.ts";
import { bootstrap, ConfigError } from "../../../mod.ts";
import type { ConfigMap } from "../../../src/config/mod.ts";

const HERE = dirname(fromFileUrl(import.meta.url));

/**
 * The output of an application that logs, sends itself a request and logs again. It is a process, because logging is
 * configured once in each.
 */
async function run(
  logging: ConfigMap,
  app = "logging_app.ts",
): Promise<{ lines: string[]; stderr: string }> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", join(HERE, app), JSON.stringify({ logging })],
    env: { NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { lines: text(stdout).trimEnd().split("\n"), stderr: text(stderr) };
}

Deno.test("logging() writes JSON lines with facts and without secrets where there is no terminal", async () => {
  const { lines, stderr } = await run({ level: { root: "INFO" } });
  assertEquals(stderr, "");
  const records = lines.map((line) => JSON.parse(line));
  assertEquals(records.map(({ level, logger, message }) => [level, logger, message]), [
    ["INFO", "users.repository", "Saved {a user}"],
    ["INFO", "http.access", "GET /ok 200"],
    ["ERROR", "http.failure", "Cannot answer GET /broken (request r-1)"],
    ["INFO", "http.access", "GET /broken 500"],
    ["INFO", "http.access", "GET /handled 409"],
    // As it was sent: decoded, it could write lines of its own.
    ["INFO", "http.access", "GET /a%0A%1b%5b31mb 404"],
    ["INFO", "http.access", "GET /%zz 400"],
    ["INFO", "paths", "Took a path"],
  ]);
  assertEquals([records[5].method, records[5].path, records[5].status], [
    "GET",
    "/a%0A%1b%5b31mb",
    404,
  ]);
  assertEquals([records[0].id, records[0].password], [7, undefined]);
  assertEquals([records[1].route, typeof records[1].milliseconds], ["/ok", "number"]);
  assertEquals([records[3].requestId, records[2].error.message], ["r-1", "It broke"]);
  assertEquals(lines.join().includes("s3cr3t"), false);
});

Deno.test("the redaction would change nothing of a line of the access log", () => {
  const properties = Object.fromEntries([...ACCESS_PROPERTIES].map((name) => [name, "value"]));
  const seen: unknown[] = [];
  redactByField((record) => seen.push(record.properties))(
    { category: [], level: "info", message: [""], rawMessage: "", timestamp: 0, properties },
  );
  assertEquals(seen, [properties]);
});

Deno.test("logging() writes where the application listens, and what startup functions say", async () => {
  const { lines, stderr } = await run({ format: "json" }, "listening_app.ts");
  assertEquals(stderr, "");
  const records = lines.map((line) => JSON.parse(line));
  assertEquals(
    records.map(({ level, logger, message }) => {
      return [level, logger, message.replace(/:\d+ .*ms\)$/, "")];
    }),
    [
      ["INFO", "application", "Migration 'main/1.sql' applied (1 ms)"],
      ["INFO", "application", "Listening on http://127.0.0.1"],
    ],
  );
});

Deno.test("logging() writes what is handled at DEBUG, with the error", async () => {
  const { lines, stderr } = await run({ level: { root: "OFF", "http.failure": "DEBUG" } });
  assertEquals(stderr, "");
  const records = lines.map((line) => JSON.parse(line));
  assertEquals(
    records.map(({ level, logger, message, error }) => [level, logger, message, error.message]),
    [
      ["ERROR", "http.failure", "Cannot answer GET /broken (request r-1)", "It broke"],
      ["DEBUG", "http.failure", "Pages.range answered GET /handled with 409", "Too far"],
    ],
  );
});

Deno.test("logging() writes text for people, with what caused an error", async () => {
  const { lines } = await run({ format: "pretty", level: { http: { access: "OFF" } } });
  assertMatch(lines[0]!, /\[INF\] users\.repository: Saved \{a user\} id=7 nested=\{\}$/);
  assertMatch(lines[1]!, /\[ERR\] http\.failure: Cannot answer GET \/broken \(request r-1\)$/);
  assertMatch(lines[2]!, /^Error: It broke/);
  assertEquals(lines.some((line) => line.startsWith("Caused by: Error: inside")), true);
});

Deno.test("logging() says method, path and status once to people", async () => {
  const { lines } = await run({
    format: "pretty",
    level: { root: "OFF", http: { access: "INFO" } },
  });
  assertMatch(
    lines[0]!,
    /\[INF\] http\.access: GET \/ok 200 route=\/ok milliseconds=[\d.]+ requestId=r-1$/,
  );
});

Deno.test("logging() takes levels by name, dotted or nested, the nearest counting", async () => {
  const messages = async (level: ConfigMap) =>
    (await run({ level })).lines.filter((line) => line !== "").map((line) => {
      return JSON.parse(line).message;
    });
  assertEquals(await messages({ root: "OFF" }), []);
  assertEquals(await messages({ root: "off", users: "debug" }), ["Saved {a user}", "Looking"]);
  assertEquals(
    await messages({
      root: "OFF",
      users: { root: "OFF", repository: "TRACE" },
    }),
    [
      "Saved {a user}",
      "Looking",
    ],
  );
  assertEquals(await messages({ root: "OFF", "users.repository": "INFO" }), ["Saved {a user}"]);
});

Deno.test("logging() names a level and a format that do not exist", async () => {
  const wrong: [ConfigMap, RegExp][] = [
    [{ level: { users: "LOUD" } }, /logging\.level\.users.*expected one of OFF.*'LOUD'/],
    [{ level: "loud" }, /'logging\.level': expected one of OFF.*'loud'/],
    [{ format: "xml" }, /logging\.format.*'xml'/],
  ];
  for (const [settings, message] of wrong) {
    const start = () => bootstrap({ config: { logging: settings }, extensions: [logging()] });
    assertMatch((await assertRejects(start, ConfigError)).message, message);
  }
});

Deno.test("logging() lets the actuator show and change levels while it runs", async () => {
  const log = logging();
  await using app = await bootstrap({
    config: {
      logging: { level: { root: "WARN", users: "DEBUG" } },
      management: { endpoints: { include: "loggers" } },
    },
    extensions: [log, actuator({ loggers: log })],
  });
  const get = async (path: string) => await (await app.request(`/actuator/loggers${path}`)).json();
  const post = async (path: string, body: string, type = "application/json") => {
    const headers = { "Content-Type": type };
    const init = { method: "POST", body, headers };
    const response = await app.request(`/actuator/loggers${path}`, init);
    return [response.status, await response.text()] as const;
  };
  const { levels, loggers } = await get("");
  assertEquals(levels, ["OFF", "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"]);
  assertEquals([loggers.ROOT, loggers.users], [
    { configuredLevel: "WARN", effectiveLevel: "WARN" },
    { configuredLevel: "DEBUG", effectiveLevel: "DEBUG" },
  ]);
  assertEquals(await get("/users.repository"), { effectiveLevel: "DEBUG" });

  assertEquals((await post("/users", '{"configuredLevel":"error"}'))[0], 204);
  assertEquals(await get("/users.repository"), { effectiveLevel: "ERROR" });
  assertEquals((await post("/users", '{"configuredLevel":null}'))[0], 204);
  assertEquals(await get("/users"), { effectiveLevel: "WARN" });

  for (
    const body of [
      '{"configuredLevel":"LOUD"}',
      '{"configuredLevel":{"toString":1}}',
      '{"configuredLevel":7}',
      "[]",
      "null",
      "not JSON",
      "",
    ]
  ) {
    const [status, text] = await post("/users", body);
    assertEquals(status, 400);
    assertStringIncludes(text, "Expected a");
  }
  // A page of another site can send these without being asked.
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    assertEquals((await post("/users", '{"configuredLevel":"OFF"}', type))[0], 415);
  }
  const untyped = await app.request("/actuator/loggers/users", {
    method: "POST",
    headers: { "Content-Length": "24" },
    body: new Blob(['{"configuredLevel":"OFF"}']),
  });
  assertEquals(untyped.status, 415);
  assertEquals((await post("/users", `{"a":"${"a".repeat(2 ** 20)}"}`))[0], 413);
  assertEquals(await get("/users"), { effectiveLevel: "WARN" });
});

Deno.test("actuator() + keeps at most 1,000 loggers that clients name", async () => {
  const log = logging();
  await using app = await bootstrap({
    config: {
      logging: { level: { users: "DEBUG" } },
      management: { endpoints: { include: "loggers" } },
    },
    extensions: [log, actuator({ loggers: log })],
  });
  const set = async (name: string, configuredLevel: string | null) => {
    const response = await app.request(`/actuator/loggers/${name}`, {
      method: "POST",
      body: JSON.stringify({ configuredLevel }),
      headers: { "Content-Type": "application/json" },
    });
    return [response.status, await response.text()] as const;
  };
  assertEquals((await set("a".repeat(201), "INFO"))[0], 400);
  assertEquals((await set("a".repeat(200), "INFO"))[0], 204);
  for (let count = 3; count <= 1000; count++) await set(`n${count}`, "INFO");
  assertEquals(log.names().length, 1000);
  const [status, text] = await set("new", "INFO");
  assertEquals(status, 400);
  assertStringIncludes(text, "Expected at most 1000 loggers");
  assertEquals(log.names().length, 1000);
  // Those that there are can still be changed, and ROOT is none of them.
  for (const name of ["users", "n3", "ROOT"]) assertEquals((await set(name, "WARN"))[0], 204);
  assertEquals((await set("n3", null))[0], 204);
  assertEquals((await set("new", "INFO"))[0], 204);
});

Deno.test("logging() writes a line for what cannot be read, too", async () => {
  const level = { "http.access": "OFF", application: "OFF" };
  const { lines, stderr } = await run({ level }, "unreadable_app.ts");
  assertEquals(stderr, "");
  const records = lines.map((line) => JSON.parse(line));
  assertEquals(records.map(({ message }) => message), [
    "Saved",
    "Cannot answer GET /unreadable (request r-1)",
    "Cannot send all of the answer to GET /events",
    "closed",
  ]);
  assertEquals(records[1].properties, "cannot be read");
});

Deno.test("logging() has the request id and withContext() in every line of a request", async () => {
  const { lines, stderr } = await run({}, "context_app.ts");
  assertEquals(stderr, "");
  const all = lines.map((line) => JSON.parse(line));
  const facts = ({ message, requestId, page, step, nested }: Record<string, unknown>) =>
    [message, requestId, page, step, nested].filter((fact) => fact !== undefined);
  assertEquals(facts(all[0]), ["outside"]);
  const of = (id: string) => all.filter(({ requestId }) => requestId === id).map(facts);
  for (const id of ["a", "b"]) {
    assertEquals(of(id), [
      ["begins", id, id],
      ["inside", id, id, "inner", {}],
      ["own", id, id, "own", {}],
      [`GET /pages/${id} 200`, id, id],
    ]);
  }
  assertEquals(of("c").map(([message, ...rest]) => [message, ...rest]).sort(), [
    ["GET /events/c 200", "c", "c"],
    ["event 0", "c", "c"],
    ["event 1", "c", "c"],
  ]);
  assertEquals(lines.join().includes("s3cr3t"), false);
});

Deno.test("logging() lets no fact stand for what the line itself says", async () => {
  const { lines, stderr } = await run({}, "hostile_app.ts");
  assertEquals(stderr, "");
  const { milliseconds: _, "@timestamp": at, ...access } = JSON.parse(lines[1]!);
  assertMatch(at, /^\d{4}-/);
  const given = {
    level: "FATAL",
    message: "M",
    logger: "L",
    "@timestamp": "never",
  };
  assertEquals(access, {
    level: "INFO",
    message: "GET /facts 200",
    logger: "http.access",
    method: "GET",
    path: "/facts",
    status: 200,
    route: "/facts",
    requestId: "r-1",
    properties: given,
  });
  const { "@timestamp": __, ...hello } = JSON.parse(lines[0]!);
  assertEquals(hello, {
    level: "INFO",
    message: "hello",
    logger: "app",
    requestId: "r-1",
    own: 2,
    properties: { ...given, message: "m", requestId: "forged too", properties: 1 },
  });
});

Deno.test("logging() writes no line for people that a client has made up", async () => {
  const { lines, stderr } = await run({ format: "pretty" }, "hostile_app.ts");
  assertEquals(stderr, "");
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  assertEquals(lines.filter((line) => /\u001b/.test(line)), []);
  assertEquals(lines.filter((line) => /^2026-01-01/.test(line)), []);
  assertEquals(lines.filter((line) => /^\S*FORGED/.test(line)), []);
  assertMatch(lines[0]!, /hello .*requestId=r-1.* properties=\{.*"requestId":"forged too"/);
});
