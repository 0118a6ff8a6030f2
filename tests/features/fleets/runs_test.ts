import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { migrationDrift } from "../../../src/features/drift/drift.ts";
import { mergeParts, migrationStatus, planMigrations } from "../../../src/migrations/commands.ts";
import { migrateSearch, type MigrationResult, searchHealth } from "../../../src/migrations/mod.ts";
import { clusters, outcomesOf, project, template, writesTo } from "./fleets_support.ts";
import { endLease } from "../../migrations/search/kill.ts";

const FILES = {
  "logs/1-template.json": template("one", { number_of_replicas: "${replicas}" }),
  "logs/2-template.json": template("two"),
};
const hostsOf = (doubles: Readonly<Record<string, { readonly url: string }>>) =>
  Object.fromEntries(Object.entries(doubles).map(([name, { url }]) => [name, { hosts: url }]));
const inGroups = {
  placeholders: { replicas: 1 },
  ...{ groups: ["canary", "main"], of: { c1: "canary", c2: "canary", m1: "main", r1: undefined } },
};

function grouped(doubles: ReturnType<typeof clusters>, more: Record<string, unknown> = {}) {
  const { groups, of, placeholders } = inGroups;
  const own = Object.entries(of).map(([name, group]) => {
    return [name, { hosts: doubles[name]!.url, ...group && { group } }];
  });
  return { placeholders, each: { clusters: Object.fromEntries(own), groups, ...more } };
}
const NAMES = Object.keys(inGroups.of);

Deno.test("files of all clusters and of one are applied once, with the values of each cluster", async () => {
  await using doubles = clusters(["eu1", "us1"]);
  const { eu1, us1 } = hostsOf(doubles);
  await using fleet = await project({
    placeholders: { replicas: 1 },
    each: { clusters: { eu1, us1: { ...us1, placeholders: { replicas: 2 } } } },
  }, { ...FILES, "logs.us1/15-template.json": template("own") });
  assertEquals(outcomesOf(await fleet.migrate()), ["eu1 migrated", "us1 migrated"]);
  assertEquals(writesTo(doubles.eu1!), ["PUT /_index_template/1", "PUT /_index_template/2"]);
  assertEquals(writesTo(doubles.us1!).slice(0, 2), [
    "PUT /_index_template/1",
    "PUT /_index_template/15",
  ]);
  const bodyOf = (name: string) =>
    doubles[name]!.requests.find(({ line }) => line === "PUT /_index_template/1")!.body;
  assertMatch(bodyOf("eu1"), /"number_of_replicas":1/);
  assertMatch(bodyOf("us1"), /"number_of_replicas":2/);
  // The records have the name of the connection, so that a cluster can be taken out of the fleet.
  const records = doubles.eu1!.documents.indices.get("framework_migrations")!.documents;
  assertEquals([...records.keys()].sort(), ["logs/1-template.json", "logs/2-template.json"]);
  for (const double of [doubles.eu1!, doubles.us1!]) double.requests.length = 0;
  assertEquals(outcomesOf(await fleet.migrate()), ["eu1 unchanged", "us1 unchanged"]);
  assertEquals([doubles.eu1!.requests.length, doubles.us1!.requests.length], [1, 1]);
});

Deno.test("a group is begun when the ones before it are up to date", async () => {
  let isRefused = true;
  await using doubles = clusters(NAMES, (name) => ({
    intercept: (line) =>
      isRefused && name === "c2" && line === "PUT /_index_template/2"
        ? Response.json({ error: { type: "illegal", reason: "no" } }, { status: 400 })
        : undefined,
  }));
  await using fleet = await project(grouped(doubles), FILES);
  const reports = await fleet.migrate();
  assertEquals(outcomesOf(reports), ["c1 migrated", "c2 failed", "m1 not run", "r1 not run"]);
  assertEquals([doubles.m1!.requests.length, doubles.r1!.requests.length], [0, 0]);
  assertEquals(reports[1]!.results.map(({ outcome }) => outcome), ["applied", "failed"]);
  isRefused = false;
  for (const name of NAMES) doubles[name]!.requests.length = 0;
  const again = await fleet.migrate();
  assertEquals(outcomesOf(again), ["c1 unchanged", "c2 migrated", "m1 migrated", "r1 migrated"]);
  assertEquals(writesTo(doubles.c1!), []);
  assertEquals(writesTo(doubles.c2!), ["PUT /_index_template/2"]);
});

