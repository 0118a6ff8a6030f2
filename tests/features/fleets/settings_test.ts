import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { ConfigError } from "../../../src/config/mod.ts";
import { connectionsOf, partsOf } from "../../../src/migrations/connections.ts";
import { SEARCH } from "../../../src/migrations/search/offers.ts";
import { type Project, project, template } from "./fleets_support.ts";

const EU1 = { hosts: "http://eu1:9200" };
const US1 = { hosts: "http://us1:9200" };
const FILES = { "logs/a-template.json": template("a") };

async function partsIn(fleet: Project) {
  const options = await fleet.options();
  const [connection] = await connectionsOf("search", options);
  return await partsOf(connection!, options);
}

async function connectionIn(fleet: Project) {
  const [part] = await partsIn(fleet);
  return SEARCH.of(part!.target)!.connection;
}

const MISTAKES: readonly (readonly [settings: Parameters<typeof project>[0], error: string])[] = [
  [
    { each: { clusters: { eu1: EU1 } }, connection: { hosts: "http://a:9200" } },
    "hosts: Expected no hosts beside 'migrations.each', whose clusters have their own",
  ],
  [{ each: {} }, "migrations.each.clusters: Expected a value, found none"],
  [{ each: { clusters: {} } }, "migrations.each.clusters: Expected at least one cluster"],
  [{ each: { clusters: ["eu1"] } }, "migrations.each.clusters: Expected a map"],
  [{ each: { clusters: { eu1: EU1 }, only: 1 } }, "each.only: There is no setting 'only'"],
  [
    { each: { clusters: { eu1: { ...EU1, passwort: "x" } } } },
    "migrations.each.clusters.eu1.passwort: There is no setting 'passwort'",
  ],
  [
    { each: { clusters: { eu1: { ...EU1, migrations: {} } } } },
    "migrations.each.clusters.eu1.migrations: There is no setting 'migrations'",
  ],
  [{ each: { clusters: { eu1: "http://eu1" } } }, "clusters.eu1: Expected a map of"],
  [{ each: { clusters: { eu1: {} } } }, "clusters.eu1.hosts: A connection needs at least one host"],
  [{ each: { clusters: { eu1: { hosts: "eu1" } } } }, "eu1.hosts[0]: Expected a URL"],
  [{ each: { clusters: { "eu 1": EU1 } } }, "clusters.eu 1: Expected the name of a cluster"],
  [
    { each: { clusters: { eu1: EU1, us1: { hosts: ["http://us1:9200", "http://eu1:9200/"] } } } },
    "clusters.us1.hosts: Expected a host of one cluster, found 'http://eu1:9200' in 'eu1' and 'us1'",
  ],
  [
    { each: { clusters: { eu1: { ...EU1, group: "canry" } }, groups: ["canary"] } },
    "clusters.eu1.group: There is no group 'canry' under 'migrations.each.groups': found 'canary'",
  ],
  [
    { each: { clusters: { eu1: { ...EU1, group: "canary" } } } },
    "There is no group 'canary' under 'migrations.each.groups': found none",
  ],
  [{ each: { clusters: { eu1: EU1 }, parallel: 0 } }, "parallel: Expected a whole number from 1"],
  [{ each: { clusters: { eu1: EU1 }, pause: "ask" } }, "pause: Expected seconds, or 'confirm'"],
  [{ each: { clusters: { eu1: EU1 }, pause: -1 } }, "pause: Expected seconds, or 'confirm'"],
  [{ each: { clusters: { eu1: EU1 }, pause: true } }, "pause: Expected seconds, or 'confirm'"],
  [{ each: { clusters: { eu1: EU1 }, pause: [] } }, "pause: Expected seconds, or 'confirm'"],
  [{ each: { clusters: { eu1: EU1 }, pause: 2e6 + 1 } }, "or 'confirm': at most 2000000"],
  [{ each: { clusters: "fleet.yml" } }, "fleet.yml: Cannot read the file"],
  [{ each: { clusters: "" } }, "migrations.each.clusters: Expected a map"],
  [{ each: { clusters: { eu1: null } } }, "clusters.eu1: Expected the settings of a cluster"],
  [
    { each: { clusters: { eu1: { ...EU1, client_cert: "a.pem" } } } },
    "clusters.eu1.client_cert: expected 'client_key' to be set, too",
  ],
  [
    { each: { clusters: { eu1: { ...EU1, auth: { type: "aws" }, password: "x" } } } },
    "clusters.eu1.password: Expected no other credentials",
  ],
];

const plain = (text: string) => text.replaceAll("'", "");

for (const [settings, error] of MISTAKES) {
  Deno.test(`a fleet is refused, in its file and line: ${error}`, async () => {
    await using fleet = await project(settings, FILES);
    const { message } = await assertRejects(() => partsIn(fleet), ConfigError);
    assertStringIncludes(plain(message), plain(error));
    assertEquals(/^\S+\.yml(:\d+)?: /.test(message), true, message);
  });
}

