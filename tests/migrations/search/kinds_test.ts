import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { classifierOf } from "../../../src/migrations/search/classifier.ts";
import { failureOf } from "../../../src/migrations/search/cluster/answer.ts";
import { isSame } from "../../../src/migrations/search/json/compare.ts";
import { indexForm } from "../../../src/migrations/search/kinds/indices.ts";
import { resourceOf } from "../../../src/migrations/search/kinds/resource.ts";
import { snapshotPolicyForm } from "../../../src/migrations/search/kinds/snapshot_policies.ts";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classify } from "../../../src/migrations/search/files/classify.ts";
import { declared } from "./placeholder_values.ts";
import { loadedFile } from "../runner/memory.ts";

const classified = async (path: string, content: string) => {
  return classify(await loadedFile(path, content), "reapply");
};

Deno.test("classify tells more kinds by the ending of the name, the longest first", async () => {
  const security = "/_plugins/_security/api";
  const table: [path: string, content: string, line: string, resource: string][] = [
    ["a-component.json", '{"template":{}}', "PUT /_component_template/a", "a"],
    ["a-pipeline.json", '{"processors":[]}', "PUT /_ingest/pipeline/a", "a"],
    [
      "a-search-pipeline.json",
      '{"response_processors":[]}',
      "PUT /_search/pipeline/a",
      "a",
    ],
    ["a b-script.json", '{"script":{}}', "PUT /_scripts/a%20b", "a b"],
    ["a-role.json", '{"cluster_permissions":[]}', `PUT ${security}/roles/a`, "a"],
    ["a-role.json", '{"indices":[]}', "PUT /_security/role/a", "a"],
    ["a-role-mapping.json", '{"users":["u"]}', `PUT ${security}/rolesmapping/a`, "a"],
    ["a-role-mapping.json", '{"rules":{}}', "PUT /_security/role_mapping/a", "a"],
    ["a-action-group.json", '{"allowed_actions":[]}', `PUT ${security}/actiongroups/a`, "a"],
    ["a-tenant.json", '{"description":""}', `PUT ${security}/tenants/a`, "a"],
    ["a-user.json", '{"password":"x"}', `PUT ${security}/internalusers/a`, "a"],
    ["a-user.json", '{"password":"x","roles":[]}', "PUT /_security/user/a", "a"],
    ["a-snapshots.json", '{"snapshot_config":{}}', "PUT /_plugins/_sm/policies/a", "a"],
    [
      "a-snapshots.json",
      '{"schedule":"0 0 * * *","repository":"r"}',
      "PUT /_slm/policy/a",
      "a",
    ],
    ["sub/a-data-stream.json", "{}", "PUT /_data_stream/a", "a"],
    [
      "cluster-settings.json",
      '{"persistent":{}}',
      "PUT /_cluster/settings",
      "cluster settings",
    ],
    [
      "limits-cluster-settings.json",
      '{"persistent":{}}',
      "PUT /_cluster/settings",
      "cluster settings",
    ],
    // Findings with a rule in the reference come first.
    [
      "a-component.json",
      '{"index_patterns":["a"],"template":{}}',
      "PUT /_index_template/a-component",
      "a-component",
    ],
    ["a-component.json", '{"settings":{}}', "PUT /a-component", "a-component"],
    ["a-role.json", '{"policy":{"states":[]}}', "PUT /_plugins/_ism/policies/a-role", "a-role"],
    ["a-role.json", '{"method":"DELETE","path":"/a"}', "DELETE /a", "DELETE /a"],
  ];
  for (const [path, content, line, expected] of table) {
    const { request, resource, repeatSafe } = await classified(path, content);
    assertEquals([`${request.method} ${request.path}`, resource], [line, expected], path + content);
    assertEquals(repeatSafe, true);
  }
});

Deno.test("classify names what a file of an ending has to hold", async () => {
  const table: [path: string, content: string, message: RegExp][] = [
    [
      "a-component.json",
      "{}",
      /^a-component\.json:1:1: A file '\*-component\.json' needs an object 'template'/,
    ],
    [
      "a-role.json",
      '{"roles":[]}',
      /needs a list 'cluster_permissions'.*; or for Elasticsearch a list 'cluster'/,
    ],
    ["a-data-stream.json", '{"a":1}', /needs an empty object: the matching template defines/],
    ["A-data-stream.json", "{}", /must be lower case/],
    ["-role.json", '{"cluster_permissions":[]}', /contains no name/],
    ["A-component.json", '{"template":{}}', /must be lower case/],
    ["a b-snapshots.json", '{"snapshot_config":{}}', /has the character ' '/],
    [
      "ada-user.json",
      '{"password":"${USER_ADA_PASSWORD}"}',
      /placeholder \$\{USER_ADA_PASSWORD\}, which 'migrations\.placeholders' .* does not declare/,
    ],
    ...[
      ["PUT", "/_plugins/_security/api/internalusers/a%2Fb", { password: "${P}" }],
      ["PUT", "/_opendistro/_security/api/user/a", { password: "a${P}" }],
      ["PUT", "/_plugins/_security/api/account", { current_password: "x", password: "${P}" }],
      ["PATCH", "/_plugins/_security/api/internalusers", [
        { op: "add", path: "/bob", value: { hash: "${P}" } },
      ]],
      ["PATCH", "/_plugins/_security/api/internalusers/bob", [
        { op: "replace", path: "/password", value: "${P}" },
      ]],
      ["POST", "/_security/user/a/_password", { password: "${P}" }],
      ["PUT", "/_snapshot/s3", { type: "s3", settings: { secret_key: "${P}" } }],
    ].map(([method, path, body]) =>
      [
        "e.json",
        JSON.stringify({ method, path, body }),
        /^e\.json:1:1: '\w+' has (?:the placeholder \$\{P\}|a placeholder), which/,
      ] as [path: string, content: string, message: RegExp]
    ),
    ["a.json", '{"cluster_permissions":[]}', /or a name with an ending such as '-role\.json'/],
  ];
  for (const [path, content, message] of table) {
    const file = await loadedFile(path, content);
    const error = assertThrows(() => classify(file, "reapply"), InvalidFilesError);
    assertMatch(error.message, message, path);
  }
});

