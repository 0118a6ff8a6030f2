import { isObject, type Json } from "./double/answers.ts";
import { Cluster } from "./double/cluster.ts";
import { DIALECTS, type Version } from "./double/dialect.ts";
import type { Index } from "./double/indices.ts";

/** A cluster in memory that answers as `recordings/` say, for what no real server here has: the ISM plugin. */
export interface ClusterDouble extends AsyncDisposable {
  readonly url: string;
  /** `PUT /_index_template/logs`, in order. */
  readonly requests: { readonly line: string; readonly body: string }[];
  /** Documents by index and id. */
  readonly documents: { readonly indices: ReadonlyMap<string, Index> };
  /** Lets the tasks that {@linkcode DoubleOptions.holdTasks} holds do their work. */
  finishTasks(): void;
  /** Lets the job of every index that a policy manages run once: pending changes of policies happen. */
  runPolicyJobs(): void;
  stop(): Promise<void>;
}

export interface DoubleOptions {
  /** Elasticsearch has lifecycle policies (ILM) and none of the ISM plugin. @default "opensearch" */
  readonly flavour?: "opensearch" | "elasticsearch";
  /** The version of OpenSearch. @default "2.19.4" */
  readonly version?: Version;
  /** Whether the ISM plugin is installed, and under which path. @default "_plugins" on OpenSearch */
  readonly ism?: "_plugins" | "_opendistro" | false;
  /**
   * How many reads and writes of policies come while the first policy of another client creates the plugin's index: a PUT
   * gets 409, a GET 503. @default 0
   */
  readonly configIndexRace?: number;
  /** Whether the work behind `wait_for_completion=false` goes on until {@linkcode ClusterDouble.finishTasks}. @default false */
  readonly holdTasks?: boolean;
  /** Answers in place of the double where it gives something. */
  readonly intercept?: (
    line: string,
    body: string,
    request: Request,
  ) => Response | undefined | Promise<Response | undefined>;
  /** Which requests are done and answered by `"acknowledged": false`, as by a cluster that took too long. */
  readonly unacknowledged?: (line: string, body: string) => boolean;
  /** Called when a request has been done; with `true` the connection breaks in place of the answer. */
  readonly loseAnswer?: (line: string, body: string) => boolean | Promise<boolean>;
}

export function startClusterDouble(options: DoubleOptions = {}): ClusterDouble {
  const { flavour = "opensearch", version = "2.19.4", configIndexRace = 0, holdTasks = false } =
    options;
  const { ism = flavour === "opensearch" ? "_plugins" : false } = options;
  const { intercept, loseAnswer, unacknowledged } = options;
  const dialect = {
    ...DIALECTS[flavour === "elasticsearch" ? flavour : version],
    plugin: ism !== false,
  };
  const cluster = new Cluster({ dialect, ism, configIndexRace, holdTasks });
  const requests: { line: string; body: string }[] = [];

  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const url = new URL(request.url);
      const line = `${request.method} ${url.pathname}${url.search}`;
      const body = await request.text();
      requests.push({ line, body });
      const intercepted = await intercept?.(line, body, request);
      if (intercepted) return intercepted;
      const reply = cluster.router.answer(request.method, url, body, request.headers);
      if (await loseAnswer?.(line, body)) return brokenAnswer();
      const json = unacknowledged?.(line, body) ? withoutAcknowledgement(reply.body) : reply.body;
      return new Response(request.method === "HEAD" ? null : JSON.stringify(json), {
        status: reply.status,
        headers: {
          "Content-Type": "application/json; charset=UTF-8",
          ...(flavour === "elasticsearch" && { "X-elastic-product": "Elasticsearch" }),
        },
      });
    },
  );
  const stop = () => server.shutdown();
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    documents: { indices: cluster.indices.byName },
    finishTasks: () => cluster.tasks.finish(),
    runPolicyJobs: () => cluster.managed.runJobs(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function withoutAcknowledgement(body: unknown): unknown {
  if (!isObject(body) || body.acknowledged !== true) return body;
  const answer: Json = { ...body, acknowledged: false };
  return "shards_acknowledged" in body ? { ...answer, shards_acknowledged: false } : answer;
}

/** A head without the body that it promises: the connection breaks. */
export function brokenAnswer(): Response {
  const body = new ReadableStream({ start: (controller) => controller.close() });
  return new Response(body, { headers: { "Content-Length": "1000" } });
}