Deno.test("a run pauses behind each group that it has changed", async () => {
  await using doubles = clusters(NAMES);
  await using fleet = await project(grouped(doubles, { pause: 0.2 }), FILES);
  const started = performance.now();
  await fleet.migrate();
  assert(performance.now() - started > 400);
  const notices = () =>
    fleet.events.flatMap((event) => event.type === "notice" ? event.message : []);
  assertEquals(notices(), [
    "Waits 0.2 s after the group 'canary', before the group 'main'",
    "Waits 0.2 s after the group 'main', before the clusters without a group",
  ]);
  fleet.events.length = 0;
  await fleet.migrate();
  assertEquals(notices(), []);
});

Deno.test("a run asks at the terminal; without one it ends behind the group", async () => {
  await using doubles = clusters(NAMES);
  await using fleet = await project(grouped(doubles, { pause: "confirm" }), FILES);
  const first = await fleet.command("migrate");
  assertEquals(first.code, 2);
  assertMatch(
    first.stderr,
    /error: logs: The group 'canary' is up to date: run again to go on with the group 'main'/,
  );
  assertStringIncludes(
    first.stdout,
    "logs: not up to date, 4 clusters: 2 migrated, 2 not run\n" +
      "  cluster  state\n" +
      "  1 c1     migrated\n" +
      "  2 c2     migrated\n" +
      "  3 m1     not run\n" +
      "  4 r1     not run\n" +
      "  1234  a applied, N not run\n" +
      "  aaNN  1-template.json\n" +
      "  aaNN  2-template.json\n",
  );
  assertEquals(first.stdout.includes("round trips"), false);
  const asked: string[] = [];
  const answers = (...given: boolean[]) => (question: string) => {
    asked.push(question);
    return Promise.resolve(given.shift());
  };
  const refused = await fleet.migrate({ ask: answers(true, false) });
  assertEquals(outcomesOf(refused), [
    ...["c1 unchanged", "c2 unchanged", "m1 migrated", "logs failed", "r1 not run"],
  ]);
  assertEquals(asked, [
    "logs: the group 'canary' is up to date. Go on with the group 'main'?",
    "logs: the group 'main' is up to date. Go on with the clusters without a group?",
  ]);
  await fleet.write({ "logs/3-template.json": template("three") });
  const done = await fleet.migrate({ ask: answers(true, true) });
  assertEquals(done.every(({ outcome }) => outcome === "migrated"), true);
});

Deno.test("a signal finishes the files in hand, and no other cluster is begun", async () => {
  const started: Deno.ChildProcess[] = [];
  await using doubles = clusters(["a", "b", "c"], (name) => ({
    async intercept(line) {
      if (name !== "b" || line !== "PUT /_index_template/1") return undefined;
      started[0]!.kill("SIGTERM");
      await new Promise((done) => setTimeout(done, 300));
      return undefined;
    },
  }));
  await using fleet = await project({
    ...{ placeholders: { replicas: 1 }, each: { clusters: hostsOf(doubles), parallel: 1 } },
  }, FILES);
  started.push(fleet.spawn("migrate"));
  const { code, stdout } = await started[0]!.output();
  const text = new TextDecoder().decode(stdout);
  assertEquals(code, 143);
  assertStringIncludes(
    text,
    "logs: not up to date, 3 clusters: 2 migrated, 1 not run\n" +
      "  cluster  state\n" +
      "  1 a      migrated\n" +
      "  2 b      stopped\n" +
      "  3 c      not run\n" +
      "  123  a applied, N not run\n" +
      "  aaN  1-template.json\n" +
      "  aNN  2-template.json\n",
  );
  assertStringIncludes(text, "  migrated   logs[b]  (1 file)\n");
  assertEquals(doubles.c!.requests.length, 0);
  const status = await migrationStatus("search", await fleet.options());
  assertEquals(
    status.map(({ found }) => "files" in found ? found.files.map(({ state }) => state) : found),
    [["applied", "applied"], ["applied", "pending"], ["pending", "pending"]],
  );
  assertEquals(outcomesOf(await fleet.migrate()), ["a unchanged", "b migrated", "c migrated"]);
});

