import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { classify } from "../../../src/migrations/search/files/classify.ts";
import { KINDS } from "../../../src/migrations/search/kinds/resource.ts";
import {
  CLUSTER_SETTINGS,
  DATA_STREAMS,
  PIPELINES,
  REPOSITORIES,
  SCRIPTS,
} from "../../../src/migrations/search/kinds/named.ts";
import { POLICIES } from "../../../src/migrations/search/kinds/policies.ts";
import {
  ELASTIC_ROLES,
  ELASTIC_USERS,
  ROLE_MAPPINGS,
  ROLES,
  USERS,
} from "../../../src/migrations/search/kinds/security.ts";
import { SNAPSHOT_POLICIES } from "../../../src/migrations/search/kinds/snapshot_policies.ts";
import { INDEX_TEMPLATES } from "../../../src/migrations/search/kinds/templates.ts";
import type { Kind } from "../../../src/migrations/search/kinds/types.ts";
import { fileOf, filesOf, type WrittenFile } from "../../../src/features/pull/written_file.ts";
import { printed } from "../../../src/migrations/search/json/json.ts";
import { loadedFile } from "../../migrations/runner/memory.ts";

const BODIES = new Map<Kind, unknown>([
  [REPOSITORIES, { type: "fs", settings: { location: "a" } }],
  [CLUSTER_SETTINGS, { persistent: { "search.max_buckets": "1" } }],
  [SCRIPTS, { script: { lang: "painless", source: "1" } }],
  [PIPELINES, { processors: [] }],
  [INDEX_TEMPLATES, { index_patterns: ["a"] }],
  [POLICIES, { policy: { states: [] } }],
  [SNAPSHOT_POLICIES, { snapshot_config: {} }],
  [DATA_STREAMS, {}],
  [ROLES, { cluster_permissions: [] }],
  [ROLE_MAPPINGS, { users: [] }],
  [USERS, { password: "${USER_A_PASSWORD}" }],
  [ELASTIC_ROLES, { cluster: [] }],
  [ELASTIC_USERS, { roles: [] }],
]);

/** The request of a file; the file is read like any other. */
async function requestOf({ path, text }: WrittenFile) {
  // Placeholders are declared.
  const filled = text.replaceAll(/\$\{\w+\}/g, "x");
  const { request, kind } = classify(await loadedFile(path, filled), "reapply");
  return { ...request, kind };
}

Deno.test("fileOf names files by the convention, in folders in the order of a run", () => {
  const table: [kind: Kind, name: string, path: string][] = [
    [CLUSTER_SETTINGS, "", "20-cluster-settings/cluster-settings.json"],
    [SCRIPTS, "sum", "30-scripts/sum-script.json"],
    [PIPELINES, "clean", "40-pipelines/clean-pipeline.json"],
    [INDEX_TEMPLATES, "logs", "55-templates/logs-template.json"],
    [POLICIES, "logs", "60-policies/logs-policy.json"],
    [SNAPSHOT_POLICIES, "daily", "65-snapshots/daily-snapshots.json"],
    [DATA_STREAMS, "logs-app", "70-data-streams/logs-app-data-stream.json"],
    [ROLES, "app_reader", "84-roles/app_reader-role.json"],
    [ELASTIC_ROLES, "app", "84-roles/app-role.json"],
    [USERS, "ada", "86-users/ada-user.json"],
    [ROLE_MAPPINGS, "all_access", "88-role-mappings/all_access-role-mapping.json"],
  ];
  for (const [kind, name, path] of table) {
    assertEquals(fileOf(kind, name, BODIES.get(kind)), {
      path,
      text: `${JSON.stringify(BODIES.get(kind), null, 2)}\n`,
    });
  }
});

