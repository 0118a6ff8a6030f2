import { assertEquals, assertInstanceOf, assertMatch, assertRejects } from "@std/assert";
import { pullCluster } from "../../../src/features/pull/pull.ts";
import { driftOf } from "../../../src/features/drift/drift.ts";
import { CLUSTER } from "../../../src/migrations/search/offers.ts";
import { ConnectionError } from "../../../src/migrations/runner/mod.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { ask, clusterTest, SECURE } from "../../servers/real.ts";
import {
  apply,
  connectionTo,
  type Environment,
  openClient,
  planned,
  recorded,
  standing,
  withSession,
} from "./runner.ts";
import { drifted } from "../../features/drift/support.ts";

/** The rights that the guide names, for indices that start with `name`. */
const GUIDE = (name: string) => ({
  cluster_permissions: [
    "cluster_composite_ops",
    "cluster_manage_index_templates",
    "cluster:admin/opendistro/ism/policy/write",
    "cluster:admin/opendistro/ism/policy/get",
    "cluster:admin/opendistro/ism/policy/search",
  ],
  index_permissions: [{
    index_patterns: [`${name}*`, "framework_migrations*"],
    allowed_actions: ["create_index", "read", "write", "manage"],
  }],
});

interface Rights {
  readonly cluster_permissions: string[];
  readonly index_permissions: { readonly index_patterns: string[]; allowed_actions: string[] }[];
  /** Roles besides. */
  readonly roles?: string[];
}

const API = "/_plugins/_security/api";

/** All users are one document: a test that writes another one at the same time makes it a conflict. */
async function put(path: string, body: unknown): ReturnType<typeof ask> {
  for (let attempt = 1;; attempt++) {
    const answer = await ask(SECURE, "PUT", path, body);
    if (answer.status !== 409 || attempt === 5) return answer;
  }
}

/** Runs a test as a user who has these rights and no others. */
async function as(
  name: string,
  rights: Rights,
  work: (connection: SearchConnection, environment: Environment) => Promise<void>,
): Promise<void> {
  const user = `${name}-${crypto.randomUUID().slice(0, 8)}`;
  const password = `P-${crypto.randomUUID()}`;
  const { roles = [], ...role } = rights;
  const made = [
    await put(`${API}/roles/${user}`, role),
    await put(`${API}/internalusers/${user}`, {
      password,
      opendistro_security_roles: [user, ...roles],
    }),
  ];
  assertEquals(made.map(({ status }) => status), [201, 201]);
  const caCert = await Deno.readTextFile(SECURE.ca!);
  const authorization = `Basic ${btoa(`${user}:${password}`)}`;
  const connection = { ...connectionTo(SECURE.url), name, authorization, timeoutMs: 30_000 };
  try {
    await work(connection, { openClient: () => Promise.resolve(openClient({ caCert })) });
  } finally {
    await ask(SECURE, "DELETE", `${API}/internalusers/${user}`);
    await ask(SECURE, "DELETE", `${API}/roles/${user}`);
    await ask(SECURE, "DELETE", `/_index_template/${name}*`);
    await ask(SECURE, "DELETE", `/${name}*`);
  }
}

const files = (name: string) => ({
  [`${name}-logs-template.json`]: '{"settings":{"number_of_shards":1}}',
  [`${name}-users-index.json`]: '{"settings":{"number_of_replicas":0}}',
  "x-mapping.json": JSON.stringify({
    method: "PUT",
    path: `/${name}-users/_mapping`,
    body: { properties: { at: { type: "date" } } },
  }),
  "y-alias.json": JSON.stringify({
    method: "POST",
    path: "/_aliases",
    body: { actions: [{ add: { index: `${name}-users`, alias: `${name}-people` } }] },
  }),
});

const unique = () => `t${crypto.randomUUID().slice(0, 8)}`;

clusterTest(SECURE, "a user with the rights of the guide can do everything", async () => {
  const name = unique();
  await as(name, GUIDE(name), async (connection, environment) => {
    const first = await apply(connection, files(name), environment);
    assertEquals(first.error, undefined);
    assertEquals((await apply(connection, files(name), environment)).requests, 1);
    const list = () => withSession(connection, {}, ({ journal }) => journal.list(), environment);
    assertEquals((await list()).size, 4);
    const more = { ...files(name), "z.json": `{"method":"DELETE","path":"/${name}-none"}` };
    assertEquals((await planned(connection, more, environment)).steps.length, 1);
    assertEquals(await drifted(connection, files(name), environment), []);
    assertEquals(await recorded(connection, more, {}, environment), ["z.json"]);
  });
});

