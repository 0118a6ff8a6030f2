import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { UsageError } from "../../../src/cli/mod.ts";
import { type Conversion, convertManifests } from "../../../src/features/convert/convert.ts";
import { InvalidFilesError } from "../../../src/migrations/runner/mod.ts";
import { classify } from "../../../src/migrations/search/files/classify.ts";
import { loadedFile } from "../../migrations/runner/memory.ts";
import { EVERY_FIELD, manifest, stream } from "./manifests.ts";

const convert = (text: string, cluster?: string): Promise<Conversion> =>
  convertManifests([{ path: "a.yaml", text }], cluster);

/** Files by path, as values. */
const read = ({ files }: Conversion) =>
  Object.fromEntries(files.map(({ path, text }) => [path, JSON.parse(text)]));

Deno.test("convertManifests carries every field of every kind over", async () => {
  for (const { yaml, path, body } of EVERY_FIELD) {
    const conversion = await convert(yaml);
    assertEquals(read(conversion), { [path]: body });
    assertEquals([conversion.warnings, conversion.skipped], [[], []], path);
  }
});

Deno.test("convertManifests takes documents and lists alike, and orders files as a run needs them", async () => {
  const documents = EVERY_FIELD.map(({ yaml }) => yaml.trim());
  const expected = await convert(stream(...documents));
  assertEquals(expected.files.map(({ path }) => path.split("/")[0]), [
    "50-components",
    "55-templates",
    "60-policies",
    "65-snapshots",
    "80-action-groups",
    "82-tenants",
    "84-roles",
    "86-users",
    "88-role-mappings",
  ]);
  const items = documents.map((document) => `- ${document.replaceAll("\n", "\n  ")}`).join("\n");
  const list = `apiVersion: v1\nkind: List\nmetadata: {}\nitems:\n${items}\n`;
  assertEquals((await convert(list)).files, expected.files);
  const order = fc.shuffledSubarray(documents, { minLength: documents.length });
  await fc.assert(
    fc.asyncProperty(order, async (shuffled) => {
      assertEquals((await convert(stream(...shuffled))).files, expected.files);
    }),
    { numRuns: 20 },
  );
});

Deno.test("convertManifests names files so that a run makes the same resource of them", async () => {
  const label = fc.stringMatching(/^[a-z\d](?:[a-z\d-]{0,80}[a-z\d])?$/);
  const name = fc.oneof(
    // A name of a Kubernetes resource (RFC 1123 subdomain) has at most 253 characters.
    fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) =>
      labels.join(".").slice(0, 253).replace(/[-.]+$/, "")
    ),
    fc.constantFrom("a-policy", "a-index", "a-template", "policy", "x-search", "a".repeat(253)),
    // `policyId` and roles in bindings may be any text.
    fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.isWellFormed()),
  );
  const paths = new Map<string, string>();
  await fc.assert(fc.asyncProperty(name, async (name) => {
    const id = JSON.stringify(name);
    const { files } = await convert(stream(
      manifest(
        "OpenSearchISMPolicy",
        `policyId: ${id}\ndescription: ""\ndefaultState: a\nstates: [{ name: a, actions: [] }]`,
      ),
      manifest("OpensearchUserRoleBinding", `roles: [${id}]\nusers: [ada]`),
    ));
    const expected = [
      `/_plugins/_ism/policies/${encodeURIComponent(name)}`,
      `/_plugins/_security/api/rolesmapping/${encodeURIComponent(name)}`,
    ];
    for (const [index, { path, text }] of files.entries()) {
      const { request } = classify(await loadedFile(path, text), "reapply");
      assertEquals([request.method, request.path], ["PUT", expected[index]]);
      assertEquals(paths.get(path.toLowerCase()) ?? name, name, "two names, one file");
      paths.set(path.toLowerCase(), name);
      assertEquals(new TextEncoder().encode(path.split("/")[1]).length <= 255, true, path);
    }
  }));
});

