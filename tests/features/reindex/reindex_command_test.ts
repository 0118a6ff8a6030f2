/** Live reindex as people see it, on a real cluster. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ask, clusterTest, PLAIN, type RealCluster } from "../../servers/real.ts";
import { onTerminal } from "../../terminal.ts";
import { CLI, type Workspace, workspace } from "../../e2e/command_line.ts";

const orders = (type: string) =>
  JSON.stringify({
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: { properties: { n: { type } } },
  });

/** A connection and an index of a name of their own, with some documents, which are deleted afterwards. */
async function withOrders(
  cluster: RealCluster,
  settings: string,
  test: (space: Workspace, name: string, index: string) => Promise<void>,
): Promise<void> {
  const name = `e${crypto.randomUUID().slice(0, 8)}`;
  const index = `${name}-orders`;
  await using space = await workspace({
    "config/application.yml":
      `search:\n  - name: ${name}\n    hosts: ['${cluster.url}']\n    migrations: { enabled: true, ${settings} }\n`,
    [`migrations/${name}/${index}.json`]: orders("integer"),
  });
  try {
    const { code, stdout } = await space.run("-m", "search");
    assertEquals(code, 0);
    assertMatch(stdout, new RegExp(`made as '${index}-[0-9a-f]{8}-1', with '${index}' as its`));
    const lines = Array.from({ length: 3000 }, (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`);
    await fetch(`${cluster.url}/${index}/_bulk?refresh=true`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: lines.join(""),
    }).then((answer) => answer.body?.cancel());
    await space.write(`migrations/${name}/${index}.json`, orders("long"));
    await test(space, name, index);
  } finally {
    await ask(cluster, "DELETE", `/${name}*`);
  }
}

clusterTest(
  PLAIN,
  "cli changes a live index, and prune deletes the old one after it has asked",
  (cluster) => {
    return withOrders(cluster, "index_changes: reindex", async (space, name, index) => {
      const changed = await space.run("-m", "search");
      assertEquals(changed.code, 0);
      assertMatch(changed.stdout, /copied 3,000 documents into .*; writers waited \d+\.\d s; the/);
      assertStringIncludes(changed.stderr, `progress: ${name}/${index}.json: writers wait\n`);

      const listed = await space.run("prune", "-m", "search");
      assertEquals(listed.code, 2);
      assertMatch(listed.stdout, new RegExp(`^${name}: 1 index\n  ${index}-\\w{8}-1  \\(`));
      assertStringIncludes(listed.stderr, "add '--yes' to delete 1 index");

      assertStringIncludes(await pruneWith("n", space), "Nothing was deleted");
      assertStringIncludes(await pruneWith("y", space), `${name}: 1 deleted`);
      const done = await space.run("prune", "-m", "search", "--yes", "--json");
      assertEquals([done.code, JSON.parse(done.stdout)], [0, {
        connections: [{ connection: name, leftovers: [], deleted: [], kept: [] }],
      }]);
      const { json } = await ask(cluster, "GET", `/${index}`);
      assertMatch(Object.keys(json as object).join(), new RegExp(`^${index}-\\w{8}-2$`));
    });
  },
);

clusterTest(
  PLAIN,
  "cli tells of a copy whose run was killed, and resolve --abandon undoes it",
  (cluster) => {
    const settings = "index_changes: reindex, requests_per_second: 100";
    return withOrders(cluster, settings, async (space, name, index) => {
      await killCopying(space);
      for (const command of ["status", "plan"]) {
        const { code, stdout } = await space.run(command, "-m", "search");
        assertEquals(code, 0);
        assertMatch(stdout, new RegExp(`'${index}-\\w{8}-1' is being copied into '${index}-`));
      }
      const file = `${index}.json`;
      const abandoned = await space.run("resolve", file, "--abandon", "-m", "search");
      assertEquals(abandoned.code, 0);
      assertMatch(
        abandoned.stdout,
        new RegExp(`^${name}/${file}: abandoned; the next run starts again\n  done: the copy of`),
      );
      const { json } = await ask(cluster, "GET", `/${name}*`);
      assertEquals(Object.keys(json as object).length, 1);
      const { stdout } = await space.run("status", "-m", "search");
      assertMatch(
        stdout,
        new RegExp(`^${name}: 1 changed\n  changed      ${file}  \\([^;]*\\)\n$`),
      );
    });
  },
);

function commandOf({ path }: Workspace, ...args: string[]): string[] {
  const own = ["-c", `${path}/config`, "--sqlPath", `${path}/migrations`, "-m", "search"];
  return ["run", "-A", "--quiet", CLI, ...own, ...args];
}

/** Runs `prune` in a pseudo-terminal with this input. */
async function pruneWith(answer: string, space: Workspace): Promise<string> {
  const command = [Deno.execPath(), ...commandOf(space, "prune")];
  return (await onTerminal(command, { typed: `${answer}\n` })).shown;
}

/** Starts a run and kills it as soon as it says that it copies. */
async function killCopying(space: Workspace): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: commandOf(space),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let told = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    told += text;
    if (told.includes(": copying")) break;
  }
  child.kill("SIGKILL");
  await child.status;
  // Its first line, which a slow machine prints after the first documents.
  assertMatch(told, /^progress: \S+: copying(?:, (?:0|1,000|2,000)\/3,000)?\n$/);
}
