import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { apply, planned } from "../../migrations/search/runner.ts";
import { ask, clusterTest, SECURE } from "../../servers/real.ts";
import { Scene } from "./scene.ts";

const GUIDE = await Deno.readTextFile(
  new URL("../../../docs/guide/template-changes.md", import.meta.url),
);

/** The permissions in a row of the guide: on the cluster, and on indices. */
function rightsOf(row: string): readonly (readonly string[])[] {
  const line = GUIDE.split("\n").find((line) =>
    line.startsWith(`| \`${row}\` `) && line.includes("indices:")
  )!;
  return line.split("|").slice(2, 4).map((cell) => {
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, right]) => right!);
  });
}

/** Permissions for the records of a run, and for the files of a {@linkcode Scene}. */
const OWN_INDEX = ["indices_all"];
const FILES = ["cluster:admin/component_template/put", "indices:admin/index_template/put"];

clusterTest(
  SECURE,
  "template_changes + needs the permissions of the guide, and no more",
  async (cluster) => {
    await using scene = await Scene.open(cluster);
    const options = await scene.environment();
    const password = "Long-Passw0rd-9173!";
    const api = (kind: string, body?: unknown) =>
      ask(cluster, body ? "PUT" : "DELETE", `/_plugins/_security/api/${kind}/${scene.name}`, body);
    const [onCluster = [], onIndices = []] = rightsOf("plan");
    const [, more = []] = rightsOf("rollover");
    const grant = async (indices: readonly string[], clusterRights: readonly string[]) => {
      const role = {
        cluster_permissions: [
          "cluster_composite_ops",
          "cluster_monitor",
          ...FILES,
          ...clusterRights,
        ],
        index_permissions: [
          { index_patterns: ["framework_migrations*"], allowed_actions: OWN_INDEX },
          { index_patterns: ["*"], allowed_actions: indices },
        ],
      };
      assertEquals((await api("roles", role)).status < 300, true);
    };
    try {
      await grant([], onCluster);
      await api("internalusers", { password, opendistro_security_roles: [scene.name] });
      const authorization = `Basic ${btoa(`${scene.name}:${password}`)}`;
      const connection = { ...scene.connection("rollover"), authorization };
      const keep = { ...scene.connection("keep"), authorization };
      const without = await planned(keep, scene.files(2), options);
      assertMatch(
        JSON.stringify(without.steps),
        /"severity":"warning".*Cannot read the indices that/,
      );
      const { error } = await apply(connection, scene.files(2), options);
      assertMatch(String(error), /InvalidFilesError.*no permissions for/);

      await grant(onIndices, onCluster);
      const { steps } = await planned(keep, scene.files(2), options);
      assertStringIncludes(JSON.stringify(steps), "takes effect at a rollover of (2)");

      const tried = await planned(connection, scene.files(2), options);
      assertMatch(
        JSON.stringify(tried.steps),
        /"severity":"warning".*Cannot roll over the data stream .*no permissions for/,
      );
      assertEquals(JSON.stringify(tried.steps).includes('"error"'), false);
      const refused = await apply(connection, scene.files(2), options);
      assertMatch(String(refused.error), /InvalidFilesError.*Cannot roll over the data stream/);

      await grant([...onIndices, ...more], onCluster);
      assertEquals((await apply(connection, scene.files(2), options)).error, undefined);
      assertEquals(await scene.counts(), [2, 2, 2]);
    } finally {
      for (const kind of ["internalusers", "roles"]) await api(kind);
    }
  },
);
