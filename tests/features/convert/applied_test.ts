import { assertEquals } from "@std/assert";
import { convertManifests } from "../../../src/features/convert/convert.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { ask, clusterTest, type RealCluster, SECURED } from "../../servers/real.ts";
import {
  apply,
  connectionTo,
  type Environment,
  openClient,
  type Tree,
} from "../../migrations/search/runner.ts";
import { drifted } from "../drift/support.ts";
import { assertFits } from "../file_schemas/problems.ts";
import { EVERY_FIELD, manifest, stream } from "./manifests.ts";

const PASSWORD = "A-Long-Passw0rd-9173!";

/** The files that a run has, with the password that is declared for the user. */
async function converted(...manifests: readonly string[]): Promise<Tree> {
  const { files } = await convertManifests([{ path: "all.yaml", text: stream(...manifests) }]);
  const tree = Object.fromEntries(
    files.map(({ path, text }) => [path, text.replace(/\$\{USER_\w+\}/, PASSWORD)]),
  );
  for (const [path, text] of Object.entries(tree)) assertFits(path, text);
  return tree;
}

for (const cluster of SECURED) {
  clusterTest(
    cluster,
    "convertManifests makes files that a cluster takes, and that it has afterwards",
    async () => {
      const name = `t${crypto.randomUUID().slice(0, 8)}`;
      const manifests = EVERY_FIELD
        // The test server has no plugin for policies.
        .filter(({ path }) => !/^6\d-/.test(path))
        .map(({ yaml }) => yaml.replaceAll("cv-", `${name}-`).replace("3120", seldom()));
      const tree = await converted(...manifests);
      assertEquals(Object.keys(tree).length, 7);
      const caCert = await Deno.readTextFile(cluster.ca!);
      const connection = {
        ...connectionTo(cluster.url),
        name,
        authorization: `Basic ${btoa(`admin:${cluster.password}`)}`,
        timeoutMs: 30_000,
      };
      const environment: Environment = {
        openClient: () => Promise.resolve(openClient({ caCert })),
      };
      try {
        const { results } = await apply(connection, tree, environment);
        assertEquals(results.map(({ outcome }) => outcome), results.map(() => "applied"));
        assertEquals(await drifted(connection, tree, environment), []);
        const mapping = await ask(
          cluster,
          "GET",
          `/_plugins/_security/api/rolesmapping/${name}-reader`,
        );
        const { users, backend_roles } =
          (mapping.json as Record<string, Record<string, unknown>>)[`${name}-reader`]!;
        assertEquals([users, backend_roles], [[`${name}-ada`], [`${name}-staff`]]);
      } finally {
        for (const path of Object.keys(tree).reverse()) await remove(cluster, path);
        for (const index of ["framework_migrations", "framework_migrations_lock"]) {
          await ask(cluster, "POST", `/${index}/_delete_by_query?refresh&conflicts=proceed`, {
            query: { match: { connection: name } },
          });
        }
      }
    },
  );
}

Deno.test("convertManifests makes policies that a cluster takes, and that it has afterwards", async () => {
  await using double = startClusterDouble();
  const tree = await converted(
    // The real test servers have no plugin for these.
    ...EVERY_FIELD.filter(({ path }) => /^6\d-/.test(path)).map(({ yaml }) => yaml),
    manifest(
      "OpenSearchISMPolicy",
      "policyId: Of/any name\ndescription: ''\ndefaultState: a\nstates: [{ name: a, actions: [] }]",
    ),
  );
  const { results } = await apply(double.url, tree);
  assertEquals(results.map(({ outcome }) => outcome), ["applied", "applied", "applied"]);
  assertEquals(await drifted(double.url, tree), []);
});

/** Templates of other tests must not overlap. */
function seldom(): string {
  return String(10_000 + crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000_000);
}

const PATHS: Readonly<Record<string, string>> = {
  component: "/_component_template",
  template: "/_index_template",
  "action-group": "/_plugins/_security/api/actiongroups",
  tenant: "/_plugins/_security/api/tenants",
  role: "/_plugins/_security/api/roles",
  user: "/_plugins/_security/api/internalusers",
  "role-mapping": "/_plugins/_security/api/rolesmapping",
};

async function remove(cluster: RealCluster, path: string): Promise<void> {
  const [, name = "", ending = ""] = /\/(t\w+-[a-z]+)-([a-z-]+)\.json$/.exec(path) ?? [];
  const { status } = await ask(cluster, "DELETE", `${PATHS[ending]}/${name}`);
  assertEquals(status, 200, path);
}
