import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { countingProxy } from "../servers/counting_proxy.ts";
import {
  ask,
  CLUSTERS,
  clusterTest,
  ELASTICSEARCH_9,
  PLAIN,
  type RealCluster,
  SECURE,
} from "../servers/real.ts";
import { type Workspace, workspace } from "./command_line.ts";

/** A workspace for one cluster, with names of its own, whose traces on the cluster go with it. */
async function project(
  cluster: RealCluster,
  tree: (name: string) => Record<string, string>,
  host = cluster.url,
): Promise<Workspace & { name: string }> {
  const name = `t${crypto.randomUUID().slice(0, 8)}`;
  const secure = cluster.password
    ? `    username: admin\n    password: ${cluster.password}\n    ca_cert: ${cluster.ca}\n`
    : "";
  const files = Object.entries(tree(name)).map((
    [path, text],
  ) => [`migrations/${name}/${path}`, text]);
  const space = await workspace({
    "config/application.yml":
      `search:\n  - name: ${name}\n    hosts: [${host}]\n${secure}    migrations:\n      enabled: true\n`,
    ...Object.fromEntries(files),
  });
  return {
    ...space,
    name,
    async [Symbol.asyncDispose]() {
      await ask(cluster, "DELETE", `/_index_template/${name}*`);
      await ask(cluster, "DELETE", `/${name}*`);
      await space[Symbol.asyncDispose]();
    },
  };
}

const template = (name: string, shards: number) =>
  JSON.stringify({
    index_patterns: [`${name}-logs-*`],
    template: { settings: { number_of_shards: shards } },
  });

const mixed = (name: string): Record<string, string> => ({
  [`release-1.0/${name}-a-template.json`]: template(name, 1),
  [`release-1.0/${name}-b-template.json`]:
    '{ "mappings": { "properties": { "at": { "type": "date" } } } }',
  [`release-1.1/${name}-Users-index.json`]: '{ "settings": { "number_of_replicas": 0 } }',
  "release-1.1/z-mapping.json": JSON.stringify({
    method: "put",
    path: `/${name}-users/_mapping`,
    body: { properties: { host: { type: "keyword" } } },
  }),
  "release-1.2/alias.json": JSON.stringify({
    method: "POST",
    path: "/_aliases",
    body: { actions: [{ add: { index: `${name}-users`, alias: `${name}-people` } }] },
  }),
});

for (const cluster of [...CLUSTERS, ELASTICSEARCH_9]) {
  clusterTest(cluster, "cli applies every kind of file, then nothing", async () => {
    await using space = await project(cluster, mixed);
    const { name } = space;
    const first = await space.runStarted("-m", "search");
    assertEquals([first.code, first.stderr], [0, ""]);
    assertMatch(first.stdout, /5 files, 5 pending/);

    const read = async (path: string) => (await ask(cluster, "GET", path)).json;
    // deno-lint-ignore no-explicit-any -- answers of the cluster
    const templates = await read(`/_index_template/${name}*`) as any;
    assertEquals(
      templates.index_templates.map((found: Record<string, unknown>) => found.name).sort(),
      [`${name}-a`, `${name}-b`],
    );
    // deno-lint-ignore no-explicit-any -- answers of the cluster
    const wrapped = (await read(`/_index_template/${name}-b`) as any).index_templates[0];
    assertEquals(wrapped.index_template.index_patterns, [`${name}-b*`]);
    // deno-lint-ignore no-explicit-any -- answers of the cluster
    const index = (await read(`/${name}-people`) as any)[`${name}-users`];
    assertEquals(index.mappings.properties, { host: { type: "keyword" } });

    const second = await space.runStarted("-m", "search");
    assertEquals(second.code, 0);
    assertStringIncludes(second.stdout, "up to date, 5 unchanged (1 round trip)");
  });

  clusterTest(cluster, "cli applies a changed template again, seen on the cluster", async () => {
    await using space = await project(
      cluster,
      (name) => ({ "x-template.json": template(name, 1) }),
    );
    // A name of the file system, not of this test: keep it apart from other runs.
    const file = `migrations/${space.name}/${space.name}-template.json`;
    await space.remove(`migrations/${space.name}/x-template.json`);
    await space.write(file, template(space.name, 1));
    await space.runStarted("-m", "search");
    await space.write(file, template(space.name, 2));
    const { code, stdout } = await space.runStarted("-m", "search");
    assertEquals(code, 0);
    assertMatch(stdout, /reapplied/);
    const { json } = await ask(cluster, "GET", `/_index_template/${space.name}`);
    assertStringIncludes(JSON.stringify(json), '"number_of_shards":"2"');
  });

  clusterTest(cluster, "cli stops at a failing file and leaves later files alone", async () => {
    await using space = await project(cluster, (name) => ({
      [`1-${name}-index.json`]: '{ "settings": {} }',
      "2-bad.json": JSON.stringify({ method: "PUT", path: `/${name}-nope/_mapping`, body: {} }),
      [`${name}-3-index.json`]: '{ "settings": {} }',
    }));
    const { name } = space;
    const { code, stdout, stderr } = await space.runStarted("-m", "search");
    assertEquals(code, 8);
    assertMatch(stdout, /applied {4}1-[^]*failed {5}2-bad\.json/);
    assertMatch(
      stderr,
      new RegExp(`${name}/2-bad\\.json.*127\\.0\\.0\\.1.*index_not_found_exception`),
    );
    assertEquals((await ask(cluster, "HEAD", `/${name}-3`)).status, 404);
    await ask(cluster, "DELETE", `/1-${name}`);

    await space.write(
      `migrations/${name}/2-bad.json`,
      JSON.stringify({ method: "PUT", path: `/${name}-2`, body: {} }),
    );
    const again = await space.runStarted("-m", "search");
    assertEquals(again.code, 0);
    assertMatch(again.stdout, /2 applied, 1 unchanged/);
  });

  clusterTest(cluster, "cli runs again after its records were deleted", async () => {
    await using space = await project(cluster, mixed);
    await space.runStarted("-m", "search");
    // Not the whole index: other tests have their records there at the same time.
    await ask(cluster, "POST", "/framework_migrations/_refresh");
    const query = { term: { connection: space.name } };
    const { json } = await ask(cluster, "POST", "/framework_migrations/_search", { query });
    const { hits: { hits } } = json as { hits: { hits: { _id: string }[] } };
    assertEquals(hits.length, 5);
    for (const { _id } of hits) {
      const path = `/framework_migrations/_doc/${encodeURIComponent(_id)}`;
      assertEquals((await ask(cluster, "DELETE", path)).status, 200);
    }
    const { code, stdout } = await space.runStarted("-m", "search");
    assertEquals(code, 0);
    assertMatch(stdout, /5 applied/);
    assertMatch(stdout, /exists already and was not changed/);
  });
}

