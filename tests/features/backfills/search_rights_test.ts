import { assertEquals, assertStringIncludes } from "@std/assert";
import { ask, clusterTest, SECURE } from "../../servers/real.ts";
import { ClusterScene, NO_TOTAL, SET_TOTAL } from "./search_support.ts";

const GUIDE = await Deno.readTextFile(new URL("../../../docs/guide/backfills.md", import.meta.url));
const [, RIGHTS = ""] = GUIDE.split("Clusters want the rights of the history,");
const [onCluster = "", onIndices = ""] = RIGHTS.split("The record")[0]!.split("on the");
const named = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, right]) => right!);

clusterTest(
  SECURE,
  "backfill -m search + needs the permissions of the guide, and says which one is missing",
  async (cluster) => {
    await using scene = await ClusterScene.of(cluster, true);
    const api = async (kind: string, body?: unknown) => {
      const path = `/_plugins/_security/api/${kind}/${scene.user}`;
      const { status } = await ask(cluster, body ? "PUT" : "DELETE", path, body);
      assertEquals(status < 300, true);
    };
    const grant = (more: readonly string[]) =>
      api("roles", {
        cluster_permissions: ["cluster_composite_ops", "cluster:monitor/main", ...more],
        index_permissions: [
          { index_patterns: ["framework_migrations*"], allowed_actions: ["indices_all"] },
          { index_patterns: [scene.name], allowed_actions: named(onIndices) },
        ],
      });
    try {
      await grant(named(onCluster).slice(1));
      const password = ClusterScene.password;
      await api("internalusers", { password, opendistro_security_roles: [scene.user] });
      for (const quantity of [1, 2, 3]) {
        await scene.send("PUT", `/${scene.name}/_doc/${quantity}`, { quantity });
      }
      await scene.backfill("01-backfill.json", { query: NO_TOTAL, script: SET_TOTAL });
      const refused = await scene.space.run("-m", "search", "backfill", "run");
      assertStringIncludes(refused.stderr, named(onCluster)[0]!);
      await grant(named(onCluster));
      const { code, stdout, stderr } = await scene.space.run("-m", "search", "backfill", "run");
      assertEquals(code, 0, stdout + stderr);
      await scene.backfill("02-backfill.json", { query: { match_all: {} } }, "_delete_by_query");
      const deleted = await scene.space.run("-m", "search", "backfill", "run");
      assertStringIncludes(deleted.stdout, "3 documents changed\n");
      const paused = await scene.space.run("-m", "search", "backfill", "pause", "02-backfill.json");
      assertEquals(paused.code, 0, paused.stderr);
    } finally {
      for (const kind of ["internalusers", "roles"]) await api(kind);
    }
  },
);