Deno.test("classify takes secrets that look like placeholders, and says no part of one", async () => {
  const placeholders = declared({ pw: "aB3!x${9xKq#secret}zz", env: "prod" });
  const body = async (password: string) => {
    const file = await loadedFile("ada-user.json", JSON.stringify({ password, backend_roles: [] }));
    return JSON.parse(classify(file, "reapply", placeholders).request.body!).password;
  };
  assertEquals(await body("${pw}"), "aB3!x${9xKq#secret}zz");
  assertEquals(await body("a$${env}b"), "a${env}b");
  const error = await assertRejects(() => body("${pw}-x${part of it}"), InvalidFilesError);
  assertMatch(error.message, /'password' has a placeholder, which/);
});

Deno.test("classify leaves out what clusters show and do not take, and no other byte", async () => {
  const body = async (path: string, content: string) =>
    (await classified(path, content)).request.body;
  assertEquals(
    await body(
      "a-role.json",
      '{"reserved":false, "hidden" : false,"cluster_permissions": [ "a" ],"static":false}',
    ),
    '{"cluster_permissions": [ "a" ]}',
  );
  assertEquals(await body("a-tenant.json", ' {"description": "d"}\n'), ' {"description": "d"}\n');
  assertEquals(await body("a-data-stream.json", "{ }"), undefined);
  const envelope = '{"reserved":false,"cluster_permissions":["a"]}';
  const path = "/_plugins/_security/api/roles/a";
  assertEquals(
    await body("a.json", `{"method":"PUT","path":"${path}","body":${envelope}}`),
    envelope,
  );
});

Deno.test("a file of settings is applied again where an earlier one that says them otherwise is", async () => {
  const settings = (value: unknown, more = {}) =>
    JSON.stringify({ persistent: { "a.b": value, ...more } });
  const migrations = await Promise.all([
    ["1-cluster-settings.json", settings(1, { c: 1 })],
    ["2-cluster-settings.json", settings(2)],
    ["3-cluster-settings.json", '{"persistent":{"d":1}}'],
    ["4.json", '{"method":"PUT","path":"/_cluster/settings","body":{"persistent":{"a":{"b":3}}}}'],
  ].map(([path, text]) => classified(path!, text!)));
  const { followers } = classifierOf({ name: "logs" });
  const again = (pending: string) => [...followers(migrations, new Set([pending]))];
  assertEquals(again("1-cluster-settings.json"), ["2-cluster-settings.json", "4.json"]);
  assertEquals(again("3-cluster-settings.json"), []);
  assertEquals(again("4.json"), []);
});

Deno.test("a script that is only run is no stored one", async () => {
  const text =
    '{"method":"POST","path":"/_scripts/painless/_execute","body":{"script":{"source":"1"}}}';
  const { request } = await classified("x.json", text);
  assertEquals(resourceOf(request), undefined);
  const answer = { status: 200, text: '{"result":"1"}', json: { result: "1" }, host: "h" };
  assertEquals(failureOf(request, answer), undefined);
});

Deno.test("the schedule of a deletion is that of the creation, whatever the order of its keys", () => {
  const creation = { schedule: { cron: { expression: "0 1 * * *", timezone: "UTC" } } };
  const schedule = { cron: { timezone: "UTC", expression: "0 1 * * *" } };
  const condition = { max_count: 5 };
  const [said, live] = [{ condition, schedule }, { condition, ...creation }].map((deletion) => {
    return snapshotPolicyForm({ creation, deletion });
  });
  assertEquals(isSame(said, live), true);
});

Deno.test("resourceOf knows requests by the paths that clusters take", () => {
  const keyOf = (path: string) => resourceOf({ method: "PUT", path, body: "{}" })?.key;
  const api = "/_plugins/_security/api/";
  assertEquals(keyOf(`${api}rolesmapping/a/`), "role mapping a");
  assertEquals(keyOf(`${api}user/a`), "user a");
  assertEquals(keyOf("/_opendistro/_security/api/actiongroup/a"), "action group a");
  assertEquals(keyOf("/_ingest/pipeline/p//?pretty"), "pipeline p");
  assertEquals(keyOf("/"), undefined);
});

Deno.test("indexForm + a field with points: no field is lost, whatever stands first", () => {
  const fields = [
    ["a.b", { type: "keyword" }],
    ["a", { dynamic: "strict", properties: { c: { type: "long" }, "d.e": { type: "ip" } } }],
    ["a.d.f", { type: "date" }],
  ] as const;
  const stateOf = (properties: object) => indexForm({ mappings: { properties } });
  const wanted = stateOf({
    a: {
      dynamic: "strict",
      properties: {
        b: { type: "keyword" },
        c: { type: "long" },
        d: { properties: { e: { type: "ip" }, f: { type: "date" } } },
      },
    },
  });
  for (const order of [[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0]]) {
    const state = stateOf(Object.fromEntries(order.map((index) => fields[index]!)));
    assertEquals(isSame(state, wanted), true, JSON.stringify(state));
  }
});