clusterTest(
  SECURE,
  "drift + without the right to the cluster's state fails where an alias differs, and names it",
  async () => {
    const name = unique();
    const tree = {
      [`${name}-000001.json`]: JSON.stringify({
        method: "PUT",
        path: `/${name}-000001`,
        body: { settings: { refresh_interval: "5s" }, aliases: { [`${name}w`]: {} } },
      }),
    };
    const { cluster_permissions, ...rights } = GUIDE(name);
    const all = [...cluster_permissions, "cluster:monitor/state"];
    await as(name, { ...rights, cluster_permissions: all }, async (connection, environment) => {
      assertEquals((await apply(connection, tree, environment)).error, undefined);
      await ask(SECURE, "DELETE", `/${name}-000001/_alias/${name}w`);
      const [found] = await drifted(connection, tree, environment);
      assertEquals(found?.differences.map(({ path }) => path), [`aliases.${name}w`]);
      await as(name, GUIDE(name), async (other, environment) => {
        const compared = () => drifted(other, tree, environment);
        await assertRejects(compared, Error, "cluster:monitor/state");
      });
    });
  },
);

clusterTest(
  SECURE,
  "a user who may only read the records can read them, and the error names the missing rights",
  async () => {
    const name = unique();
    await as(name, GUIDE(name), async (connection, environment) => {
      await apply(connection, files(name), environment);
      const reader = {
        cluster_permissions: [],
        index_permissions: [{
          index_patterns: ["framework_migrations*"],
          allowed_actions: ["read"],
        }],
      };
      await as(name, reader, async (reading, environment) => {
        const read = () =>
          withSession(
            reading,
            {},
            ({ journal }) => journal.read(Object.keys(files(name))),
            environment,
          );
        // Not realtime, and the right to refresh is missing too: what was just written comes within a second.
        await ask(SECURE, "POST", "/framework_migrations*/_refresh");
        const { entries } = await read();
        assertEquals([...entries.values()].filter(({ applied }) => applied).length, 4);
        const { error } = await apply(reading, { "new.json": '{"settings":{}}' }, environment);
        assertInstanceOf(error, ConnectionError);
        assertMatch(error.message, /no permissions for .* and User \[name=t/);
        assertMatch(error.message, /needs the right 'write' on 'framework_migrations_lock'/);
      });
    });
  },
);

/** The rights that the guide names for pull, as far as the plugins are here. */
const PULL = {
  cluster_permissions: [
    "cluster:admin/repository/get",
    "cluster:monitor/state",
    "cluster:admin/ingest/pipeline/get",
    "cluster:admin/search/pipeline/get",
    "cluster:admin/component_template/get",
    "indices:admin/index_template/get",
  ],
  index_permissions: [{
    index_patterns: ["*"],
    allowed_actions: ["indices:admin/data_stream/get"],
  }],
  roles: ["security_rest_api_access"],
};

clusterTest(
  SECURE,
  "a user with the rights of the guide can pull, and the error names the missing ones",
  async () => {
    const leftOut = async (rights: Rights) => {
      let found: readonly { readonly kinds: readonly string[]; readonly reason: string }[] = [];
      await as(unique(), rights, async (connection, environment) => {
        const pulled = await withSession(connection, {}, async (session) => {
          const context = { cluster: CLUSTER.of(session)!, connection, migrations: [] };
          return await pullCluster(context, { match: "none" });
        }, environment);
        found = pulled.leftOut;
      });
      return found;
    };
    const missing = { kinds: ["policies", "snapshots"], reason: "the cluster does not have them" };
    assertEquals(await leftOut(PULL), [missing]);
    const [first, ...forbidden] = await leftOut({
      cluster_permissions: ["cluster_composite_ops"],
      index_permissions: [],
    });
    assertEquals(first, missing);
    const actions = forbidden.flatMap(({ reason }) => /for \[([^\]]+)\]/.exec(reason)?.[1] ?? []);
    assertEquals(
      [...new Set(actions)].sort(),
      [PULL.cluster_permissions, PULL.index_permissions[0]!.allowed_actions].flat().sort(),
    );
    assertEquals(forbidden.slice(-5).map(({ kinds }) => kinds).flat(), [
      "action-groups",
      "tenants",
      "roles",
      "users",
      "role-mappings",
    ]);
  },
);

