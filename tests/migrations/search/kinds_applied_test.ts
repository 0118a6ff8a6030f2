import { assertEquals, assertMatch } from "@std/assert";
import { MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import {
  ask,
  clusterTest,
  ELASTICSEARCH_9,
  PLAIN_CLUSTERS,
  type RealCluster,
  SECURED,
} from "../../servers/real.ts";
import { askUntilFree } from "./own_resources.ts";
import { apply, connectionTo, type Environment, openClient, planned, type Tree } from "./runner.ts";
import { drifted } from "../../features/drift/support.ts";

const API = "/_plugins/_security/api";

interface TestConnection {
  readonly name: string;
  readonly connection: SearchConnection;
  readonly environment: Environment;
}

/** A connection of its own to a real cluster. */
async function placeOn({ url, password, ca }: RealCluster): Promise<TestConnection> {
  const name = `t${crypto.randomUUID().slice(0, 8)}`;
  const caCert = ca && await Deno.readTextFile(ca);
  return {
    name,
    connection: {
      ...connectionTo(url),
      name,
      timeoutMs: 30_000,
      ...(password && { authorization: `Basic ${btoa(`admin:${password}`)}` }),
    },
    environment: { openClient: () => Promise.resolve(openClient(caCert ? { caCert } : {})) },
  };
}

for (const cluster of [...PLAIN_CLUSTERS, ELASTICSEARCH_9]) {
  clusterTest(
    cluster,
    "a data stream takes three requests, and is left as it is where it exists",
    async () => {
      const { name, connection, environment } = await placeOn(cluster);
      const template = JSON.stringify({ index_patterns: [`${name}*`], data_stream: {} });
      const files: Tree = {
        [`a/${name}-template.json`]: template,
        [`${name}-data-stream.json`]: "{}",
      };
      const run = (tree: Tree) => apply(connection, tree, environment);
      try {
        const [, stream] = (await run(files)).results;
        assertEquals([stream?.outcome, stream?.requests], ["applied", 3]);
        assertEquals(await drifted(connection, files, environment), []);
        const again = { ...files, [`x/${name}-data-stream.json`]: "{ }" };
        const plan = await planned(connection, again, environment);
        assertEquals(plan.steps[0]?.requests, [`GET /_data_stream/${name}`]);
        assertMatch(plan.steps[0]!.note!, /the data stream exists already/);
        const [, , second] = (await run(again)).results;
        assertEquals(second?.note, "the data stream exists already and was not changed");
        await ask(cluster, "DELETE", `/_data_stream/${name}`);
        const [drift] = await drifted(connection, files, environment);
        assertEquals([drift?.resource, drift?.note], [`data stream ${name}`, "does not exist yet"]);
        const raw = {
          "raw.json": JSON.stringify({ method: "PUT", path: `/_data_stream/${name}` }),
        };
        assertEquals((await run({ ...files, ...raw })).error, undefined);
        const other = { "raw2.json": raw["raw.json"] };
        const [result] = (await run(other)).results;
        assertEquals(result?.note, "the data stream exists already and was not changed");
      } finally {
        await ask(cluster, "DELETE", `/_data_stream/${name}`);
        await ask(cluster, "DELETE", `/_index_template/${name}`);
      }
    },
  );
}

for (const cluster of [...PLAIN_CLUSTERS, ELASTICSEARCH_9]) {
  clusterTest(
    cluster,
    "a run sends two requests a file of any kind, and one more for a data stream",
    async () => {
      const { name, connection, environment } = await placeOn(cluster);
      const run = (tree: Tree) => apply(connection, tree, environment);
      const template = {
        index_patterns: [`${name}*`],
        composed_of: [`${name}-c`],
        data_stream: {},
      };
      const repository = { type: "fs", settings: { location: name } };
      const files: Tree = {
        [`1/${name}-c-component.json`]: '{"template":{}}',
        [`2/${name}-template.json`]: JSON.stringify(template),
        [`3/${name}-pipeline.json`]: '{"processors":[]}',
        [`4/${name}-search-pipeline.json`]: '{"request_processors":[]}',
        [`5/${name}-script.json`]: '{"script":{"lang":"painless","source":"1"}}',
        "6/cluster-settings.json": '{"persistent":{"search.default_keep_alive":null}}',
        "7/repository.json": JSON.stringify({
          method: "PUT",
          path: `/_snapshot/${name}`,
          body: repository,
        }),
        [`8/${name}-data-stream.json`]: "{}",
      };
      try {
        // The first run of all makes the records.
        await run({ [`0/${name}-pipeline.json`]: '{"processors":[]}' });
        const { error, results, requests } = await run(files);
        assertEquals(error?.message, undefined);
        assertEquals(results.map(({ requests }) => requests), [2, 2, 2, 2, 2, 2, 2, 3]);
        assertEquals(requests, 2 + 2 * 8 + 1);
        assertEquals((await run(files)).requests, 1);
      } finally {
        await ask(cluster, "DELETE", `/_data_stream/${name}`);
        const kinds = [
          "_index_template",
          "_ingest/pipeline",
          "_search/pipeline",
          "_scripts",
          "_snapshot",
        ];
        for (const kind of kinds) await ask(cluster, "DELETE", `/${kind}/${name}`);
        await ask(cluster, "DELETE", `/_component_template/${name}-c`);
      }
    },
  );
}

Deno.test("a run that changes roles asks once who it is, and sends two requests a file", async () => {
  const authinfo = { user_name: "ops", backend_roles: [], roles: ["all_access"] };
  await using double = startClusterDouble({
    intercept: (line) => {
      if (line.endsWith("/authinfo")) return Response.json(authinfo);
      if (line.includes(API)) return Response.json({ status: "OK", message: "updated." });
    },
  });
  await apply(double.url, { "0.json": '{"method":"HEAD","path":"/"}' });
  const files = Object.fromEntries([1, 2, 3].map((number) => {
    return [`${number}/r${number}-role-mapping.json`, '{"users":["absent"]}'];
  }));
  const { error, requests } = await apply(double.url, files);
  assertEquals([error?.message, requests], [undefined, 2 + 1 + 2 * 3]);
});

for (const cluster of SECURED) {
  clusterTest(cluster, "roles, users and mappings are what their files say", async () => {
    const { name, connection, environment } = await placeOn(cluster);
    const password = `Sekrit-${crypto.randomUUID()}`;
    const files: Tree = {
      [`1/${name}-role.json`]:
        '{"reserved":false,"cluster_permissions":["cluster_monitor"],"static":false}',
      [`2/${name}-user.json`]: JSON.stringify({ password, backend_roles: ["b"] }),
      [`3/${name}-role-mapping.json`]: JSON.stringify({ users: [name] }),
    };
    try {
      const plan = await planned(connection, files, environment);
      const shown = JSON.stringify(plan);
      assertEquals(shown.includes(password), false);
      assertMatch(plan.steps[1]!.requests[0]!, /"password":"\*\*\*"/);
      assertEquals((await apply(connection, files, environment)).error, undefined);
      assertEquals(await drifted(connection, files, environment), []);
      await ask(cluster, "PATCH", `${API}/roles/${name}`, [
        { op: "replace", path: "/cluster_permissions", value: ["cluster_all"] },
      ]);
      const [drift, ...others] = await drifted(connection, files, environment);
      assertEquals(drift?.differences, [
        { path: "cluster_permissions", wanted: ["cluster_monitor"], live: ["cluster_all"] },
      ]);
      assertEquals(others, []);
      // A PUT of the file removes these rights, so they are a difference, although no file gave them.
      const mapped = await ask(cluster, "PATCH", `${API}/rolesmapping/${name}`, [
        { op: "add", path: "/backend_roles", value: ["*"] },
      ]);
      assertEquals(mapped.status, 200);
      const added = { path: "backend_roles", wanted: undefined, live: ["*"] };
      const [, more] = await drifted(connection, files, environment);
      assertEquals([more?.resource, more?.differences], [`role mapping ${name}`, [added]]);
      await ask(cluster, "PUT", `${API}/roles/${name}`, {
        cluster_permissions: ["cluster_monitor"],
      });
      const edited = { ...files, [`3/${name}-role-mapping.json`]: `{"users": ["${name}"]}` };
      assertEquals((await planned(connection, edited, environment)).steps[0]?.differences, [added]);
    } finally {
      for (const kind of ["rolesmapping", "internalusers", "roles"]) {
        await ask(cluster, "DELETE", `${API}/${kind}/${name}`);
      }
    }
  });

  clusterTest(
    cluster,
    "what is reserved, and what is wrong in it, is the file's failure and no matter of rights",
    async () => {
      const { connection, environment } = await placeOn(cluster);
      const table: [path: string, content: string, message: RegExp][] = [
        [
          "all_access-role.json",
          '{"cluster_permissions":["a"]}',
          /HTTP 403: FORBIDDEN: Resource 'all_access' is static\.$/,
        ],
        [
          "a-role.json",
          '{"cluster_permissions":["a"],"colour":1}',
          /HTTP 400: Invalid configuration; invalid_keys: colour$/,
        ],
        [
          "a-user.json",
          '{"backend_roles":["a"]}',
          /HTTP 400: BAD_REQUEST: Please specify either 'hash' or 'password'/,
        ],
        [
          "nope-role-mapping.json",
          '{"users":["a"]}',
          /HTTP 404: NOT_FOUND: role 'nope' not found\.$/,
        ],
        ["a-user.json", '{"password":"123"}', /HTTP 400: Weak password$/],
      ];
      for (const [path, content, message] of table) {
        const { error } = await apply(connection, { [path]: content }, environment);
        assertEquals(error?.constructor, MigrationFailedError, path);
        assertMatch(error!.message, message);
      }
    },
  );

  clusterTest(cluster, "roles that are written at once are all there", async () => {
    const names = await Promise.all(Array.from({ length: 3 }, async () => {
      const { name, connection, environment } = await placeOn(cluster);
      const files = Object.fromEntries([1, 2].map((number) => {
        return [`${name}-${number}-role.json`, '{"cluster_permissions":["cluster_monitor"]}'];
      }));
      const { error } = await apply(connection, files, environment);
      assertEquals(error?.message, undefined);
      return [`${name}-1`, `${name}-2`];
    }));
    const all = names.flat();
    const { json } = await ask(cluster, "GET", `${API}/roles`);
    assertEquals(all.filter((name) => !(name in (json as object))), []);
    await ask(
      cluster,
      "PATCH",
      `${API}/roles`,
      all.map((name) => ({ op: "remove", path: `/${name}` })),
    );
  });
}

for (const cluster of SECURED) {
  clusterTest(cluster, "a name with a comma or an asterisk is no list and no pattern", async () => {
    const { name, connection, environment } = await placeOn(cluster);
    const bodies: readonly [path: string, body: (description: string) => unknown][] = [
      ["/_ingest/pipeline", (description) => ({ description, processors: [] })],
      ["/_search/pipeline", (description) => ({ description, response_processors: [] })],
      ["/_scripts", (text) => ({ script: { lang: "painless", source: `'${text}'` } })],
      [`${API}/tenants`, (description) => ({ description })],
    ];
    const own = [`${name}-a`, `${name},b`, `${name}*`, `${name}?`, name];
    const paths = bodies.flatMap(([path]) =>
      own.map((one) => `${path}/${encodeURIComponent(one)}`)
    );
    const texts = bodies.flatMap(([, body]) => own.map(body));
    const files: Tree = Object.fromEntries(paths.map((path, index) => {
      const request = { method: "PUT", path, body: texts[index] };
      return [`${index + 10}.json`, JSON.stringify(request)];
    }));
    const pipeline = `/_ingest/pipeline/${encodeURIComponent(`${name},b`)}`;
    try {
      assertEquals((await apply(connection, files, environment)).error, undefined);
      assertEquals(await drifted(connection, files, environment), []);
      await ask(cluster, "DELETE", pipeline);
      const [drift, ...others] = await drifted(connection, files, environment);
      assertEquals([drift?.file, drift?.note, others], ["11.json", "does not exist yet", []]);
      const plan = await planned(connection, {
        "x.json": JSON.stringify({ method: "PUT", path: pipeline, body: { processors: [] } }),
      }, environment);
      assertEquals(plan.steps[0]?.note, "does not exist yet");
    } finally {
      // The one that is a pattern takes the others with it.
      for (const path of paths) await askUntilFree(cluster, "DELETE", path);
    }
  });
}