Deno.test("a cluster that is down hides no other one, in any command", async () => {
  await using doubles = clusters(["eu1", "us1"]);
  const down = { hosts: "http://127.0.0.1:1" };
  await using fleet = await project({
    ...{ placeholders: { replicas: 1 }, each: { clusters: { down, ...hostsOf(doubles) } } },
  }, FILES);
  const plan = await fleet.command("plan");
  assertEquals(plan.code, 7);
  assertStringIncludes(plan.stdout, "logs[eu1 and 1 more]: 2 to apply");
  assertStringIncludes(
    plan.stdout,
    "logs: 3 clusters\n" +
      "  cluster  pending  state\n" +
      "  1 down         -  unknown\n" +
      "  2 eu1          2  pending\n" +
      "  3 us1          2  pending, as eu1\n" +
      "  the same in all known clusters, pending: 2: 1-template.json, 2-template.json\n",
  );
  assertMatch(plan.stderr, /error: logs\[down\]: No host answers/);
  const baseline = await fleet.command("baseline", "--until", "1-template.json");
  assertEquals(baseline.code, 7);
  assertMatch(baseline.stderr, /logs\[down\]: No host answers/);
  assertMatch(baseline.stdout, /logs\[eu1\]: 1 recorded[^]*logs\[us1\]: 1 recorded/);
  const migrate = await fleet.command("migrate");
  assertEquals(migrate.code, 7);
  assertStringIncludes(
    migrate.stdout,
    "logs: not up to date, 3 clusters: 2 migrated, 1 failed: down\n" +
      "  cluster  state\n" +
      "  1 down   failed\n",
  );
  const status = await fleet.command("status", "--json");
  assertEquals(status.code, 7);
  const { connections } = JSON.parse(status.stdout);
  assertEquals(
    connections.map((one: Record<string, unknown[]>) => [one.part, one.files?.length ?? "error"]),
    [["down", "error"], ["eu1", 2], ["us1", 2]],
  );
  const drift = await fleet.command("drift");
  assertEquals(drift.code, 7);
  // 'baseline' has recorded a file whose template does not exist.
  assertStringIncludes(drift.stdout, "logs[eu1 and 1 more]: 1 differ\n");
  const findings = await fleet.command("status", "--format", "github");
  assertMatch(
    findings.stdout,
    /^::error file=config\/application.yml,line=\d+,.*logs\[down\]: No host/,
  );
  assertEquals((await fleet.command("validate")).code, 0);
});

Deno.test("--only chooses clusters, and 'pull' and 'resolve' work on one of them", async () => {
  await using doubles = clusters(["eu1", "us1", "us2"]);
  await using fleet = await project({
    ...{ placeholders: { replicas: 1 }, each: { clusters: hostsOf(doubles) } },
  }, FILES);
  assertEquals(outcomesOf(await fleet.migrate({ only: ["us1", "eu1"] })), [
    "us1 migrated",
    "eu1 migrated",
  ]);
  assertEquals(doubles.us2!.requests.length, 0);
  const unknown = await fleet.command("status", "--only", "us3");
  assertEquals(unknown.code, 2);
  assertStringIncludes(unknown.stderr, "There is no cluster 'us3' of 'logs': did you mean 'us1'?");
  const one = await fleet.command("status", "--only", "us2");
  assertMatch(one.stdout, /^logs\[us2\]: 2 pending\n {2}pending {6}1-template.json\n/);
  const pull = await fleet.command("pull", "--dry-run");
  assertEquals(pull.code, 2);
  assertStringIncludes(pull.stderr, "'logs' has several clusters: choose one of them by '--only'");
  const several = await fleet.command("pull", "--dry-run", "--only", "us1,us2");
  assertStringIncludes(several.stderr, "select one connection: 'logs[us1]', 'logs[us2]'");
  const created = await fleet.command("new", "users");
  assertMatch(created.stdout, /\/migrations\/logs\/\d/);
  await using without = await project({
    each: {},
    name: "x",
    more: [],
    connection: { hosts: "http://a:1" },
  }, {});
  assertEquals((await without.command("status", "--only", "a")).code, 2);
});

