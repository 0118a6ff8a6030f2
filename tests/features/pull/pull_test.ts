import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { PullError } from "../../../src/features/pull/pull.ts";
import { ConnectionError } from "../../../src/migrations/runner/mod.ts";
import {
  pullCluster,
  type PullSelection,
  withPlaceholders,
} from "../../../src/features/pull/pull.ts";
import { CLUSTER } from "../../../src/migrations/search/offers.ts";
import { withoutDefaults } from "../../../src/features/pull/live.ts";
import { KINDS } from "../../../src/migrations/search/kinds/resource.ts";
import { type DoubleOptions, startClusterDouble } from "../../servers/cluster_double.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import {
  apply,
  connectionTo,
  recorded,
  type Tree,
  withSession,
} from "../../migrations/search/runner.ts";
import { drifted } from "../drift/support.ts";
import { assertFits } from "../file_schemas/problems.ts";
import { classifierOf } from "../../../src/migrations/search/classifier.ts";
import { loadedFile } from "../../migrations/runner/memory.ts";
import { declared } from "../../migrations/search/placeholder_values.ts";

const kindOf = (noun: string, path = "") => {
  return KINDS.find((kind) => kind.noun === noun && kind.list?.path.includes(path))!;
};

Deno.test("withoutDefaults leaves out what a cluster adds, and keeps every token of the rest", () => {
  const table: [noun: string, path: string, live: string, said: string][] = [
    [
      "policy",
      "",
      '{"_id":"p","_seq_no":3,"_primary_term":1,"policy":{"policy_id":"p","description":"d",' +
      '"last_updated_time":1795234801846,"schema_version":21,"error_notification":null,' +
      '"default_state":"hot","states":[{"name":"hot","actions":[{"retry":{"count":3,' +
      '"backoff":"exponential","delay":"1m"},"rollover":{"min_size":"1gb","copy_alias":false}}],' +
      '"transitions":[]}],"ism_template":[{"index_patterns":["a*"],"priority":0,' +
      '"last_updated_time":1795234801846}]}}',
      '{"policy":{"description":"d","default_state":"hot","states":[{"name":"hot","actions":[{' +
      '"rollover":{"min_size":"1gb"}}]}],"ism_template":[{"index_patterns":["a*"]}]}}',
    ],
    [
      "snapshot policy",
      "",
      '{"name":"daily","description":"d","schema_version":21,"creation":{"schedule":{"cron":' +
      '{"expression":"0 8 * * *","timezone":"UTC"}},"time_limit":"1h"},"snapshot_config":' +
      '{"repository":"r"},"schedule":{"interval":{"start_time":1,"period":1,"unit":"Minutes"}},' +
      '"enabled":true,"last_updated_time":1,"enabled_time":1}',
      '{"description":"d","creation":{"schedule":{"cron":{"expression":"0 8 * * *","timezone":' +
      '"UTC"}},"time_limit":"1h"},"snapshot_config":{"repository":"r"},"enabled":true}',
    ],
    // One that is stopped stays so.
    [
      "snapshot policy",
      "",
      '{"name":"d","snapshot_config":{},"enabled":false,"enabled_time":null}',
      '{"snapshot_config":{},"enabled":false}',
    ],
    [
      "index_template",
      "",
      '{"index_patterns":["a*"],"template":{"settings":{"index":{"number_of_shards":"1"}},' +
      '"mappings":{"_meta":{"n":12345678901234567890,"f":1.0,"10":1,"2":{}},"properties":{}},' +
      '"aliases":{}},"composed_of":[],"data_stream":{"timestamp_field":{"name":"@timestamp"}}}',
      '{"index_patterns":["a*"],"template":{"settings":{"index":{"number_of_shards":"1"}},' +
      '"mappings":{"_meta":{"n":12345678901234567890,"f":1.0,"10":1,"2":{}},"properties":{}}},' +
      '"data_stream":{}}',
    ],
    // The member that identifies the kind of a file stays.
    ["component_template", "", '{"template":{}}', '{"template":{}}'],
    [
      "role",
      "_plugins",
      '{"reserved":false,"hidden":false,"cluster_permissions":[],"index_permissions":[],' +
      '"tenant_permissions":[],"static":false}',
      '{"cluster_permissions":[]}',
    ],
    [
      "role",
      "_plugins",
      '{"reserved":false,"hidden":false,"cluster_permissions":["a"],"index_permissions":[{' +
      '"index_patterns":["a*"],"dls":null,"fls":[],"masked_fields":[],"allowed_actions":["read"]' +
      '}],"tenant_permissions":[],"static":false}',
      '{"cluster_permissions":["a"],"index_permissions":[{"index_patterns":["a*"],' +
      '"allowed_actions":["read"]}]}',
    ],
    [
      "user",
      "_plugins",
      '{"hash":"","reserved":false,"hidden":false,"backend_roles":["b"],"attributes":{},' +
      '"opendistro_security_roles":[],"static":false}',
      '{"backend_roles":["b"]}',
    ],
    [
      "role mapping",
      "_plugins",
      '{"hosts":[],"users":["u"],"reserved":false,"hidden":false,"backend_roles":[],' +
      '"and_backend_roles":[]}',
      '{"users":["u"]}',
    ],
    [
      "snapshot repository",
      "",
      '{"type":"fs","uuid":"x","settings":{"location":"/b"}}',
      '{"type":"fs","settings":{"location":"/b"}}',
    ],
    [
      "script",
      "",
      '{"script":{"lang":"painless","source":"1","options":{"content_type":"application/json"}}}',
      '{"script":{"lang":"painless","source":"1"}}',
    ],
    // As Elasticsearch 7.17 gives them.
    [
      "lifecycle policy",
      "",
      '{"version":1,"modified_date":"2026-01-01","policy":{"phases":{}},"in_use_by":{}}',
      '{"policy":{"phases":{}}}',
    ],
    ["data stream", "", '{"name":"d","indices":[],"generation":1}', "{}"],
    // Every member of a pipeline was sent.
    ["pipeline", "", '{"processors":[{"set":{"field":"a","value":null}}],"on_failure":[]}', ""],
  ];
  for (const [noun, path, live, said] of table) {
    const kind = kindOf(noun, path);
    assertEquals(withoutDefaults(kind, live), said === "" ? live : said, noun);
    // Nothing else is compared.
    assertEquals(
      kind.wanted(JSON.parse(withoutDefaults(kind, live))),
      kind.wanted(JSON.parse(live)),
    );
  }
});

