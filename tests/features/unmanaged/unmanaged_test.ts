import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { loadConfig } from "../../../src/config/load.ts";
import { ConnectionError } from "../../../src/migrations/runner/mod.ts";
import { MIGRATION_FEATURES } from "../../../src/features/migrations.ts";
import { loadRuntime } from "../../../src/runtime/mod.ts";
import { driftOf, migrationDrift } from "../../../src/features/drift/drift.ts";
import { driftFindings } from "../../../src/features/drift/command.ts";
import { Places } from "../../../src/cli/findings.ts";
import { type Workspace, workspace } from "../../e2e/command_line.ts";
import { apply, type Tree, withSession } from "../../migrations/search/runner.ts";
import {
  type ClusterDouble,
  type DoubleOptions,
  startClusterDouble,
} from "../../servers/cluster_double.ts";

async function send(url: string, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assertEquals(answer.ok, true, await answer.text());
}

const TEMPLATE = { index_patterns: ["logs-*"] };
const TREE: Tree = { "logs-template.json": JSON.stringify(TEMPLATE) };

/** The resources that no applied file makes, and the kinds that cannot be listed. */
async function unmanaged(double: ClusterDouble, tree: Tree) {
  const errors: string[] = [];
  const found = await withSession(double.url, tree, (session, files) => {
    const onFailure = (error: Error) => errors.push(error.message);
    return driftOf(session, files, { unmanaged: true, onFailure });
  });
  return {
    resources: found.filter(({ file }) => file === undefined).map(({ resource }) => resource),
    drift: found.filter(({ file }) => file !== undefined),
    errors,
  };
}

Deno.test("unmanagedBeside + lists the kinds of the files, without what is managed", async () => {
  await using double = startClusterDouble();
  await apply(double.url, TREE);
  await send(double.url, "PUT", "/_index_template/by-hand", { index_patterns: ["x-*"] });
  await send(double.url, "PUT", "/_index_template/.plugin", { index_patterns: ["y-*"] });
  await send(double.url, "PUT", "/_index_template/agent", {
    index_patterns: ["z-*"],
    _meta: { managed: true },
  });
  await send(double.url, "PUT", "/_component_template/other-kind", { template: {} });
  double.requests.length = 0;
  assertEquals(await unmanaged(double, TREE), {
    resources: ["index_template by-hand"],
    drift: [],
    errors: [],
  });
  assertEquals(
    double.requests.filter(({ line }) => line === "GET /_index_template").length,
    1,
  );
});

Deno.test("unmanagedBeside + a pending file makes nothing, and its kind is read", async () => {
  await using double = startClusterDouble();
  await apply(double.url, TREE);
  const body = { template: {} };
  await send(double.url, "PUT", "/_component_template/base", body);
  const pending = { "base-component.json": JSON.stringify(body), ...TREE };
  assertEquals((await unmanaged(double, pending)).resources, ["component_template base"]);
  await apply(double.url, pending);
  assertEquals((await unmanaged(double, pending)).resources, []);
});

Deno.test("unmanagedBeside + a deleted file leaves its resource, which is listed then", async () => {
  await using double = startClusterDouble();
  const both = { ...TREE, "old-template.json": '{"index_patterns":["old-*"]}' };
  await apply(double.url, both);
  assertEquals((await unmanaged(double, both)).resources, []);
  assertEquals((await unmanaged(double, TREE)).resources, ["index_template old"]);
});

Deno.test("unmanagedBeside + names settings of the cluster that no file sets", async () => {
  await using double = startClusterDouble();
  const setting = "indices.recovery.max_bytes_per_sec";
  const tree = { "a-cluster-settings.json": `{"persistent":{"${setting}":"50mb"}}` };
  await apply(double.url, tree);
  assertEquals((await unmanaged(double, tree)).resources, []);
  await send(double.url, "PUT", "/_cluster/settings", {
    persistent: { "cluster.routing.allocation.enable": "all" },
  });
  assertEquals((await unmanaged(double, tree)).resources, [
    "cluster settings cluster.routing.allocation.enable",
  ]);
});

Deno.test("unmanagedBeside + the file of an interrupted run may have made its resource", async () => {
  let isBroken = true;
  await using double = startClusterDouble({
    loseAnswer: (line) => isBroken && line.startsWith("PUT /_scripts/"),
    intercept: (line) =>
      isBroken && line.startsWith("GET /_scripts/") ? new Response("", { status: 500 }) : undefined,
  });
  const script = { script: { lang: "painless", source: "return 1" } };
  const tree = { ...TREE, "one-script.json": JSON.stringify(script) };
  const { error } = await apply(double.url, tree);
  assertEquals(error === undefined, false);
  isBroken = false;
  assertEquals((await unmanaged(double, tree)).resources, []);
});

