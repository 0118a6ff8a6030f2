import { assertEquals, assertInstanceOf } from "@std/assert";
import { ConfirmationError } from "../../../src/migrations/runner/mod.ts";
import { ask, clusterTest, type RealCluster, SECURED } from "../../servers/real.ts";
import { apply, connectionTo, openClient } from "../../migrations/search/runner.ts";

const API = "/_plugins/_security/api/";
const PASSWORD = "Long-Passw0rd-9173!";

for (const cluster of SECURED) {
  clusterTest(cluster, "a run does not take a role from its own user unasked", async (cluster) => {
    const name = `lock-${crypto.randomUUID().slice(0, 8)}`;
    const reset = [
      `internalusers/${name}`,
      `rolesmapping/${name}`,
      `roles/${name}`,
    ];
    try {
      await made(cluster, `roles/${name}`, { cluster_permissions: ["cluster_monitor"] });
      // It stays able to write mappings: by its own entry, which no mapping takes away.
      await made(cluster, `internalusers/${name}`, {
        password: PASSWORD,
        backend_roles: [name],
        opendistro_security_roles: ["all_access"],
      });
      await made(cluster, `rolesmapping/${name}`, { backend_roles: [name] });
      const caCert = await Deno.readTextFile(cluster.ca!);
      const connection = {
        ...connectionTo(cluster.url),
        name,
        authorization: `Basic ${btoa(`${name}:${PASSWORD}`)}`,
      };
      const environment = { openClient: () => Promise.resolve(openClient({ caCert })) };
      const files = (body: unknown, role = name) => ({
        "map.json": JSON.stringify({ method: "PUT", path: `${API}rolesmapping/${role}`, body }),
      });

      const kept = await apply(connection, files({ users: [`${name}*`] }), environment);
      assertEquals(kept.error, undefined);
      const refused = await apply(connection, files({ users: ["other"] }), environment);
      assertInstanceOf(refused.error, ConfirmationError);
      assertEquals(await usersOf(cluster, name), [`${name}*`]);
      const agreed = await apply(connection, files({ users: ["other"] }), {
        ...environment,
        yes: true,
      });
      assertEquals(agreed.error, undefined);
      assertEquals(await usersOf(cluster, name), ["other"]);
    } finally {
      for (const path of reset) await ask(cluster, "DELETE", API + path);
      await ask(cluster, "DELETE", `/framework_migrations_lock/_doc/${name}`);
      await ask(cluster, "POST", `/framework_migrations/_delete_by_query?refresh=true`, {
        query: { term: { connection: name } },
      });
    }
  });
}

async function made(cluster: RealCluster, path: string, body: unknown): Promise<void> {
  // All users are one document: what is written beside it comes back as a conflict.
  for (let tries = 0; tries < 20; tries++) {
    const { status } = await ask(cluster, "PUT", API + path, body);
    if (status !== 409) return assertEquals([path, status], [path, 201]);
  }
}

async function usersOf(cluster: RealCluster, name: string): Promise<unknown> {
  const { json } = await ask(cluster, "GET", `${API}rolesmapping/${name}`);
  return (json as Record<string, { users: unknown }>)[name]?.users;
}