clusterTest(
  SECURE,
  "a user with the reading role of the guide can plan, find drift and pull, and changes nothing",
  async () => {
    const guide = await Deno.readTextFile("docs/guide/cluster-configuration.md");
    const [, json] = /migrations-reader-role\.json`\):\n\n```json\n([^]*?)```/.exec(guide) ?? [];
    const reader: Rights = JSON.parse(json!);
    const name = unique();
    const tree = {
      ...files(name),
      [`${name}-base-component.json`]: '{"template":{}}',
      [`${name}-in-pipeline.json`]: '{"processors":[]}',
      [`${name}-find-search-pipeline.json`]: '{"request_processors":[]}',
      [`${name}-one-script.json`]: '{"script":{"lang":"painless","source":"1"}}',
      [`${name}-x-cluster-settings.json`]:
        '{"persistent":{"indices.recovery.max_concurrent_operations":2}}',
      [`${name}-z-data-stream.json`]: "{}",
      [`${name}-stream-template.json`]: JSON.stringify({
        index_patterns: [`${name}-z`],
        data_stream: {},
      }),
    };
    const order = Object.fromEntries(Object.entries(tree).sort(([a], [b]) => a < b ? -1 : 1));
    try {
      const caCert = await Deno.readTextFile(SECURE.ca!);
      const environment = { openClient: () => Promise.resolve(openClient({ caCert })) };
      const authorization = `Basic ${btoa(`admin:${SECURE.password}`)}`;
      const admin = { ...connectionTo(SECURE.url), name, authorization, timeoutMs: 30_000 };
      assertEquals((await apply(admin, order, environment)).error, undefined);
      await ask(SECURE, "PUT", `/_component_template/${name}-by-hand`, { template: {} });
      await ask(SECURE, "POST", "/framework_migrations*/_refresh");
      await as(name, reader, async (own, environment) => {
        const connection = { ...own, name };
        const more = { ...order, [`${name}-2-template.json`]: '{"index_patterns":["none"]}' };
        const index = `${name}-users-index.json`;
        const edited = { ...more, [index]: '{"settings":{"refresh_interval":"9s"}}' };
        const { steps } = await planned(connection, edited, environment);
        assertEquals(steps.map(({ note }) => /HTTP 403|permissions/.test(note ?? "")), [
          false,
          false,
        ]);
        assertEquals(steps.some(({ differences = [] }) => differences.length > 0), true);
        const { files: states } = await standing(connection, edited, environment);
        assertEquals(states.filter(({ state }) => state !== "applied").length, 2);
        const errors: string[] = [];
        const found = await withSession(connection, more, (session, files) => {
          const onFailure = (error: Error) => errors.push(error.message);
          return driftOf(session, files, { unmanaged: true, onFailure });
        }, environment);
        assertEquals(found.filter(({ file }) => file !== undefined), []);
        assertEquals(errors, []);
        const keys = found.map(({ resource }) => resource).filter((key) => key.includes(name));
        assertEquals(keys, [`component_template ${name}-by-hand`]);
        const pulled = await withSession(connection, {}, async (session) => {
          const context = { cluster: CLUSTER.of(session)!, connection, migrations: [] };
          return await pullCluster(context, { match: `${name}*` });
        }, environment);
        assertEquals(pulled.leftOut.map(({ kinds }) => kinds).flat(), [
          "policies",
          "snapshots",
          "action-groups",
          "tenants",
          "roles",
          "users",
          "role-mappings",
        ]);
        const { error } = await apply(connection, more, environment);
        assertInstanceOf(error, ConnectionError);
        assertMatch(error.message, /needs the right 'write' on 'framework_migrations_lock'/);
        const { status } = await ask(SECURE, "GET", `/_index_template/${name}-2`);
        assertEquals(status, 404);
      });
    } finally {
      for (
        const path of [
          `/_data_stream/${name}-z`,
          `/_index_template/${name}*`,
          `/_component_template/${name}*`,
          `/_ingest/pipeline/${name}*`,
          `/_search/pipeline/${name}*`,
          `/_scripts/${name}-one`,
        ]
      ) await ask(SECURE, "DELETE", path);
      await ask(SECURE, "PUT", "/_cluster/settings", {
        persistent: { "indices.recovery.max_concurrent_operations": null },
      });
    }
  },
);

clusterTest(SECURE, "a user who may write the lock and no records applies nothing", async () => {
  const name = unique();
  const { cluster_permissions, index_permissions: [own] } = GUIDE(name);
  const rights = {
    cluster_permissions,
    index_permissions: [
      { ...own!, index_patterns: [`${name}*`, "framework_migrations_lock"] },
      { index_patterns: ["framework_migrations"], allowed_actions: ["read", "create_index"] },
    ],
  };
  await as(name, rights, async (connection, environment) => {
    for (let run = 1; run <= 2; run++) {
      const { error } = await apply(connection, files(name), environment);
      assertInstanceOf(error, ConnectionError);
      assertMatch(error.message, /the user needs the right 'write' on 'framework_migrations'$/);
    }
    const { status } = await ask(SECURE, "GET", `/_index_template/${name}-logs`);
    assertEquals(status, 404);
  });
});
