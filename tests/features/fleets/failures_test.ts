import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { baselineMigrations } from "../../../src/migrations/commands.ts";
import { migrateSearch, MigrationRunError, searchHealth } from "../../../src/migrations/mod.ts";
import { ConnectionError } from "../../../src/migrations/runner/mod.ts";
import { partNamer } from "../../../src/features/parts/each.ts";
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

Deno.test("the advice for an interrupted file names its cluster, in each command", async () => {
  let isLost = true;
  await using doubles = clusters(["eu1", "us1", "other"], (name) => ({
    loseAnswer: (line) => name !== "other" && isLost && line.startsWith("POST /_aliases"),
  }));
  const of = (...names: string[]) => ({
    clusters: Object.fromEntries(names.map((name) => [name, { hosts: doubles[name]!.url }])),
  });
  const request = JSON.stringify({ method: "POST", path: "/_aliases", body: { actions: [] } });
  await using fleet = await project({
    each: of("eu1", "us1"),
    more: [{ name: "metrics", migrations: { enabled: true, each: of("other") } }],
  }, { "logs/9-request.json": request, "metrics/9-request.json": request });
  await fleet.migrate();
  isLost = false;
  for (const command of ["migrate", "plan", "baseline", "baseline --until 9-request.json"]) {
    const { code, stderr } = await fleet.command(...command.split(" "));
    assertEquals(code, 9, stderr);
    for (const cluster of ["eu1", "us1"]) {
      assertMatch(stderr, new RegExp(`resolve 9-request.json --applied --only ${cluster} `));
      assertMatch(stderr, new RegExp(`resolve 9-request.json --retry --only ${cluster} `));
    }
    const { stdout } = await fleet.command(...command.split(" "), "--json");
    assertStringIncludes(stdout, "resolve 9-request.json --retry --only us1 --connection logs ");
  }
  const plan = await fleet.command("plan");
  const [found = ""] = /resolve .* --applied --only eu1 --connection logs/.exec(plan.stderr) ?? [];
  const resolved = await fleet.command(...found.split(" "));
  assertEquals([resolved.code, resolved.stderr], [0, ""]);
  const { stdout } = await fleet.command("migrate", "--connection", "logs");
  assertStringIncludes(
    stdout,
    "  1 eu1    unchanged\n" +
      "  2 us1    failed\n" +
      "  12  I interrupted, . nothing to do\n" +
      "  .I  9-request.json\n",
  );
});

Deno.test("advice names the part in each command that would act on all of them", () => {
  const named = partNamer("my shop", "acme");
  const of = (text: string) => named(new Error(text)).message;
  const only = "--only acme --connection 'my shop'";
  for (
    const command of [
      "baseline --until <file>",
      "adopt",
      "baseline --changed a b.sql",
      "migrate --yes",
    ]
  ) {
    assertEquals(of(`- run '${command}' to`), `- run '${command} ${only}' to`);
  }
  assertEquals(
    of("run 'adopt --dry-run' and then 'adopt': a tool that 'adopt' knows"),
    `run 'adopt --dry-run ${only}' and then 'adopt ${only}': a tool that 'adopt' knows`,
  );
  assertEquals(
    of("  resolve a b.sql --applied   it is\n  resolve a b.sql --retry     it is not"),
    `  resolve a b.sql --applied ${only}   it is\n  resolve a b.sql --retry ${only}     it is not`,
  );
  assertEquals(of("install it: run 'npm install pg'"), "install it: run 'npm install pg'");
});

Deno.test("'migrate' + tells what the cluster did with a file, as for a connection", async () => {
  await using doubles = clusters(["eu1", "us1"]);
  const each = {
    clusters: { eu1: { hosts: doubles.eu1!.url }, us1: { hosts: doubles.us1!.url } },
  };
  const index = (shards: number) =>
    JSON.stringify({ settings: { index: { number_of_shards: shards } } });
  await using fleet = await project({ each }, { "logs/zz-us-index.json": index(1) });
  await fleet.migrate();
  await fleet.write({ "logs/zz-us-index.json": index(2) });
  const { stdout } = await fleet.command("migrate", "--only", "us1");
  assertMatch(
    stdout,
    / migrated {3}logs\[us1\] {2}\(1 file\)\n {4}zz-us-index.json: the index exists already/,
  );
});

Deno.test("notices and the question between groups name the cluster or the fleet", async () => {
  await using doubles = clusters(["eu1"]);
  const each = {
    clusters: { eu1: { hosts: doubles.eu1!.url, group: "canary" }, down: DOWN },
    groups: ["canary"],
    pause: "confirm",
  };
  await using fleet = await project({ each }, FILES);
  const { config, sqlPath } = await fleet.options();
  const error = await assertRejects(() => migrateSearch({ sqlPath })(config), MigrationRunError);
  assertMatch(error.message, /^logs: The group 'canary' is up to date/);
  const waited = await fleet.command("migrate", "--only", "down", "--wait", "1s");
  assertMatch(waited.stderr, /notice: logs\[down\]: Waiting up to 1 s: /);
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
