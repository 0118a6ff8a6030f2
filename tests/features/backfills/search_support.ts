import { type Workspace, workspace } from "../../e2e/command_line.ts";
import { ask, type RealCluster } from "../../servers/real.ts";
import { sleep } from "./support.ts";

// deno-lint-ignore no-explicit-any -- answers of a cluster
type Body = Record<string, any>;

export const NO_TOTAL = { bool: { must_not: { exists: { field: "total" } } } };
export const SET_TOTAL = {
  source: "ctx._source.total = ctx._source.quantity * 2; " +
    "ctx._source.times = (ctx._source.containsKey('times') ? ctx._source.times : 0) + 1",
};

/** A connection and an index of its own on a cluster, and a folder whose only connection it is. */
export class ClusterScene implements AsyncDisposable {
  private constructor(
    readonly cluster: RealCluster,
    readonly name: string,
    readonly space: Workspace,
  ) {}

  static readonly password = "Long-Passw0rd-9173!";

  /** The other user. Its name is not that of the index, on which a role of OpenSearch's own would give it each right. */
  get user(): string {
    return `${this.name}-user`;
  }

  /** @param isOther whether another user than the administrator connects */
  static async of(cluster: RealCluster, isOther = false): Promise<ClusterScene> {
    const name = `bf${crypto.randomUUID().slice(0, 8)}`;
    const login = isOther
      ? `username: ${name}-user, password: "${ClusterScene.password}", ca_cert: "${cluster.ca}", `
      : "";
    const connection =
      `search: [{ name: ${name}, hosts: ["${cluster.url}"], ${login}migrations: { enabled: true } }]`;
    const space = await workspace({ "config/application.yml": `${connection}\n` });
    await Deno.mkdir(`${space.path}/migrations/${name}`, { recursive: true });
    const scene = new ClusterScene(cluster, name, space);
    const settings = { number_of_shards: 3, number_of_replicas: 0, refresh_interval: "1s" };
    await scene.send("PUT", `/${name}`, { settings });
    return scene;
  }

  /** A backfill of the index. */
  async backfill(path: string, body: Body, action = "_update_by_query", more: Body = {}) {
    const request = { backfill: true, method: "POST", path: `/${this.name}/${action}`, body };
    await this.file(path, { ...request, ...more });
  }

  async file(path: string, content: Body): Promise<void> {
    await this.space.write(`migrations/${this.name}/${path}`, JSON.stringify(content));
  }

  async send(method: string, path: string, body?: unknown): Promise<Body> {
    const { status, json } = await ask(this.cluster, method, path, body);
    if (status <= 299) return json as Body;
    throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
  }

  /** Adds documents with a quantity, whose numbers go up from `first`. */
  async fill(count: number, first = 0): Promise<void> {
    for (let start = 0; start < count; start += 5000) {
      const lines = Array.from({ length: Math.min(5000, count - start) }, (_, at) => {
        const number = first + start + at;
        return `{"index":{"_id":"${number}"}}\n{"quantity":${number}}\n`;
      });
      await this.bulk(lines);
    }
    await this.send("POST", `/${this.name}/_refresh`);
  }

  async bulk(lines: readonly string[]): Promise<void> {
    const response = await fetch(`${this.cluster.url}/${this.name}/_bulk`, {
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson" },
      body: lines.join(""),
    });
    const { errors } = await response.json();
    if (errors) throw new Error("Some documents were not written");
  }

  async count(query: Body): Promise<number> {
    await this.send("POST", `/${this.name}/_refresh`);
    return (await this.send("POST", `/${this.name}/_count`, { query })).count;
  }

  /** Tasks of the index that are at work. */
  async tasks(): Promise<readonly string[]> {
    const { nodes } = await this.send("GET", "/_tasks?actions=*byquery&detailed");
    return Object.values<Body>(nodes).flatMap(({ tasks }) => Object.entries<Body>(tasks))
      .filter(([, task]) => !task.parent_task_id && task.description.includes(`[${this.name}]`))
      .map(([id]) => id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.send("DELETE", `/${this.name}`);
    await this.space[Symbol.asyncDispose]();
  }
}

/** Kills a run at a random moment: as it starts, asks for its task, or follows it. @returns whether it was still going on */
async function kill(scene: ClusterScene): Promise<boolean> {
  const child = scene.space.start("-m", "search", "backfill", "run");
  let isOver = false;
  const ended = child.status.then(() => isOver = true);
  while ((await scene.tasks()).length === 0 && !isOver) await sleep(5);
  await sleep(Math.random() * 1500);
  const wasOver = isOver;
  if (!isOver) child.kill("SIGKILL");
  await ended;
  return !wasOver;
}

/**
 * Changes documents by runs that are killed, beside a writer that adds documents with and without a total, and changes
 * others. The last run goes on to the end.
 */
export async function changeThoughKilled(scene: ClusterScene, documents: number, kills: number) {
  const body = { query: NO_TOTAL, script: SET_TOTAL };
  // Two seconds for each kill.
  const rate = Math.ceil(documents / kills / 2);
  const slow = `_update_by_query?requests_per_second=${rate}&scroll_size=${
    Math.min(1000, Math.ceil(rate / 10))
  }`;
  await scene.backfill("01-backfill.json", body, slow);
  await scene.fill(documents);
  let [written, isOver, killed, most] = [0, false, 0, 0];
  const writing = (async () => {
    for (; !isOver; written++) {
      const number = documents + written;
      const random = Math.floor(Math.random() * documents);
      await scene.bulk([
        `{"index":{"_id":"${number}"}}\n{"quantity":${number}}\n`,
        `{"index":{"_id":"own-${number}"}}\n{"quantity":1,"total":5}\n`,
        `{"update":{"_id":"${random}","retry_on_conflict":9}}\n{"doc":{"written":${number}}}\n`,
      ]);
      await sleep(5);
    }
  })();
  try {
    for (; killed < kills && await kill(scene); killed++) {
      most = Math.max(most, (await scene.tasks()).length);
    }
  } finally {
    isOver = true;
    await writing;
  }
  await scene.backfill("01-backfill.json", body);
  const { code, stdout, stderr } = await scene.space.run("-m", "search", "backfill", "run");
  if (code !== 0) throw new Error(stdout + stderr);
  return {
    killed,
    /** Tasks at once. */
    most,
    total: documents + written,
    once: await scene.count({ term: { times: 1 } }),
    changed: await scene.count({ exists: { field: "times" } }),
    kept: await scene.count({ term: { total: 5 } }),
  };
}