for (
  const [name, answer, expected] of [
    [
      "a right is missing",
      {
        status: 403,
        body: {
          error: {
            type: "security_exception",
            reason: "no permissions for [cluster:admin/component_template/get]",
          },
        },
      },
      /component_template.*no permissions for \[cluster:admin\/component_template\/get\]/,
    ],
    [
      "the plugin is missing",
      {
        status: 400,
        body: { error: "no handler found for uri [/_component_template] and method [GET]" },
      },
      /component_template.*no handler found/,
    ],
    ["the server fails", { status: 500, body: { error: "broken" } }, /HTTP 500/],
  ] as const
) {
  Deno.test(`unmanagedBeside + where ${name}, it is an error for the kind, and the others are listed`, async () => {
    let isAsked = false;
    await using double = startClusterDouble({
      intercept: (line) =>
        isAsked && line === "GET /_component_template"
          ? Response.json(answer.body, { status: answer.status })
          : undefined,
    });
    const tree = { "base-component.json": '{"template":{}}', ...TREE };
    await apply(double.url, tree);
    await send(double.url, "PUT", "/_index_template/by-hand", { index_patterns: ["x-*"] });
    isAsked = true;
    const { resources, errors } = await unmanaged(double, tree);
    assertEquals(resources, ["index_template by-hand"]);
    assertEquals(errors.length, 1);
    assertMatch(errors[0]!, expected);
  });
}

Deno.test("driftFindings + a resource that no file makes is a notice at the connection", () => {
  const places = new Places({ sqlPath: "migrations", type: "search" });
  const found = [{ resource: "role x", differences: [], note: "no applied file makes it" }];
  assertEquals(driftFindings(places, [{ connection: "logs", found }]), [{
    severity: "notice",
    message: "role x: no applied file makes it",
    rule: "drift",
  }]);
});

/** A configured cluster with an applied template, and one that was created by hand. */
async function configured(options?: DoubleOptions): Promise<
  AsyncDisposable & { readonly double: ClusterDouble; readonly space: Workspace }
> {
  const double = startClusterDouble(options);
  const space = await workspace({
    "config/application.yml": `search:\n  - name: logs\n    hosts: [${double.url}]\n` +
      "    migrations: { enabled: true }\n",
    "migrations/logs/1-logs-template.json": JSON.stringify(TEMPLATE),
  });
  assertEquals((await space.run("-m", "search")).code, 0);
  await send(double.url, "PUT", "/_index_template/by-hand", { index_patterns: ["x-*"] });
  return {
    double,
    space,
    [Symbol.asyncDispose]: async () => {
      await space[Symbol.asyncDispose]();
      await double.stop();
    },
  };
}

const OLD = { index_patterns: ["old-*"] };
const DRIFT = ["drift", "-m", "search"];

Deno.test("migrationDrift + lists them without a handler of failures, and throws for a kind that cannot be listed", async () => {
  let isFailing = false;
  await using live = await configured({
    intercept: (line) =>
      isFailing && line === "GET /_index_template"
        ? new Response("{}", { status: 500 })
        : undefined,
  });
  const runtime = await loadRuntime();
  const options = {
    runtime,
    config: await loadConfig({ runtime, directory: `${live.space.path}/config` }),
    features: MIGRATION_FEATURES,
    sqlPath: `${live.space.path}/migrations`,
    unmanaged: true,
  };
  const [logs] = await migrationDrift(options);
  assertEquals(logs?.found.map(({ resource }) => resource), ["index_template by-hand"]);
  isFailing = true;
  await assertRejects(() => migrationDrift(options), ConnectionError, "HTTP 500");
});

Deno.test("drift --unmanaged + exits with 5, also as JSON and as findings, and without it with 0", async () => {
  await using live = await configured();
  const { space } = live;
  assertEquals((await space.run(...DRIFT)).code, 0);
  const text = await space.run(...DRIFT, "--unmanaged");
  assertEquals([text.code, text.stdout], [5, "logs: no drift, 1 that no applied file makes\n"]);
  assertStringIncludes(text.stderr, "logs: index_template by-hand: no applied file makes it");
  const json = await space.run(...DRIFT, "--unmanaged", "--json");
  assertEquals(json.code, 5);
  const note = "no applied file makes it";
  assertEquals(JSON.parse(json.stdout).connections, [{
    connection: "logs",
    drift: [],
    notices: [],
    unmanaged: [{ resource: "index_template by-hand", differences: [], note }],
  }]);
  const github = await space.run(...DRIFT, "--unmanaged", "--format", "github");
  assertEquals(github.code, 5);
  assertMatch(github.stdout, /^::notice .*index_template by-hand: no applied file makes it/m);
});