Deno.test("convertManifests merges bindings into one mapping a role", async () => {
  const conversion = await convert(stream(
    manifest("OpensearchUserRoleBinding", "roles: [r, s]\nusers: [ada, bob]"),
    manifest("OpensearchUserRoleBinding", "roles: [r]\nusers: [bob, eve]\nbackendRoles: [ops]"),
  ));
  assertEquals(read(conversion), {
    "88-role-mappings/r-role-mapping.json": {
      backend_roles: ["ops"],
      users: ["ada", "bob", "eve"],
    },
    "88-role-mappings/s-role-mapping.json": { users: ["ada", "bob"] },
  });
  assertEquals(conversion.mappedRoles, ["r", "s"]);
});

Deno.test("convertManifests gives each user a placeholder, and tells where its password was", async () => {
  const from = "passwordFrom: { name: users, key: ada }";
  const conversion = await convert(stream(
    manifest("OpensearchUser", from, "ada-b"),
    manifest("OpensearchUser", from, "ada.b"),
    "apiVersion: v1\nkind: Secret\nmetadata: { name: users }\nstringData: { ada: hunter2 }",
  ));
  assertEquals(conversion.passwords, [
    { user: "ada-b", placeholder: "USER_ADA_B_PASSWORD", secret: "users", key: "ada" },
    { user: "ada.b", placeholder: "USER_ADA_B___095779FD_PASSWORD", secret: "users", key: "ada" },
  ]);
  assertEquals(conversion.skipped, ["a.yaml, document 3, Secret 'users'"]);
  assertEquals(JSON.stringify(conversion).includes("hunter2"), false);
});

Deno.test("convertManifests converts one cluster at a time", async () => {
  const tenant = (name: string, cluster: string) =>
    `apiVersion: opensearch.org/v1\nkind: OpensearchTenant\nmetadata: ${name}\n` +
    `spec: { opensearchCluster: { name: ${cluster} } }`;
  const text = stream(
    tenant("{ name: a, namespace: x }", "logs"),
    tenant("{ name: b, namespace: y }", "logs"),
    tenant("{ name: c, namespace: y }", "shop"),
  );
  const paths = async (cluster: string) =>
    (await convert(text, cluster)).files.map(({ path }) => path);
  assertEquals(await paths("shop"), ["82-tenants/c-tenant.json"]);
  assertEquals(await paths("y/logs"), ["82-tenants/b-tenant.json"]);
  const without = stream(
    tenant("{ name: a, namespace: x }", "logs"),
    tenant("{ name: b }", "logs"),
  );
  assertEquals((await convert(without)).files.length, 2);
  const several = "The resources belong to several clusters: expected '--cluster' to name one of ";
  await assertRejects(
    () => convert(text),
    UsageError,
    `${several}'x/logs', 'y/logs' and 'y/shop'`,
  );
  await assertRejects(() => convert(text, "logs"), UsageError, several);
  await assertRejects(
    () => convert(text, "mail"),
    UsageError,
    "There are no resources of the cluster 'mail': found those of 'x/logs', 'y/logs' and 'y/shop'",
  );
});

Deno.test("convertManifests takes a resource that both groups have once, and refuses two of one name", async () => {
  const old = manifest("OpensearchTenant", "description: d")
    .replace("opensearch.org", "opensearch.opster.io");
  assertEquals(read(await convert(stream(old, manifest("OpensearchTenant", "description: d")))), {
    "82-tenants/a-tenant.json": { description: "d" },
  });
  await assertRejects(
    () => convert(stream(old, manifest("OpensearchTenant", "description: e"))),
    Error,
    "a.yaml: document 2, OpensearchTenant 'a': It defines 'a' differently than a.yaml, document 1, " +
      "OpensearchTenant 'a'",
  );
});

Deno.test("convertManifests gives a user the same placeholder by itself and among others", async () => {
  const [dot, dash] = ["ada.l", "ada-l"].map((name) =>
    manifest("OpensearchUser", "passwordFrom: { name: users, key: ada }", name)
  );
  const names = async (text: string) =>
    (await convert(text)).passwords.map(({ placeholder }) => placeholder);
  const both = await names(stream(dot!, dash!));
  assertEquals(new Set(both), new Set([...await names(dot!), ...await names(dash!)]));
  assertEquals(new Set(both).size, 2);
});

