import { assertEquals, assertRejects } from "@std/assert";
import { parse } from "@std/yaml";
import fc from "fast-check";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { convertManifests } from "../../../src/features/convert/convert.ts";
import { EVERY_FIELD, manifest } from "./manifests.ts";

const action = (text: string) =>
  manifest(
    "OpenSearchISMPolicy",
    `description: d\ndefaultState: a\nstates:\n  - name: a\n    actions:\n      - ${text}`,
  );
const ISM = "a.yaml:13:9: document 1, OpenSearchISMPolicy 'a', spec.states[0].actions[0]";

Deno.test("convertManifests refuses what it cannot convert, with place, found and expected", async () => {
  const table: [yaml: string, ...message: string[]][] = [
    ["a: [", "a.yaml:2:1: Cannot read the YAML: "],
    ["a: 1\n---\n<<: 1", "a.yaml: document 2: Cannot read the YAML: Cannot merge '<<'"],
    ["a: 1", "a.yaml: document 1: Expected a Kubernetes resource with 'apiVersion' and 'kind'"],
    [
      "a: b\n{{- if .Values.users }}",
      "a.yaml:2:3: Cannot read the YAML: ",
      "render templates first: helm template, kustomize",
    ],
    [
      manifest("OpensearchTenant", "").replace("search.org/v1", "search.org/v2"),
      "a.yaml:1:1: document 1, OpensearchTenant 'a', apiVersion: Expected one of " +
      "'opensearch.opster.io/v1', 'opensearch.org/v1', found 'opensearch.org/v2'",
    ],
    [
      manifest("OpensearchTenant", "").replace("  name: a\n", "  labels: {}\n"),
      "a.yaml:3:1: document 1, OpensearchTenant '', metadata.name: Expected a string, found nothing",
    ],
    [
      manifest("OpensearchTenant", "description: 7"),
      "a.yaml:8:3: document 1, OpensearchTenant 'a', spec.description: Expected a string, found the number 7\n" +
      "  8 |   description: 7\n    |   ^",
    ],
    [
      "apiVersion: opensearch.org/v1\nkind: OpensearchTenant\nmetadata: { name: a }",
      "a.yaml: document 1, OpensearchTenant 'a', spec: Expected an object 'spec'",
    ],
    [
      "apiVersion: opensearch.org/v1\nkind: OpensearchTenant\nmetadata: { name: a }\nspec: {}",
      "a.yaml:4:1: document 1, OpensearchTenant 'a', spec.opensearchCluster: Expected an object, found nothing",
    ],
    [
      manifest("OpensearchRole", "clusterPermissions: cluster_monitor"),
      "a.yaml:8:3: document 1, OpensearchRole 'a', spec.clusterPermissions: Expected a list of strings, found a string",
    ],
    [
      manifest("OpensearchUser", "backendRoles: [ops]"),
      "a.yaml:5:1: document 1, OpensearchUser 'a', spec.passwordFrom: Expected an object, found nothing",
    ],
    [
      manifest(
        "OpensearchComponentTemplate",
        "template:\n  settings:\n    a: 9007199254740993\n    b: .inf",
      ),
      "a.yaml:10:7: document 1, OpensearchComponentTemplate 'a', spec.template.settings.a: The number " +
      "9007199254740992 cannot be read exactly: expected it in quotes",
      "spec.template.settings.b: The number Infinity cannot be read exactly",
    ],
    [
      manifest("OpenSearchISMPolicy", "description: d\ndefaultState: a"),
      "spec.states: Expected a list of objects, found nothing",
    ],
    [action("replicaCount: 1"), "replicaCount: Expected an object, found the number 1"],
    [action("retry: { count: 3 }"), "actions[0]: Expected an action, found none"],
    [
      action("shrink: {}"),
      "actions[0].shrink: Expected one of 'maxShardSize', 'numNewShards' and 'percentageOfSourceShards', found none",
    ],
    [
      action('shrink: { numNewShards: 1, maxShardSize: "1gb" }'),
      "'percentageOfSourceShards', found 2",
    ],
    [action("rollup: {}"), ".rollup: The resource cannot define a rollup"],
    [
      action("notification: { destination: chat, messageTemplate: { source: s } }"),
      ".notification: The operator never sends this action",
    ],
    [
      action('allocation: { require: "temp:warm", include: "", exclude: "", waitFor: soon }'),
      ".allocation.require: The cluster expects attributes here",
      ".allocation.waitFor: Expected true or false",
    ],
    // A member of this name is no method.
    [
      action("allocation: { waitFor: { toString: 1 } }"),
      ".allocation.waitFor: Expected true or false",
    ],
    [
      "kind: { toString: 1 }\nitems: []",
      "Expected a Kubernetes resource with 'apiVersion' and 'kind'",
    ],
  ];
  for (const [yaml, ...messages] of table) {
    const convert = () => convertManifests([{ path: "a.yaml", text: yaml }]);
    const error = await assertRejects(convert, InvalidFilesError, "", yaml);
    for (const message of messages) {
      assertEquals(
        error.message.includes(message) || error.message,
        true,
        `${yaml}\n${error.message}`,
      );
    }
  }
});