Deno.test("withoutDefaults takes a template of 5,000 fields in its stride", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`f${index}`, { type: "keyword", index: true }]),
  );
  const live = JSON.stringify({ index_patterns: ["a"], template: { mappings: { properties } } });
  // Looked into member by member, it would take minutes.
  assertEquals(withoutDefaults(kindOf("index_template"), live), live);
});

Deno.test("withPlaceholders writes no secret, and escapes what a run would fill in", () => {
  const taken = new Map();
  const of = (noun: string, path: string, name: string, text: string) => {
    return withPlaceholders({ kind: kindOf(noun, path), name, text }, (x) => x === "env", taken);
  };
  assertEquals(
    of("user", "_plugins", "ada", '{"backend_roles":[]}'),
    '{"password":"${USER_ADA_PASSWORD}","backend_roles":[]}',
  );
  assertEquals(
    of("user", "_plugins", "a.b", "{}"),
    '{"password":"${USER_A_B___E61D9919_PASSWORD}"}',
  );
  assertEquals(of("user", "_plugins", "a-b", "{}"), '{"password":"${USER_A_B_PASSWORD}"}');
  const service = '{"attributes":{"service":"true"}}';
  assertEquals(of("user", "_plugins", "svc", service), service);
  assertEquals(
    of("snapshot repository", "", "s3", '{"settings":{"bucket":"b","secret_key":"K","n":1}}'),
    '{"settings":{"bucket":"b","secret_key":"${REPOSITORY_S3_SECRET_KEY}","n":1}}',
  );
  assertEquals(
    of("pipeline", "", "p", '{"d":"${env} ${other} $${env}","${env}":{"a":"${env}"}}'),
    '{"d":"$${env} ${other} $$${env}","$${env}":{"a":"$${env}"}}',
  );
  assertEquals([...taken.values()], [
    "the password of user 'ada'",
    "the password of user 'a.b'",
    "the password of user 'a-b'",
    "'secret_key' of the repository 's3'",
  ]);
});

