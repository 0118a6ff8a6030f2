import { assert, assertEquals } from "@std/assert";
import { placeholderName } from "../../../src/features/pull/written_file.ts";
import fc from "fast-check";
import { pullCluster, type Pulled } from "../../../src/features/pull/pull.ts";
import { CLUSTER } from "../../../src/migrations/search/offers.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { ask, clusterTest, type RealCluster, SECURED } from "../../servers/real.ts";
import { BODIES } from "../../migrations/search/kind_bodies.ts";
import { askUntilFree, remove } from "../../migrations/search/own_resources.ts";
import {
  apply,
  connectionTo,
  type Environment,
  openClient,
  recorded,
  type Tree,
  withSession,
} from "../../migrations/search/runner.ts";
import { drifted } from "../drift/support.ts";
import { assertFits } from "../file_schemas/problems.ts";

const SECURITY = "/_plugins/_security/api";

/** How many of each kind are made, and by which requests. The security plugin takes half a second for each. */
const MADE: readonly [kind: string, path: string, samples: number][] = [
  ["script", "/_scripts", 5],
  ["pipeline", "/_ingest/pipeline", 10],
  ["component", "/_component_template", 10],
  ["template", "/_index_template", 10],
  ["action-group", `${SECURITY}/actiongroups`, 1],
  ["tenant", `${SECURITY}/tenants`, 1],
  ["role", `${SECURITY}/roles`, 3],
  ["user", `${SECURITY}/internalusers`, 2],
  ["role-mapping", `${SECURITY}/rolesmapping`, 3],
];

/** The second of each has a name that is no file name, and the third one that differs in case alone. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  script: ["a", "ä?", "A", "x/y"],
  pipeline: ["a", "b c", "A", "x-search", "ä"],
  role: ["a", "b/c", "A"],
  "role-mapping": ["a", "b/c", "A"],
  user: ["a", "A.b"],
};

for (const cluster of SECURED) {
  clusterTest(
    cluster,
    "what is pulled makes the same cluster again, and is pulled again",
    async () => {
      await using own = await Own.on(cluster);
      const seed = Math.trunc(Math.random() * 2 ** 31);
      const told = `seed ${seed}`;
      await own.make(seed);
      const pulled = await own.pull();
      const tree = treeOf(pulled);
      for (const [path, text] of Object.entries(tree)) assertFits(path, text);
      const total = MADE.reduce((sum, [, , samples]) => sum + samples, 4);
      assertEquals(pulled.files.length, total, told);
      assertEquals(pulled.placeholders.map(({ name }) => name), own.passwords);

      // Recorded as they are, there is nothing to do and nothing to tell.
      const all = new Map(pulled.files.map((file) => [file.path, file]));
      const paths = Object.keys(tree).sort();
      assertEquals(
        (await recorded(own.connection("a"), tree, { pulled: all }, own.environment))
          .toSorted(),
        paths,
      );
      assertEquals(await drifted(own.connection("a"), tree, own.environment), [], told);
      assertEquals((await apply(own.connection("a"), tree, own.environment)).requests, 1);

      await own.remove();
      assertEquals((await own.pull()).files, []);
      const report = await apply(own.connection("b"), tree, own.environment);
      assertEquals(report.error?.message, undefined, told);
      assertEquals(report.results.every(({ outcome }) => outcome === "applied"), true);
      assertEquals(await drifted(own.connection("b"), tree, own.environment), [], told);
      const again = await own.pull();
      assertEquals(again.files.map(pathAndText), pulled.files.map(pathAndText), told);
    },
  );
}

for (const cluster of SECURED) {
  clusterTest(cluster, "what a cluster comes with is not pulled", async () => {
    await using own = await Own.on(cluster);
    const { files, leftOut } = await own.pull({ match: "*" });
    const builtIn = /\/(?:all_access|own_index|kibana\w*|readall|logstash|manage_snapshots|admin)-/;
    assertEquals(files.filter(({ path }) => builtIn.test(path)), []);
    assertEquals(leftOut, [{
      kinds: ["policies", "snapshots"],
      reason: "the cluster does not have them",
    }]);
  });
}

function pathAndText({ path, text }: { readonly path: string; readonly text: string }) {
  return { path, text };
}

/** Files with the passwords that a run would fill in. */
function treeOf({ files }: Pulled): Tree {
  return Object.fromEntries(
    files.map(({ path, text }) => {
      return [path, text.replaceAll(/\$\{USER_\w+_PASSWORD\}/g, "Long-Passw0rd-9173!")];
    }),
  );
}

/** Objects of the test on a cluster that others use; they are removed afterwards. */
class Own implements AsyncDisposable {
  readonly name: string = `t${crypto.randomUUID().slice(0, 8)}`;

  private constructor(readonly cluster: RealCluster, readonly environment: Environment) {}

  static async on(cluster: RealCluster): Promise<Own> {
    const caCert = await Deno.readTextFile(cluster.ca!);
    return new Own(cluster, { openClient: () => Promise.resolve(openClient({ caCert })) });
  }

  connection(suffix: string): SearchConnection {
    const authorization = `Basic ${btoa(`admin:${this.cluster.password}`)}`;
    const name = this.name + suffix;
    return { ...connectionTo(this.cluster.url), name, authorization, timeoutMs: 30_000 };
  }

  get passwords(): readonly string[] {
    const names = [`${this.name}-0-a`, `${this.name}-1-${NAMES.user?.[1]}`];
    return names.map((name) => placeholderName("USER", name, "PASSWORD"));
  }

  async make(seed: number): Promise<void> {
    for (const [kind, path, numRuns] of MADE) {
      const bodies = fc.sample(BODIES[kind]!(this.name), { numRuns, seed });
      for (const [index, body] of bodies.entries()) {
        const name = `${this.name}-${index}-${NAMES[kind]?.[index] ?? "a"}`;
        // Names that differ in case alone.
        const own = name.replace("-2-A", "-0-A");
        await this.#put(`${path}/${encodeURIComponent(own)}`, body);
      }
    }
    const { name } = this;
    await this.#put(`/_snapshot/${name}`, { type: "fs", settings: { location: name } });
    await this.#put(`/_search/pipeline/${name}-s`, { version: 1, response_processors: [] });
    await this.#put(`/_index_template/${name}-d`, {
      index_patterns: [`${name}d*`],
      data_stream: {},
    });
    await this.#put(`/_data_stream/${name}d`);
  }

  async #put(path: string, body?: unknown): Promise<void> {
    const { status, json } = await askUntilFree(this.cluster, "PUT", path, body);
    assert(status < 300, `${path} ${JSON.stringify(body)}: ${JSON.stringify(json)}`);
  }

  async pull({ match = `${this.name}*` }: { readonly match?: string } = {}): Promise<Pulled> {
    return await withSession(this.connection("a"), {}, async (session) => {
      const connection = this.connection("a");
      return await pullCluster({ cluster: CLUSTER.of(session)!, connection, migrations: [] }, {
        match,
      });
    }, this.environment);
  }

  /** An object that uses another one is removed before it. */
  async remove(): Promise<void> {
    const paths = [...MADE.map(([, path]) => path), "/_data_stream"].reverse();
    for (const path of [...paths, "/_search/pipeline", "/_snapshot"]) {
      await remove(this.cluster, path, this.name);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.remove();
    await ask(this.cluster, "POST", "/framework_migrations/_delete_by_query?refresh=true", {
      query: { terms: { connection: [`${this.name}a`, `${this.name}b`] } },
    });
  }
}