Deno.test("convertManifests carries out merge keys as kubectl does", async () => {
  const yaml = `
apiVersion: opensearch.org/v1
kind: OpensearchRole
metadata: { name: a }
x-common: &common
  opensearchCluster: { name: logs }
  clusterPermissions: [a]
spec:
  <<: [{ clusterPermissions: [b] }, *common]
  indexPermissions:
    - <<: { indexPatterns: [x], allowedActions: [read] }
      allowedActions: [write]
`;
  assertEquals(read(await convert(yaml)), {
    "84-roles/a-role.json": {
      cluster_permissions: ["b"],
      index_permissions: [{ index_patterns: ["x"], allowed_actions: ["write"] }],
    },
  });
});

Deno.test("convertManifests escapes texts that look like the placeholders it makes", async () => {
  const text = stream(
    manifest(
      "OpensearchUser",
      "passwordFrom: { name: a, key: k }\nattributes:\n  note: ${USER_U_PASSWORD}",
      "u",
    ),
    manifest("OpensearchTenant", "description: ${other} ${user.name}", "t"),
  );
  const conversion = await convert(text);
  assertEquals(read(conversion), {
    "82-tenants/t-tenant.json": { description: "${other} ${user.name}" },
    "86-users/u-user.json": {
      password: "${USER_U_PASSWORD}",
      attributes: { note: "$${USER_U_PASSWORD}" },
    },
  });
  assertEquals(conversion.warnings.map(({ message }) => message), [
    "document 2, OpensearchTenant 't', spec: It contains the text '${other}': if " +
    "'migrations.placeholders' of the connection declares that name, write '$${…}' in the file",
  ]);
});

Deno.test("convertManifests warns of what will not be on the cluster as it stands there", async () => {
  const template = (settings: string) =>
    manifest("OpensearchComponentTemplate", `template:\n  settings: ${settings}`);
  const binding = "users: [ada]\nroles: []";
  const table: [yaml: string, message: string][] = [
    [
      template("{ a: yes }"),
      "Without quotes kubectl reads 'yes' as true: expected true, or quotes",
    ],
    [
      template("{ a: Off }"),
      "Without quotes kubectl reads 'Off' as false: expected false, or quotes",
    ],
    [manifest("OpensearchUserRoleBinding", binding), "Left out: it has no role"],
    [
      manifest("OpensearchTenant", "").replace(
        "  name: a\n",
        "  name: a\n  deletionTimestamp: now\n",
      ),
      "The resource is being deleted, and its file creates it again: remove the file unless that is intended",
    ],
  ];
  for (const [yaml, message] of table) {
    const { warnings } = await convert(yaml);
    assertEquals(warnings.map((warning) => warning.message.endsWith(message)), [true], message);
  }
});

Deno.test("convertManifests refuses what is nested too deeply, and cannot be merged", async () => {
  const deep = (depth: number) => `a: ${"[".repeat(depth)}${"]".repeat(depth)}`;
  for (const text of [deep(300), deep(20_000), "a:\n  <<: 7"]) {
    await assertRejects(() => convert(text), InvalidFilesError, "Cannot read the YAML: ");
  }
  // Each anchor stands in the next one ten times.
  const bomb = Array.from(
    { length: 40 },
    (_, index) =>
      `x${index}: &x${index} [${Array(10).fill(index === 0 ? "a" : `*x${index - 1}`).join(", ")}]`,
  ).join("\n");
  assertEquals((await convert(`${manifest("OpensearchTenant", "")}\n${bomb}`)).files.length, 1);
});

Deno.test("convertManifests refuses a user whose copies have different Secrets", async () => {
  const user = (secret: string) =>
    manifest("OpensearchUser", `passwordFrom: { name: ${secret}, key: k }`);
  await assertRejects(
    () =>
      convert(stream(user("new").replace("opensearch.org", "opensearch.opster.io"), user("old"))),
    InvalidFilesError,
    "It defines 'a' differently than",
  );
});