clusterTest(PLAIN, "cli sends the requests that were promised: r + 1 + 2k, then one", async () => {
  await using proxy = await countingProxy(PLAIN.url);
  await using space = await project(PLAIN, mixed, proxy.url);
  await space.runStarted("-m", "search");
  // Requests that only the first run sends: they make the two indices or, where these exist, search for records of
  // another program.
  const once = /^PUT \/framework_migrations|\/framework_migrations\/_search/;
  const sent = proxy.requests.filter((request) => !once.test(request));
  const existence = 1;
  const lastIsPost = 1;
  assertEquals(sent.length, 1 + 1 + 2 * 5 + existence + lastIsPost, proxy.requests.join("\n"));

  proxy.requests.length = 0;
  assertEquals((await space.runStarted("-m", "search")).code, 0);
  assertEquals(proxy.requests, ["POST /_mget"]);
});

clusterTest(
  SECURE,
  "cli says that credentials are refused, with exit 7 and without them",
  async () => {
    await using space = await project(SECURE, mixed);
    const wrong = { ...SECURE, password: "wr0ng-secret" };
    await using denied = await project(wrong, mixed);
    const { code, stderr } = await denied.run("-m", "search");
    assertEquals(code, 7);
    assertMatch(stderr, /https:\/\/127\.0\.0\.1.*does not accept the credentials/);
    assert(!stderr.includes("wr0ng-secret"), stderr);

    const yaml = await Deno.readTextFile(`${space.path}/config/application.yml`);
    await space.write(
      "config/application.yml",
      yaml.replace(/ca_cert: .*/, "ssl_verification: true"),
    );
    const untrusted = await space.runStarted("-m", "search");
    assertEquals(untrusted.code, 7);
    assertMatch(untrusted.stderr, /certificate/i);

    await space.write(
      "config/application.yml",
      yaml.replace(/ca_cert: .*/, "ssl_verification: false"),
    );
    assertEquals((await space.runStarted("-m", "search")).code, 0);
  },
);

clusterTest(PLAIN, "cli goes on with the next host when one gives no answer", async () => {
  const closed = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const dead = `http://127.0.0.1:${closed.addr.port}`;
  closed.close();
  await using space = await project(PLAIN, mixed, `${dead}, ${PLAIN.url}`);
  assertEquals((await space.runStarted("-m", "search")).code, 0);

  await using lost = await project(PLAIN, mixed, dead);
  const { code, stderr } = await lost.run("-m", "search");
  assertEquals(code, 7);
  assertMatch(stderr, new RegExp(`${dead.slice(7)} \\(connection refused\\)`));
});

Deno.test("cli names the setting of a certificate that cannot be read, with exit 2", async () => {
  const spoilt = (label: string) => `-----BEGIN ${label}-----\nxxxx\n-----END ${label}-----\n`;
  const table: [settings: string, message: RegExp][] = [
    [
      "ca_cert: spoilt.pem",
      /'search\[0\]\.ca_cert': Expected a certificate in PEM, found one that cannot be read,/,
    ],
    [
      "ca_cert: none.pem",
      /'search\[0\]\.ca_cert': Cannot read the file '.*none\.pem'/,
    ],
    [
      `client_cert: ${JSON.stringify(spoilt("CERTIFICATE"))}\n    client_key: spoilt.pem`,
      /'search\[0\]\.client_cert': Expected a certificate in PEM, found one that cannot be read/,
    ],
  ];
  for (const [settings, message] of table) {
    await using space = await workspace({
      "config/application.yml":
        `search:\n  - name: logs\n    hosts: [https://127.0.0.1:1]\n    ${settings}\n    migrations: { enabled: true }\n`,
      "spoilt.pem": spoilt("CERTIFICATE"),
      "migrations/logs/a-pipeline.json": '{"processors":[]}',
    });
    const { code, stderr } = await space.runStarted("-m", "search");
    assertEquals(code, 2, stderr);
    assertMatch(stderr, message);
  }
});