/** The files that the executor pulls from a double; the schemas accept them. */
function pulled(connection: SearchConnection | string, which: PullSelection = {}, tree: Tree = {}) {
  return withSession(connection, {}, async (session) => {
    const own = typeof connection === "string" ? { name: "logs" } : connection;
    const classifier = classifierOf(own);
    const files = await Promise.all(
      Object.entries(tree).map(([path, text]) => loadedFile(path, text)),
    );
    const migrations = files.map((file) => classifier.classify(file));
    const context = { cluster: CLUSTER.of(session)!, connection: own, migrations };
    const found = await pullCluster(context, which);
    for (const { path, text } of found.files) assertFits(path, text);
    return found;
  });
}

const PLUGIN = { kinds: ["policies", "snapshots"] };

Deno.test("pulled policies of indices and of snapshots make the same again, page by page", async () => {
  await using live = startClusterDouble();
  const policy = (name: string) => ({
    policy: {
      description: `${name} \${x}`,
      default_state: "hot",
      states: [{
        name: "hot",
        actions: [{ rollover: { min_size: "50GB" }, retry: { count: 5, delay: "10m" } }],
        transitions: [{ state_name: "gone", conditions: { min_index_age: "30d" } }],
      }, { name: "gone", actions: [{ delete: {} }] }],
      ...(name === "p7" && { ism_template: { index_patterns: ["a*"], priority: 7 } }),
    },
  });
  for (let index = 0; index < 205; index++) {
    await put(live.url, "PUT", `/_plugins/_ism/policies/p${index}`, policy(`p${index}`));
  }
  await put(live.url, "PUT", "/_plugins/_ism/policies/x%2Fy", policy("x"));
  await put(live.url, "POST", "/_plugins/_sm/policies/daily", {
    description: "daily",
    creation: {
      schedule: { cron: { expression: "0 8 * * *", timezone: "UTC" } },
      time_limit: "60m",
    },
    deletion: { condition: { max_age: "7d", max_count: 21 } },
    snapshot_config: { repository: "r1", indices: "*" },
  });
  const first = await pulled(live.url, PLUGIN);
  assertEquals(first.files.length, 207);
  const lists = live.requests.filter(({ line }) => /^GET \S+policies\?/.test(line));
  assertEquals(lists.length, 3);
  const tree = Object.fromEntries(first.files.map(({ path, text }) => [path, text]));
  assertEquals(Object.keys(tree).at(-1), "65-snapshots/daily-snapshots.json");
  assertEquals(JSON.parse(tree["60-policies/p7-policy.json"]!).policy.ism_template, [
    { index_patterns: ["a*"], priority: 7 },
  ]);
  const envelope = JSON.parse(tree["60-policies/x=2fy-policy.json"]!);
  assertEquals(envelope.path, "/_plugins/_ism/policies/x%2Fy");

  // Recorded with the versions that were read, so an edited one is one request.
  const all = new Map(first.files.map((file) => [file.path, file]));
  assertEquals((await recorded(live.url, tree, { pulled: all })).length, 207);
  assertEquals(await drifted(live.url, tree), []);
  const edited = {
    ...tree,
    "60-policies/p0-policy.json": JSON.stringify(policy("other")),
  };
  const before = live.requests.length;
  await apply(live.url, edited);
  const sent = live.requests.slice(before).map(({ line }) => line);
  assertEquals(sent.filter((line) => line.includes("_ism/policies")), [
    "PUT /_plugins/_ism/policies/p0?if_seq_no=0&if_primary_term=1",
  ]);

  await using empty = startClusterDouble({ version: "3.4.0" });
  assertEquals((await apply(empty.url, tree)).error, undefined);
  assertEquals(await drifted(empty.url, tree), []);
  const again = await pulled(empty.url, PLUGIN);
  assertEquals(Object.fromEntries(again.files.map(({ path, text }) => [path, text])), tree);
});