Deno.test("a killed run leaves the clusters that it had done, and the next one goes on with the others", async () => {
  let child: Deno.ChildProcess | undefined;
  await using doubles = clusters(["a", "b", "c"], (name) => ({
    async loseAnswer(line) {
      if (!child || name !== "b" || line !== "PUT /_index_template/2") return false;
      child.kill("SIGKILL");
      await child.status;
      child = undefined;
      return true;
    },
  }));
  await using fleet = await project({
    ...{ placeholders: { replicas: 1 }, each: { clusters: hostsOf(doubles), parallel: 1 } },
  }, FILES);
  const started = child = fleet.spawn("migrate");
  assertEquals((await started.output()).signal, "SIGKILL");
  endLease(doubles.b!);
  const status = await fleet.command("status");
  assertStringIncludes(
    status.stdout,
    "  1 a            2        0        0  up to date\n" +
      "  2 b            1        1        0  pending\n" +
      "  3 c            0        2        0  pending\n" +
      "  123  a applied, P pending\n" +
      "  aaP  1-template.json\n" +
      "  aPP  2-template.json\n",
  );
  const again = await fleet.migrate();
  assertEquals(outcomesOf(again), ["a unchanged", "b migrated", "c migrated"]);
  assertEquals(again[1]!.results.map(({ file }) => file), ["2-template.json"]);
});

Deno.test("the files of one cluster and the differences of drift have their clusters in the matrix", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `c${String(index + 1).padStart(2, "0")}`);
  await using doubles = clusters(names, () => ({
    intercept: (line) => line.startsWith("GET /_cat/aliases") ? Response.json([]) : undefined,
  }));
  await using fleet = await project({
    ...{ placeholders: { replicas: 1 }, each: { clusters: hostsOf(doubles) } },
  }, FILES);
  await fleet.migrate();
  for (const name of ["c02", "c11"]) {
    const path = `${doubles[name]!.url}/_index_template/2`;
    await (await fetch(path, { method: "DELETE" })).body?.cancel();
  }
  await fleet.write({ "logs.c03/own-template.json": "{", "logs/1-template.json": template("uno") });
  const drift = await fleet.command("drift", "--only", names.join(","));
  assertEquals(drift.code, 5);
  assertStringIncludes(drift.stdout, "  123456789012  D differs, . nothing to do\n");
  assertStringIncludes(drift.stdout, "  .D........D.  2-template.json\n");
  const found = mergeParts(await migrationDrift(await fleet.options()));
  assertEquals(found.map(({ parts = [] }) => parts.length), [10, 2]);
  const look = { ...await fleet.options(), onFailure() {} };
  const planned = mergeParts(await planMigrations("search", look));
  assertEquals(planned.map(({ connection }) => connection), ["logs[c01 and 10 more]"]);
  const status = await fleet.command("status");
  assertEquals(status.code, 0);
  assertStringIncludes(status.stdout, "the same everywhere, changed: 1: 1-template.json");
  assertStringIncludes(status.stdout, "  ..P.........  own-template.json\n");
  const validate = await fleet.command("validate", "--format", "github");
  assertEquals(validate.code, 3);
  assertMatch(validate.stdout, /file=migrations\/logs.c03\/own-template.json,.*logs\[c03\]: /);
});