Deno.test("drift --unmanaged + what is removed as the guide says is no finding", async () => {
  const guide = await Deno.readTextFile("docs/guide/cluster-configuration.md");
  const [, path, envelope] =
    /`migrations\/logs\/(99-remove\S+)`:\n\n```json\n([^]*?)```/.exec(guide) ?? [];
  await using live = await configured();
  const { space, double } = live;
  await space.write("migrations/logs/2/old-logs-template.json", JSON.stringify(OLD));
  assertEquals((await space.run("-m", "search")).code, 0);
  await space.remove("migrations/logs/2/old-logs-template.json");
  const listed = await space.run(...DRIFT, "--unmanaged");
  assertStringIncludes(listed.stderr, "index_template old-logs: no applied file makes it");
  await space.write(`migrations/logs/${path}`, envelope!);
  assertEquals((await space.run("-m", "search")).code, 0);
  const answer = await fetch(`${double.url}/_index_template/old-logs`);
  await answer.body?.cancel();
  assertEquals(answer.status, 404);
  const left = await space.run(...DRIFT, "--unmanaged");
  assertEquals(left.stdout, "logs: no drift, 1 that no applied file makes\n");
});

Deno.test("a removal as the guide says runs again on a cluster that never had the resource", async () => {
  const guide = await Deno.readTextFile("docs/guide/cluster-configuration.md");
  const [, path, envelope] =
    /`migrations\/logs\/(99-remove\S+)`:\n\n```json\n([^]*?)```/.exec(guide) ?? [];
  await using live = await configured();
  const { space, double } = live;
  await space.write(`migrations/logs/${path}`, envelope!);
  const alone = await space.run("-m", "search");
  assertEquals(alone.code, 8);
  assertStringIncludes(alone.stderr, "index_template_missing_exception");
  await space.write("migrations/logs/2/old-logs-template.json", JSON.stringify(OLD));
  for (let cluster = 1; cluster <= 2; cluster++) {
    assertEquals((await space.run("-m", "search")).code, 0);
    const answer = await fetch(`${double.url}/_index_template/old-logs`);
    await answer.body?.cancel();
    assertEquals(answer.status, 404);
    assertEquals((await space.run(...DRIFT)).stdout, "logs: no drift\n");
    await send(double.url, "DELETE", "/framework_migrations");
  }
});

Deno.test("drift --unmanaged + a kind that cannot be listed exits with 7", async () => {
  await using live = await configured({
    intercept: (line) =>
      line === "GET /_index_template"
        ? Response.json(
          { error: { type: "security_exception", reason: "no permissions for [x]" } },
          {
            status: 403,
          },
        )
        : undefined,
  });
  const { code, stderr } = await live.space.run(...DRIFT, "--unmanaged");
  assertEquals(code, 7);
  assertStringIncludes(stderr, "index_template");
  assertStringIncludes(stderr, "no permissions for [x]");
});

Deno.test("drift --unmanaged + is refused without '-m search'", async () => {
  await using space = await workspace({ "config/application.yml": "" });
  const { code, stderr } = await space.run("drift", "--unmanaged");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "'--unmanaged' expects '-m search'");
});

Deno.test("drift --unmanaged + names the files of a kind that cannot be read, and lists the other kinds", async () => {
  let isAsked = false;
  await using live = await configured({
    intercept: (line) =>
      isAsked && line.startsWith("GET /_component_template")
        ? Response.json(
          { error: { type: "security_exception", reason: "no permissions for [x]" } },
          { status: 403 },
        )
        : undefined,
  });
  const { space } = live;
  for (const name of ["base", "more"]) {
    await space.write(`migrations/logs/2-${name}-component.json`, '{"template":{}}');
  }
  assertEquals((await space.run("-m", "search")).code, 0);
  isAsked = true;
  const { code, stdout, stderr } = await space.run(...DRIFT, "--unmanaged");
  assertEquals([code, stdout], [7, "logs: no drift, 1 that no applied file makes\n"]);
  assertStringIncludes(stderr, "index_template by-hand: no applied file makes it");
  const errors = stderr.split("\n").filter((line) => line.startsWith("error: "));
  assertEquals(errors.length, 1, stderr);
  assertMatch(errors[0]!, /logs: 2-base-component.json: component_template 2-base: .*\[x\]/);
  assertEquals((await space.run(...DRIFT)).code, 7);
});