Deno.test("lifecycle policies of Elasticsearch are pulled, but for those that it manages", async () => {
  await using live = startClusterDouble({ flavour: "elasticsearch" });
  const phases = { delete: { min_age: "30d", actions: { delete: {} } } };
  await put(live.url, "PUT", "/_ilm/policy/logs", { policy: { phases } });
  await put(live.url, "PUT", "/_ilm/policy/metrics", {
    policy: { phases, _meta: { managed: true } },
  });
  const { files } = await pulled(live.url, { kinds: ["policies"] });
  assertEquals(files.map(({ path, text }) => [path, JSON.parse(text)]), [
    ["60-policies/logs-policy.json", { policy: { phases } }],
  ]);
  const tree = Object.fromEntries(files.map(({ path, text }) => [path, text]));
  assertEquals((await apply(live.url, tree)).error, undefined);
  assertEquals(await drifted(live.url, tree), []);
});

Deno.test("an object that a file makes already is reported, and whether the file is equal", async () => {
  await using live = startClusterDouble();
  for (const name of ["a", "b", "c", "d"]) {
    await put(live.url, "PUT", `/_index_template/${name}`, { index_patterns: [`${name}-*`] });
  }
  const { files } = await pulled(live.url, { kinds: ["templates"] }, {
    "old/a-template.json": '{"index_patterns":["a-*"]}',
    "old/b.json": '{"method":"PUT","path":"/_index_template/%62","body":{"index_patterns":["x"]}}',
    "55-templates/c-template.json": '{ "index_patterns": "c-*" }',
    "old/d-template.json": '{"index_patterns":["d-*"]}',
    "old/e.json": '{"method":"DELETE","path":"/_index_template/d"}',
  });
  assertEquals(files.map(({ madeBy }) => madeBy), [
    { path: "old/a-template.json", isSame: true },
    { path: "old/b.json", isSame: false },
    { path: "55-templates/c-template.json", isSame: true },
    undefined,
  ]);
});

Deno.test("what a file says with placeholders is compared with what they are filled with", async () => {
  const settings = { bucket: "b", secret_key: "K" };
  await using live = startClusterDouble({
    intercept: (line) =>
      line === "GET /_snapshot" ? Response.json({ s3: { type: "s3", settings } }) : undefined,
  });
  await put(live.url, "PUT", "/_ingest/pipeline/p", { description: "${env}", processors: [] });
  const connection = { ...connectionTo(live.url), placeholders: declared({ env: "dev", S3: "K" }) };
  const filed = { type: "s3", settings: { bucket: "b", secret_key: "${S3}" } };
  const { files } = await pulled(connection, { kinds: ["repositories", "pipelines"] }, {
    "s3.json": JSON.stringify({ method: "PUT", path: "/_snapshot/s3", body: filed }),
    "40-pipelines/p-pipeline.json": '{"processors":[],"description":"$${env}"}',
  });
  assertEquals(files.map(({ madeBy }) => madeBy?.isSame), [true, true]);
});

Deno.test("settings of the cluster that a plugin wrote, or that a file says, are left out", async () => {
  await using live = startClusterDouble();
  await put(live.url, "PUT", "/_cluster/settings", {
    persistent: {
      "plugins.index_state_management.template_migration.control": "-1",
      "cluster.max_shards_per_node": 2000,
      "search.default_keep_alive": "3m",
    },
  });
  const only = { kinds: ["cluster-settings"] };
  const texts = async (tree?: Tree) => (await pulled(live.url, only, tree)).files;
  const [file] = await texts();
  assertEquals(file?.path, "20-cluster-settings/cluster-settings.json");
  assertEquals(JSON.parse(file!.text), {
    persistent: { "cluster.max_shards_per_node": "2000", "search.default_keep_alive": "3m" },
  });
  const [rest] = await texts({
    "limits-cluster-settings.json": '{"persistent":{"cluster":{"max_shards_per_node":1000}}}',
  });
  assertEquals(JSON.parse(rest!.text), { persistent: { "search.default_keep_alive": "3m" } });
  const all = { [file!.path]: file!.text };
  assertEquals((await texts(all)).map(({ madeBy }) => madeBy?.isSame), [true]);
  const matched = await pulled(live.url, { ...only, match: "search.*" });
  assertEquals(JSON.parse(matched.files[0]!.text), JSON.parse(rest!.text));
});