Deno.test("no output has a credential of any cluster", async () => {
  const secrets = ["shared-pw", "own-pw", "url-pw", "api-key", "bearer-tk", "in-file", "broken-pw"]
    .map((name) => `${name}-${crypto.randomUUID()}`);
  const [shared, own, url, key, bearer, value, broken] = secrets;
  await using doubles = clusters(["a", "b", "c", "d", "e"], (name) => ({
    // A server that repeats what it got.
    intercept: (line, body, request) =>
      name === "e" || line.startsWith("PUT /_index_template/2")
        ? Response.json({
          error: {
            reason: `${request.headers.get("authorization")} ${
              atob((request.headers.get("authorization") ?? "").replace(/^Basic |^\w+ .*/, ""))
            } ${body}`,
          },
        }, { status: name === "e" ? 403 : 400 })
        : undefined,
  }));
  const at = (name: string, user = "") => doubles[name]!.url.replace("//", `//${user}`);
  await using fleet = await project({
    connection: { username: "irori", password: shared },
    placeholders: { replicas: 1, secret_text: value },
    each: {
      clusters: {
        a: { hosts: at("a"), password: own },
        b: { hosts: at("b", `me:${url}@`) },
        c: { hosts: at("c"), api_key: key },
        d: { hosts: at("d"), bearer_token: bearer },
        e: { hosts: at("e"), password: broken },
        down: { hosts: `http://me:${url}@127.0.0.1:1` },
      },
    },
  }, { ...FILES, "logs/0-template.json": template("zero", { x: "${secret_text}" }) });
  const outputs = [];
  for (
    const args of [
      ...["validate", "plan", "plan --json", "plan --format markdown", "migrate", "migrate --json"],
      ...["status", "status --json", "status --format sarif", "drift", "drift --json", "baseline"],
      ...["resolve 2-template.json --applied", "pull --only e", "status -v", "status --only x"],
    ]
  ) {
    const { stdout, stderr } = await fleet.command(...args.split(" "));
    outputs.push(stdout + stderr);
  }
  const text = outputs.join("\n");
  for (const secret of secrets) assertEquals(text.includes(secret), false, secret);
  assertEquals(text.includes(btoa(`irori:${own}`)), false);
  assertStringIncludes(text, "logs[e]");
});

Deno.test("the health of a fleet is that of each cluster", async () => {
  await using doubles = clusters(["eu1"]);
  const each = { clusters: { ...hostsOf(doubles), down: { hosts: "http://127.0.0.1:1" } } };
  await using fleet = await project({ each }, FILES);
  const { config, sqlPath } = await fleet.options();
  const health = await searchHealth()(config);
  assertEquals(
    await Promise.all(
      Object.entries(health).map(async ([name, one]) => `${name} ${(await one.health()).status}`),
    ),
    ["logs[eu1] UP", "logs[down] DOWN"],
  );
  const results = await migrateSearch({ sqlPath })(config).catch((error) => error.results);
  assertEquals(results.map(({ connection, file }: MigrationResult) => `${connection} ${file}`), [
    "logs[eu1] 1-template.json",
    "logs[eu1] 2-template.json",
  ]);
});

Deno.test("the exit code of a mixed fleet is the worst", async () => {
  await using doubles = clusters(["bad", "good"], (name) => ({
    intercept: (line) =>
      name === "bad" && line.startsWith("PUT /_index_template/")
        ? Response.json({ error: { reason: "no" } }, { status: 400 })
        : undefined,
  }));
  const down = { hosts: "http://127.0.0.1:1" };
  await using fleet = await project({
    ...{ placeholders: { replicas: 1 }, each: { clusters: { down, ...hostsOf(doubles) } } },
  }, { ...FILES, "logs.good/bad-template.json": "{" });
  const { code, stdout } = await fleet.command("migrate", "--json");
  assertEquals(code, 8);
  const { connections } = JSON.parse(stdout);
  assertEquals(connections.map((one: { outcome: string }) => one.outcome), [
    ...["failed", "failed", "failed"],
  ]);
  assertEquals((await fleet.command("migrate", "--only", "down,good")).code, 3);
  assertEquals((await fleet.command("migrate", "--only", "down")).code, 7);
});
