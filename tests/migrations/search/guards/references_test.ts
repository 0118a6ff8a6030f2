import { assertEquals, assertMatch } from "@std/assert";
import { classify } from "../../../../src/migrations/search/files/classify.ts";
import { checkReferences } from "../../../../src/migrations/search/guards/references.ts";
import { loadedFile } from "../../runner/memory.ts";

const problems = async (files: Record<string, unknown>) => {
  const migrations = await Promise.all(
    Object.entries(files).map(async ([path, body]) => {
      return classify(await loadedFile(path, JSON.stringify(body)), "reapply");
    }),
  );
  return checkReferences(migrations).map(({ severity, path, message }) => {
    return `${severity} ${path}: ${message}`;
  });
};

const security = "/_plugins/_security/api";

/** The object that a file needs, and the file. */
const NEEDS: readonly [
  needed: Record<string, unknown>,
  user: Record<string, unknown>,
  says: RegExp,
][] = [
  [
    { "c-component.json": { template: {} } },
    { "t-template.json": { index_patterns: ["a"], composed_of: ["c"] } },
    /^warning t-template\.json: Needs the component template c, which 'c-component\.json' makes only later: the cluster rejects/,
  ],
  [
    { "p-pipeline.json": { processors: [] } },
    { "i.json": { settings: { default_pipeline: "p" } } },
    /Needs the pipeline p, .*: until then it does not work$/,
  ],
  [
    { "p-pipeline.json": { processors: [] } },
    { "c-component.json": { template: { settings: { index: { final_pipeline: "p" } } } } },
    /Needs the pipeline p/,
  ],
  [
    { "p-search-pipeline.json": { request_processors: [] } },
    {
      "s.json": {
        method: "PUT",
        path: "/i/_settings",
        body: { "index.search.default_pipeline": "p" },
      },
    },
    /Needs the search pipeline p/,
  ],
  [
    { "inner-pipeline.json": { processors: [] } },
    {
      "outer-pipeline.json": {
        processors: [{ foreach: { processor: { pipeline: { name: "inner" } } } }],
      },
    },
    /Needs the pipeline inner/,
  ],
  [
    { "x-script.json": { script: {} } },
    { "p-pipeline.json": { processors: [], on_failure: [{ script: { id: "x" } }] } },
    /Needs the script x/,
  ],
  [
    { "p-policy.json": { policy: { states: [], ism_template: { index_patterns: ["logs-*"] } } } },
    { "logs-1.json": { settings: {} } },
    /Needs the policy p, .*: policies only manage indices that are created after them$/,
  ],
  [
    { "hot-policy.json": { policy: { phases: {} } } },
    {
      "t-template.json": {
        index_patterns: ["a"],
        template: { settings: { "index.lifecycle.name": "hot" } },
      },
    },
    /Needs the lifecycle policy hot/,
  ],
  [
    { "t-template.json": { index_patterns: ["logs*"], data_stream: {} } },
    { "logs-data-stream.json": {} },
    /Needs the index template t, .*: the cluster rejects/,
  ],
  [
    { "a b-role.json": { cluster_permissions: [] } },
    { "a b-role-mapping.json": { users: ["u"] } },
    /Needs the role a b,/,
  ],
  [
    { "r.json": { method: "PUT", path: `${security}/roles/r`, body: { cluster_permissions: [] } } },
    { "u-user.json": { password: "x", opendistro_security_roles: ["r"] } },
    /Needs the role r/,
  ],
  [
    { "r.json": { method: "PUT", path: "/_snapshot/r", body: { type: "fs" } } },
    { "s-snapshots.json": { snapshot_config: { repository: "r" } } },
    /Needs the snapshot repository r/,
  ],
];

Deno.test("checkReferences names an object that a later file makes, and finds nothing where it comes first", async () => {
  for (const [needed, user, says] of NEEDS) {
    const found = await problems({ ...user, ...needed });
    assertEquals(found.length, 1, `${says}`);
    assertMatch(found[0]!, says);
    assertEquals(await problems({ ...needed, ...user }), []);
    // It may be on the cluster.
    assertEquals(await problems(user), []);
    // Made before, and changed later.
    const again = Object.fromEntries(
      Object.entries(needed).map(([path, body]) => [`z/${path}`, body]),
    );
    assertEquals(await problems({ ...needed, ...user, ...again }), []);
  }
});

Deno.test("checkReferences names groups of actions that no file makes", async () => {
  const role = (...actions: string[]) => ({
    "a-role.json": {
      cluster_permissions: ["cluster_monitor", "*", "cluster:admin/x"],
      index_permissions: [{ index_patterns: ["a"], allowed_actions: actions }],
    },
  });
  assertEquals(await problems(role("read", "indices:data/read*")), []);
  const group = { "own-action-group.json": { allowed_actions: ["read"] } };
  assertEquals(await problems({ ...role("own"), ...group }), []);
  assertEquals(await problems({ ...group, ...role("own") }), []);
  const [found, ...others] = await problems(role("reed", "reed"));
  assertEquals(others, []);
  assertMatch(
    found!,
    /^warning a-role\.json: Allows 'reed', which is neither an action nor .*: did you mean 'read'/,
  );
  assertEquals(
    (await problems({ "g-action-group.json": { allowed_actions: ["CRUD"] } })).length,
    1,
  );
});

Deno.test("checkReferences leaves policies with excluded patterns to the cluster", async () => {
  const ism_template = [{ index_patterns: ["logs-*", "-logs-old*"] }];
  const later = { "p-policy.json": { policy: { states: [], ism_template } } };
  assertEquals(await problems({ "logs-old-1.json": { settings: {} }, ...later }), []);
});

Deno.test("checkReferences takes names whose escapes are none as they are", async () => {
  const files = { "a.json": { method: "PUT", path: "/_data_stream/%zz" } };
  assertEquals(await problems(files), []);
});