Deno.test("the password of a user whose file is there already is not asked for", async () => {
  const user = { hash: "", reserved: false, hidden: false, backend_roles: ["b"], static: false };
  await using live = startClusterDouble({
    intercept: (line) =>
      line === "GET /_plugins/_security/api/internalusers"
        ? Response.json({ ada: user, bob: user, eve: user })
        : undefined,
  });
  const said = '{"password":"x","backend_roles":["b"]}';
  const { files, placeholders } = await pulled(live.url, { kinds: ["users"] }, {
    "86-users/ada-user.json": said,
    "old/bob-user.json": said,
  });
  assertEquals(files.map(({ madeBy }) => madeBy?.path), [
    "86-users/ada-user.json",
    "old/bob-user.json",
    undefined,
  ]);
  assertEquals(placeholders.map(({ name }) => name), ["USER_EVE_PASSWORD"]);
});

Deno.test("empty texts that a cluster loses in the end are no difference, and no other file", async () => {
  const tenant = { reserved: false, hidden: false, static: false };
  await using live = startClusterDouble({
    intercept: (line) =>
      line === "GET /_plugins/_security/api/tenants"
        ? Response.json({ a: tenant, b: { ...tenant, description: "" } })
        : undefined,
  });
  const { files } = await pulled(live.url, { kinds: ["tenants"] });
  assertEquals(files.map(({ path, text }) => [path, text]), [
    ["82-tenants/a-tenant.json", '{\n  "description": ""\n}\n'],
    ["82-tenants/b-tenant.json", '{\n  "description": ""\n}\n'],
  ]);
  const role = (rest: object) => ({ index_permissions: [{ index_patterns: ["a"], ...rest }] });
  const { wanted } = kindOf("role", "_plugins");
  assertEquals(wanted(role({ dls: "" })), wanted(role({ dls: null })));
});

/** Answers with 403 to what has this in its path. */
const forbidding = (path: string): DoubleOptions => ({
  intercept: (line) =>
    line.includes(path)
      ? Response.json(
        { error: { type: "security_exception", reason: "no permissions for [x]" }, status: 403 },
        { status: 403 },
      )
      : /_snapshot|_data_stream|_cluster\/state/.test(line)
      ? Response.json({}, { status: 404 })
      : undefined,
});

Deno.test("a kind that cannot be read is left out, and refused where it is asked for", async () => {
  await using live = startClusterDouble({ ...forbidding("/_ingest/"), ism: false });
  await put(live.url, "PUT", "/_component_template/c", { template: {} });
  const { files, leftOut } = await pulled(live.url);
  assertEquals(files.map(({ path }) => path), ["50-components/c-component.json"]);
  assertEquals(leftOut.map(({ kinds }) => kinds), [
    ["policies", "snapshots", "action-groups", "tenants", "roles", "users", "role-mappings"],
    ["pipelines"],
  ]);
  assertMatch(leftOut[1]!.reason, /HTTP 403: security_exception: no permissions/);
  for (const kinds of [["components", "policies"], ["pipelines"]]) {
    const error = await assertRejects(() => pulled(live.url, { kinds }), PullError);
    assertMatch(error.message, /^Cannot read (?:policies|pipelines): http.* (?:no handler|.*403)/);
  }
  const unknown = await assertRejects(() => pulled(live.url, { kinds: ["role"] }), PullError);
  assertMatch(unknown.message, /^Unknown kind 'role': expected one or more of 'repositories', /);
});