Deno.test("fileOf writes the request in full where a file name would make another one", async () => {
  const table: [kind: Kind, name: string, path: string, line: string][] = [
    // A file with settings would be an index.
    [REPOSITORIES, "s3", "10-repositories/s3.json", "PUT /_snapshot/s3"],
    [ROLES, "a/b", "84-roles/a=2fb-role.json", "PUT /_plugins/_security/api/roles/a%2Fb"],
    [ROLES, "App", "84-roles/=41pp-role.json", "PUT /_plugins/_security/api/roles/App"],
    [POLICIES, ".p", "60-policies/=2ep-policy.json", "PUT /_plugins/_ism/policies/.p"],
    [REPOSITORIES, "con", "10-repositories/=63on.json", "PUT /_snapshot/con"],
    [SCRIPTS, "con.x", "30-scripts/=63on.x-script.json", "PUT /_scripts/con.x"],
    [SCRIPTS, "ä\n", "30-scripts/=c3=a4=0a-script.json", "PUT /_scripts/%C3%A4%0A"],
    [PIPELINES, "a b", "40-pipelines/a=20b-pipeline.json", "PUT /_ingest/pipeline/a%20b"],
    [
      PIPELINES,
      "x-search",
      "40-pipelines/x-search-pipeline.json",
      "PUT /_ingest/pipeline/x-search",
    ],
  ];
  for (const [kind, name, path, line] of table) {
    const file = fileOf(kind, name, BODIES.get(kind));
    const { kind: told, method, path: target, body } = await requestOf(file);
    assertEquals([file.path, told, `${method} ${target}`], [path, "request", line]);
    assertEquals(JSON.parse(body!), BODIES.get(kind));
  }
  // Told by what it holds.
  const odd = fileOf(PIPELINES, "odd", '{"index_patterns":["a"],"processors":[]}');
  assertEquals((await requestOf(odd)).path, "/_ingest/pipeline/odd");
});

Deno.test("fileOf keeps the tokens of a JSON text", () => {
  const body = '{"b":1.0,"10":12345678901234567890,"2":1E400,"a":{},"l":[ ],"t":"\\u00e4 /\\/"}';
  assertEquals(
    printed(body),
    `{
  "b": 1.0,
  "10": 12345678901234567890,
  "2": 1E400,
  "a": {},
  "l": [],
  "t": "\\u00e4 /\\/"
}
`,
  );
});

Deno.test("printed is as JSON.stringify prints, for any value", () => {
  fc.assert(fc.property(fc.json(), fc.constantFrom(undefined, 1, "\t"), (json, space) => {
    const value = JSON.parse(json);
    assertEquals(
      printed(JSON.stringify(value, null, space)),
      `${JSON.stringify(value, null, 2)}\n`,
    );
  }));
});

Deno.test("filesOf writes for any names files that make them, and no two of them are one file", async () => {
  const name = fc.oneof(
    fc.stringMatching(/^[aAbB._@ -]{1,4}$/),
    fc.string({ unit: "binary", minLength: 1, maxLength: 6 }).filter((text) => text.isWellFormed()),
    fc.stringMatching(/^[a-z]{150,250}$/),
    fc.constantFrom(
      "con",
      "a-policy",
      "a-template",
      "a-index",
      "a-role",
      "x.json",
      "all-role-mapping",
    ),
  ).filter((text) => !/^\.{1,2}$/.test(text));
  const kinds = [...BODIES.keys()].filter((kind) => !kind.isSingle);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.constantFrom(...kinds), name), {
        maxLength: 8,
        selector: ([kind, text]) => `${kind.noun} ${text}`,
      }),
      async (resources) => {
        const files = filesOf(
          resources.map(([kind, name]) => ({ kind, name, body: BODIES.get(kind) })),
        );
        const requests = await Promise.all(files.map(requestOf));
        assertEquals(
          requests.map(({ method, path }) => `${method} ${path}`).sort(),
          resources.map(([kind, name]) => `PUT ${kind.path(encodeURIComponent(name))}`).sort(),
        );
        const folded = files.map(({ path }) => path.normalize("NFC").toLowerCase());
        assertEquals(new Set(folded).size, files.length);
        for (const { path } of files) {
          assertMatch(path, /^\d\d-[a-z-]+\/[\w.@ =-]+\.json$/);
          assertMatch(path, /^.{1,240}$/);
        }
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("filesOf gives two names that differ in case two files, and leaves capital letters else", () => {
  const roles = ["App", "Lone", "app"].map((name) => ({
    kind: ROLES,
    name,
    body: BODIES.get(ROLES),
  }));
  assertEquals(filesOf(roles).map(({ path }) => path), [
    "84-roles/=41pp-role.json",
    "84-roles/Lone-role.json",
    "84-roles/app-role.json",
  ]);
});

Deno.test("every kind that can be listed has a folder, whose number tells the order of a run", () => {
  for (const { noun, folder = "", list } of KINDS) {
    assertEquals(
      /^\d\d-[a-z-]+$/.test(folder),
      list !== undefined,
      `'folder' beside 'list' of ${noun}`,
    );
  }
});
