import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { baselineMigrations } from "../../../src/migrations/commands.ts";
import { migrateSearch, MigrationRunError, searchHealth } from "../../../src/migrations/mod.ts";
import { ConnectionError } from "../../../src/migrations/runner/mod.ts";
import { clusters, project, template } from "./fleets_support.ts";

const FILES = { "logs/1-template.json": template("one"), "logs/2-template.json": template("two") };
const DOWN = { hosts: "http://127.0.0.1:1" };

Deno.test("commands print what they did in some clusters before the failures of others", async () => {
  await using doubles = clusters(["eu1", "us1"], (name) => ({
    intercept: (line) =>
      name === "us1" && !line.startsWith("GET /_cluster")
        ? Response.json({ error: { reason: "no" } }, { status: 403 })
        : undefined,
  }));
  const each = {
    clusters: { down: DOWN, eu1: { hosts: doubles.eu1!.url }, us1: { hosts: doubles.us1!.url } },
  };
  await using fleet = await project({ each }, FILES);
  const baseline = await fleet.command("baseline", "--until", "1-template.json");
  assertEquals(baseline.code, 7);
  assertStringIncludes(baseline.stdout, "logs[eu1]: 1 recorded without applying\n");
  assertMatch(baseline.stderr, /error: logs\[down\]: [^]*error: logs\[us1\]: /);
  const json = await fleet.command("baseline", "--until", "2-template.json", "--json");
  const { connections } = JSON.parse(json.stdout);
  assertEquals(connections.map(({ connection }: { connection: string }) => connection), [
    ...["logs[eu1]", "logs[down]", "logs[us1]"],
  ]);
  const unknown = await fleet.command("baseline", "--until", "x.json", "--only", "eu1");
  assertMatch(unknown.stderr, /No enabled connection has a file 'x.json'/);
  const prune = await fleet.command("prune", "--json");
  assertEquals(prune.code, 7);
  assertEquals(JSON.parse(prune.stdout).connections.length, 3);
});

Deno.test("the exit code of a command in several clusters is the worst", async () => {
  await using doubles = clusters(["eu1", "us1"]);
  const each = {
    clusters: { eu1: { hosts: doubles.eu1!.url }, us1: { hosts: doubles.us1!.url }, down: DOWN },
  };
  await using fleet = await project({ each }, {
    ...FILES,
    "logs.us1/1-template.json": template("one"),
  });
  const baseline = await fleet.command("baseline");
  assertEquals(baseline.code, 3, baseline.stderr);
  assertStringIncludes(baseline.stdout, "logs[eu1]: 2 recorded without applying\n");
});

Deno.test("a cluster with an invalid file hides neither the report nor the health of others", async () => {
  await using doubles = clusters(["eu1", "us1"]);
  const each = {
    clusters: { eu1: { hosts: doubles.eu1!.url }, us1: { hosts: doubles.us1!.url } },
  };
  const twice = { "logs.us1/1-template.json": template("own") };
  await using fleet = await project({ each }, { ...FILES, ...twice });
  const status = await fleet.command("status", "--format", "github");
  assertEquals(status.code, 3);
  assertMatch(status.stdout, /::notice file=migrations\/logs\/1-template.json.*logs\[eu1\]: /);
  assertMatch(status.stdout, /::error file=migrations\/logs.us1\/1-template.json,.*logs\[us1\]: /);
  const { config } = await fleet.options();
  const health = await searchHealth()(config);
  const states = Object.entries(health).map(async ([name, one]) =>
    `${name} ${(await one.health()).status}`
  );
  assertEquals(await Promise.all(states), ["logs[eu1] UP", "logs[us1] UP"]);
  const validate = await fleet.command("validate", "--json");
  assertEquals(validate.code, 3);
  assertMatch(validate.stderr, /logs\[us1\]\/1-template.json: The file is in the folder of all/);
});

Deno.test("a fleet that cannot be read is DOWN, and others are as they are", async () => {
  await using doubles = clusters(["other"]);
  await using fleet = await project({
    each: { clusters: "none.yml" },
    more: [{ name: "other", hosts: doubles.other!.url, migrations: { enabled: true } }],
  }, { ...FILES, "other/1-template.json": template("one") });
  const { config } = await fleet.options();
  const states = Object.entries(await searchHealth()(config)).map(async ([name, one]) =>
    `${name} ${(await one.health()).status}`
  );
  assertEquals(await Promise.all(states), ["logs DOWN", "other UP"]);
  const status = await fleet.command("status", "--format", "github");
  assertEquals(status.code, 2);
  assertMatch(status.stdout, /file=migrations\/other\/1-template.json/);
});