Deno.test("users of OpenSearch are found behind what refuses the paths of Elasticsearch", async () => {
  const user = { backend_roles: ["b"], hash: "", reserved: false, hidden: false, static: false };
  const refusals = [
    () => new Response("not here", { status: 404 }),
    () => Response.json({ message: "no route" }, { status: 404 }),
    () => {
      const Message = "Your request: '/_security/user' is not allowed.";
      return Response.json({ Message }, { status: 401 });
    },
  ];
  for (const refused of refusals) {
    await using live = startClusterDouble({
      intercept: (line) =>
        line === "GET /_plugins/_security/api/internalusers"
          ? Response.json({ ada: user })
          : line.startsWith("GET /_security/")
          ? refused()
          : undefined,
    });
    const { files } = await pulled(live.url, { kinds: ["users"] });
    assertEquals(files.map(({ path }) => path), ["86-users/ada-user.json"]);
  }
  // None of them is known, and none is said to be there.
  await using live = startClusterDouble({
    intercept: (line) => line.includes("_security") ? refusals[0]!() : undefined,
  });
  await assertRejects(
    () => pulled(live.url, { kinds: ["users"] }),
    PullError,
    "HTTP 404: not here",
  );
});

Deno.test("a path that Amazon does not offer is left out", async () => {
  const Message = "Your request: '/_search/pipeline' is not allowed.";
  await using live = startClusterDouble({
    intercept: (line) =>
      line.startsWith("GET /_search/pipeline")
        ? Response.json({ Message }, { status: 401 })
        : /_snapshot|_data_stream|_cluster\/state/.test(line)
        ? Response.json({}, { status: 404 })
        : undefined,
  });
  const { leftOut } = await pulled(live.url);
  assertEquals(leftOut.some(({ kinds }) => kinds.includes("search-pipelines")), true);
});

Deno.test("an answer that is no list of a kind stops the work", async () => {
  await using live = startClusterDouble({
    intercept: (line) =>
      line.includes("_component_template") ? new Response("<html>log in</html>") : undefined,
  });
  const asked = () => pulled(live.url, { kinds: ["components"] });
  assertMatch((await assertRejects(asked, ConnectionError)).message, /HTML or XML/);
});

async function put(url: string, method: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(url + path, { method, body: JSON.stringify(body) });
  assertEquals(answer.ok, true, await answer.text());
}

Deno.test("a piece of an answer is not repeated: it may hold secrets", async () => {
  await using live = startClusterDouble({
    intercept: (line) =>
      line === "GET /_snapshot"
        ? new Response('{"s3":{"type":"s3","settings":{"secret_key":"sk-hidden"')
        : undefined,
  });
  const asked = () => pulled(live.url, { kinds: ["repositories"] });
  const { message } = await assertRejects(asked, ConnectionError);
  assertMatch(
    message,
    /refused GET \/_snapshot: HTTP 200 with invalid or truncated JSON \(\d+ characters\)$/,
  );
});

Deno.test("a list in the place of an object is no empty cluster", async () => {
  await using double = startClusterDouble({
    intercept: (line) => line === "GET /_ingest/pipeline" ? Response.json([]) : undefined,
  });
  const asked = () => pulled(double.url, { kinds: ["pipelines"] });
  const { message } = await assertRejects(asked, ConnectionError);
  assertMatch(message, /refused GET \/_ingest\/pipeline: expected an object, found a list$/);
});

Deno.test("pull takes a managed component that a pulled template needs", async () => {
  await using double = startClusterDouble();
  const managed = { _meta: { managed: true }, template: {} };
  const files = {
    "1/base-component.json": JSON.stringify(managed),
    "1/other-component.json": JSON.stringify(managed),
    "2/lg-template.json": '{"index_patterns":["lg-*"],"composed_of":["base"]}',
  };
  assertEquals((await apply(double.url, files)).error, undefined);
  const paths = async (which: PullSelection) =>
    (await pulled(double.url, which)).files.map(({ path }) => path);
  const both = ["50-components/base-component.json", "55-templates/lg-template.json"];
  assertEquals(await paths({ kinds: ["components", "templates"], match: "lg" }), both);
  assertEquals(await paths({ kinds: ["templates"] }), both.slice(1));
});