Deno.test("a cluster has the settings of its connection, and its own before them", async () => {
  const basic = (text: string) => `Basic ${btoa(text)}`;
  const own: readonly (readonly [Record<string, unknown>, string | undefined])[] = [
    [{}, basic("irori:shared")],
    [{ password: "own" }, basic("irori:own")],
    [{ api_key: "key" }, "ApiKey key"],
    [{ bearer_token: "token" }, "Bearer token"],
    [{ hosts: "http://a:b@eu1:9200" }, basic("a:b")],
    [{ auth: { type: "aws", region: "eu-central-1" } }, undefined],
  ];
  for (const [more, authorization] of own) {
    await using fleet = await project({
      connection: { username: "irori", password: "shared", timeout: 7, proxy: "http://proxy:1" },
      each: { clusters: { eu1: { ...EU1, proxy: false, ...more } } },
    }, FILES);
    const connection = await connectionIn(fleet);
    assertEquals(connection.authorization, authorization, JSON.stringify(more));
    assertEquals([connection.timeoutMs, connection.proxy], [7000, false]);
    assertEquals([connection.name, connection.recordedAs], ["logs[eu1]", "logs"]);
  }
  await using fleet = await project({
    connection: { api_key: "shared" },
    each: { clusters: { eu1: { ...EU1, username: "irori", password: "own" } } },
  }, FILES);
  assertEquals((await connectionIn(fleet)).authorization, basic("irori:own"));
});

Deno.test("a file of clusters is read with its placeholders, and its mistakes have its lines", async () => {
  await using fleet = await project({
    placeholders: { replicas: 1, env: "test", username: "of all" },
    each: { clusters: "fleet.yml" },
  }, { "logs/a-template.json": template("a", { r: "${replicas}", e: "${env}" }) });
  const write = (text: string) => Deno.writeTextFile(join(fleet.root, "fleet.yml"), text);
  await write(
    `eu1:\n  hosts: \${EU1_HOST:http://eu1:9200}\n  placeholders: { replicas: 2, api_key: of-one }\nus1:
  hosts: http://us1:9200\n  password: \${NEVER_SET}\n  username: a\n`,
  );
  const options = { ...await fleet.options(), only: ["eu1"] };
  const [connection] = await connectionsOf("search", options);
  const [part] = await partsOf(connection!, options);
  const text = new TextDecoder().decode(await part!.files[0]!.read());
  assertStringIncludes(text, "${replicas}");
  const { placeholders } = SEARCH.of(part!.target)!.connection;
  assertEquals(Object.entries(placeholders!).map(([name, { json }]) => `${name} ${json}`), [
    ...["replicas 2", 'api_key "of-one"', 'env "test"', 'username "of all"'],
  ]);
  const error = await assertRejects(() => partsIn(fleet), ConfigError);
  assertStringIncludes(error.message, "fleet.yml:6: 'us1.password': Cannot fill '${NEVER_SET}'");
  await write("eu1:\n  hosts: http://eu1:9200\n  hots: 1\n");
  const { message } = await assertRejects(() => partsIn(fleet), ConfigError);
  assertStringIncludes(message, "fleet.yml:3: 'eu1.hots': There is no setting 'hots'");
});

Deno.test("files of one cluster stand beside the shared ones, and nothing is left out silently", async () => {
  const each = { clusters: { eu1: EU1, us1: US1 } };
  await using fleet = await project({ each, more: [{ name: "logs.old", hosts: "http://o" }] }, {
    "logs/b-template.json": template("b"),
    "logs.eu1/a-template.json": template("a"),
    "logs.eu1/z/c-template.json": template("c"),
    "logs.old/x-template.json": template("x"),
  });
  assertEquals((await partsIn(fleet)).map(({ part, files }) => [part, files.map((f) => f.path)]), [
    ["eu1", ["a-template.json", "b-template.json", "z/c-template.json"]],
    ["us1", ["b-template.json"]],
  ]);
  await fleet.write({ "logs.eu2/a-template.json": template("a") });
  const stray = await assertRejects(() => partsIn(fleet), ConfigError);
  assertStringIncludes(
    stray.message,
    "/logs.eu2' is of no cluster, since 'logs' has no 'eu2': did you mean 'eu1'?",
  );
  await Deno.remove(join(fleet.root, "migrations/logs.eu2"), { recursive: true });
  await fleet.write({ "logs.us1/b-template.json": template("b") });
  const twice = await fleet.command("validate");
  assertEquals(twice.code, 3);
  assertStringIncludes(
    twice.stderr,
    "logs[us1]/b-template.json: The file is in the folder of all clusters, too",
  );
});

Deno.test("a link to a folder of a cluster that does not exist fails in this cluster", async () => {
  await using fleet = await project({ each: { clusters: { eu1: EU1 } } }, FILES);
  await Deno.symlink(join(fleet.root, "gone"), join(fleet.root, "migrations/logs.eu1"));
  const [part] = await partsIn(fleet);
  await assertRejects(() => part!.target.withValues(part!.files), Error, "logs.eu1");
});

Deno.test("a folder of a cluster that is also that of a connection is refused", async () => {
  await using fleet = await project({
    each: { clusters: { eu1: EU1 } },
    more: [{ name: "logs.eu1", hosts: "http://other:9200" }],
  }, { ...FILES, "logs.eu1/x-template.json": template("x") });
  const { message } = await assertRejects(() => partsIn(fleet), ConfigError);
  assertStringIncludes(message, "is of the cluster 'eu1' and of another connection");
});

Deno.test("--only wants one connection, and says so before anything is sent", async () => {
  const metrics = { clusters: { us1: US1 } };
  const more = [{ name: "metrics", migrations: { enabled: true, each: metrics } }];
  await using fleet = await project({ each: { clusters: { eu1: EU1 } }, more }, FILES);
  const { code, stderr } = await fleet.command("migrate", "--only", "eu1");
  assertEquals(code, 2);
  const message = "'--only' names clusters of one connection: choose it by '--connection', ";
  assertStringIncludes(stderr, `${message}found 'logs', 'metrics'`);
});