Deno.test("convertManifests says all that is wrong with all files", async () => {
  const files = ["a.yaml", "b.yaml"].map((path) => ({
    path,
    text: `---\n# first\n---\n${manifest("OpensearchTenant", "description: 1")}---\na: [`,
  }));
  const { problems } = await assertRejects(() => convertManifests(files), InvalidFilesError);
  assertEquals(
    problems.map(({ path, line, column }) => [path, line, column]),
    [["a.yaml", 11, 3], ["a.yaml", 14, 1], ["b.yaml", 11, 3], ["b.yaml", 14, 1]],
  );
});

Deno.test("convertManifests shows nothing of a secret", async () => {
  const table = [
    "apiVersion: v1\nkind: Secret\nstringData: { ada: hunter2",
    "apiVersion: v1\nkind: Secret\nstringData:\n  ada: hunter2: x",
    "apiVersion: v1\nkind: List\nitems:\n  - kind: Secret\n    data: { a: 'hunter2 }",
    '{"apiVersion": "v1", "kind": "Secret", "data": {"a": "hunter2" "b"}}',
    manifest("OpensearchUser", "password: hunter2: x"),
    manifest("OpensearchUser", "passwordFrom: hunter2"),
    manifest("OpensearchUser", "passwordFrom: hunter2: x"),
  ];
  for (const text of table) {
    const error = await assertRejects(
      () => convertManifests([{ path: "a.yaml", text }]),
      InvalidFilesError,
    );
    assertEquals(error.message.includes("hunter2"), false, error.message);
  }
});