Deno.test("findings of several clusters are named once, with the file that each has", async () => {
  await using doubles = clusters(["eu1", "us1", "us2"]);
  const each = {
    clusters: Object.fromEntries(
      ["eu1", "us1", "us2"].map((name) => [name, { hosts: doubles[name]!.url }]),
    ),
  };
  await using fleet = await project({ each }, {
    "logs/1-template.json": "{",
    "logs.eu1/own-template.json": "{",
    "logs.us1/own-template.json": "{",
  });
  const { stdout } = await fleet.command("validate", "--format", "github");
  assertMatch(stdout, /file=migrations\/logs\/1-template.json.*::logs\[eu1 and 2 more\]: /);
  assertMatch(stdout, /file=migrations\/logs.eu1\/own-template.json.*::logs\[eu1\]: /);
  assertMatch(stdout, /file=migrations\/logs.us1\/own-template.json.*::logs\[us1\]: /);
});

Deno.test("'pull' of one cluster compares and writes its own files in their own folder", async () => {
  await using doubles = clusters(["eu1", "us1"]);
  const each = {
    clusters: { eu1: { hosts: doubles.eu1!.url }, us1: { hosts: doubles.us1!.url } },
  };
  const path = "55-templates/own-template.json";
  await using fleet = await project({ each }, { ...FILES, [`logs.us1/${path}`]: template("own") });
  await fleet.migrate();
  const headers = { "content-type": "application/json" };
  const body = template("other");
  const url = `${doubles.us1!.url}/_index_template/own`;
  await (await fetch(url, { method: "PUT", body, headers })).body?.cancel();
  const args = ["pull", "--only", "us1", "--kinds", "templates"];
  const refused = await fleet.command(...args);
  assertEquals(refused.code, 2, refused.stdout + refused.stderr);
  const done = await fleet.command(...args, "--yes", "--baseline");
  assertEquals(done.code, 0, done.stdout + done.stderr);
  assertStringIncludes(
    await Deno.readTextFile(`${fleet.root}/migrations/logs.us1/${path}`),
    "other-*",
  );
  assertEquals((await fleet.command("validate")).code, 0);
});

Deno.test("the advice for an interrupted file names its cluster", async () => {
  let isLost = true;
  await using doubles = clusters(["eu1", "us1"], (name) => ({
    loseAnswer: (line) => name === "us1" && isLost && line.startsWith("POST /_aliases"),
  }));
  const each = {
    clusters: { eu1: { hosts: doubles.eu1!.url }, us1: { hosts: doubles.us1!.url } },
  };
  const request = JSON.stringify({ method: "POST", path: "/_aliases", body: { actions: [] } });
  await using fleet = await project({ each }, { "logs/9-request.json": request });
  await fleet.migrate();
  isLost = false;
  const { stderr } = await fleet.command("migrate");
  assertMatch(stderr, /resolve 9-request.json --applied --only us1 /);
  assertMatch(stderr, /resolve 9-request.json --retry --only us1 /);
});

Deno.test("an error that is thrown names its cluster, and keeps what else it says", async () => {
  await using fleet = await project({ each: { clusters: { down: DOWN } } }, FILES);
  const options = await fleet.options();
  const error = await assertRejects(
    () => baselineMigrations("search", {}, options),
    ConnectionError,
    "logs[down]: ",
  );
  assertEquals({ ...error }.refused, false);
});

Deno.test("migrateSearch() + names each cluster that failed", async () => {
  await using doubles = clusters(["eu1", "us1"], (name) => ({
    intercept: (line) =>
      name === "us1" && line.startsWith("PUT /_index_template/1")
        ? Response.json({ error: { type: "refused", reason: "no" } }, { status: 400 })
        : undefined,
  }));
  const each = {
    clusters: { down: DOWN, eu1: { hosts: doubles.eu1!.url }, us1: { hosts: doubles.us1!.url } },
  };
  await using fleet = await project({ each }, FILES);
  const { config, sqlPath } = await fleet.options();
  const error = await assertRejects(() => migrateSearch({ sqlPath })(config), MigrationRunError);
  assertMatch(
    error.message,
    /^logs\[down\]: No host answers .*\nCannot apply 'logs\[us1\]\/1-template.json': .*refused: no$/,
  );
  assertEquals(error.cause instanceof ConnectionError, true);
  assertEquals(error.results.length, 4);
});

Deno.test("'validate' + lists the files of each cluster that is invalid", async () => {
  const names = ["eu1", "us1", "us2"];
  const each = {
    clusters: Object.fromEntries(
      names.map((name, index) => [name, { hosts: `http://c${index}:1` }]),
    ),
  };
  const twice = { "logs.eu1/1-template.json": "{}", "logs.us1/2-template.json": "{}" };
  await using fleet = await project({ each }, { ...FILES, ...twice });
  const { code, stdout, stderr } = await fleet.command("validate", "--json");
  assertEquals(code, 3, stdout + stderr);
  assertMatch(
    stderr,
    /logs\[eu1\]\/1-template.json: [^]*logs\[us1\]\/2-template.json: The file is/,
  );
  const { connections } = JSON.parse(stdout);
  assertEquals(
    connections.map((one: { problems: unknown[] }) => one.problems.length),
    [1, 1, 0],
  );
});