Deno.test("convertManifests warns of what a file does not have, and of what will not work", async () => {
  const table: [yaml: string, ...messages: string[]][] = [
    [
      manifest("OpensearchRole", "clusterPermissions: [a]\nindexPermission: []"),
      "a.yaml:9:3: document 1, OpensearchRole 'a', spec.indexPermission: Unknown field 'indexPermission' is " +
      "left out, as Kubernetes does (did you mean 'indexPermissions'?): expected 'clusterPermissions', " +
      "'indexPermissions', 'tenantPermissions'",
    ],
    [
      `${manifest("OpensearchTenant", "")}data: {}\n`,
      "a.yaml:9:1: document 1, OpensearchTenant 'a', data: Unknown field 'data' is left out: expected 'spec'",
    ],
    [
      manifest("OpensearchRole", ""),
      "a.yaml:5:1: document 1, OpensearchRole 'a', spec: The role has no permissions",
    ],
    [
      manifest("OpensearchUserRoleBinding", "roles: [r]"),
      "OpensearchUserRoleBinding 'a', spec: Left out: it maps its roles to no user",
    ],
    [
      manifest("OpensearchComponentTemplate", "allowAutoCreate: true\ntemplate: {}"),
      "spec.allowAutoCreate: Left out: no component template of OpenSearch has it",
    ],
    [
      manifest(
        "OpensearchComponentTemplate",
        "template: { aliases: { x: { index: i, alias: y } } }",
      ),
      "spec.template.aliases.x.index: Left out: clusters ignore it in the alias of a template",
      "spec.template.aliases.x.alias: Left out",
    ],
    [
      action("replicaCount: { numberOfReplicas: 1 }\n        readOnly: {}"),
      `${ISM}: Of the actions read_only, replica_count the cluster keeps one: expected a separate item for each`,
    ],
    [
      manifest(
        "OpenSearchISMPolicy",
        "description: d\ndefaultState: a\nstates: [{ name: a, actions: [], transitions: " +
          "[{ stateName: a, conditions: { minDocCount: 1, minSize: 1gb } }] }]",
      ),
      ".transitions[0].conditions: Clusters refuse more than one condition, found min_doc_count, min_size",
    ],
    [
      action("alias: { actions: [{ add: { index: i, aliases: [x] } }] }"),
      ".alias.actions[0].add.index: An alias action works on the index that is managed: clusters refuse 'index'",
    ],
    [
      manifest(
        "OpenSearchISMPolicy",
        "description: d\ndefaultState: a\nstates: []\napplyToExistingIndices: true\n" +
          "errorNotification: { channel: c, messageTemplate: { source: s } }",
      ),
      "spec.errorNotification: The operator never sends it without",
      "spec.applyToExistingIndices: Left out: the operator attaches the policy once",
    ],
    [
      `${manifest("OpensearchTenant", "")}status:\n  state: IGNORED\n`,
      "a.yaml:10:3: document 1, OpensearchTenant 'a', status.state: The operator has never applied the resource",
    ],
  ];
  for (const [text, ...messages] of table) {
    const { warnings } = await convertManifests([{ path: "a.yaml", text }]);
    const told = new InvalidFilesError(warnings).message;
    assertEquals(warnings.length, messages.length, told);
    for (const message of messages) assertEquals(told.includes(message) || told, true, text);
  }
});

Deno.test("convertManifests keeps what the cluster takes of a notification of errors", async () => {
  const { files } = await convertManifests([{
    path: "a.yaml",
    text: manifest(
      "OpensearchISMPolicy",
      "description: d\ndefaultState: a\nstates: []\n" +
        "errorNotification: { channel: c, messageTemplate: { source: s } }",
    ),
  }]);
  assertEquals(JSON.parse(files[0]!.text).policy.error_notification, {
    channel: { id: "c" },
    message_template: { source: "s" },
  });
});

Deno.test("convertManifests converts any resource, or says where it is wrong", async () => {
  const samples = EVERY_FIELD.map(({ yaml }) => parse(yaml) as Record<string, unknown>);
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
  const value = fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.string(), scalar));
  const changed = fc.tuple(fc.constantFrom(...samples), fc.nat(), value).map(
    ([sample, place, value]) => withValueAt(sample, place, value),
  );
  await fc.assert(
    fc.asyncProperty(changed, async (resource) => {
      const text = JSON.stringify(resource, null, 2);
      try {
        const { files } = await convertManifests([{ path: "a.json", text }]);
        for (const { path, text } of files) {
          JSON.parse(text) && assertEquals(/^\d\d-/.test(path), true);
        }
      } catch (error) {
        if (!(error instanceof InvalidFilesError)) throw error;
        for (const { path, message } of error.problems) {
          assertEquals(path, "a.json");
          assertEquals(/^document 1\b.*: [A-Z'].*[^.]$/s.test(message) || message, true);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

/** The resource with another value in one of its places. */
function withValueAt(resource: unknown, place: number, value: unknown): unknown {
  const copy = structuredClone(resource) as Record<string, unknown>;
  const places: [parent: Record<string, unknown>, key: string][] = [];
  const visit = (parent: Record<string, unknown>) => {
    for (const key of Object.keys(parent)) {
      places.push([parent, key]);
      const child = parent[key];
      if (typeof child === "object" && child !== null) visit(child as Record<string, unknown>);
    }
  };
  visit(copy);
  const [parent, key] = places[place % places.length]!;
  parent[key] = value;
  return copy;
}
