import { ACKNOWLEDGED, type Reply } from "./double/answers.ts";
import { Documents } from "./double/documents.ts";
import { Indices } from "./double/indices.ts";
import { Lifecycles } from "./double/lifecycles.ts";
import { Policies } from "./double/policies.ts";
import { Templates } from "./double/templates.ts";

/** A cluster in memory that answers as `recordings/` say, for what no real server here has: the ISM plugin. */
export interface ClusterDouble extends AsyncDisposable {
  readonly url: string;
  /** `PUT /_index_template/logs`, in order. */
  readonly requests: { readonly line: string; readonly body: string }[];
  /** Documents by index and id. */
  readonly documents: Documents;
  stop(): Promise<void>;
}

export interface DoubleOptions {
  /** Elasticsearch has lifecycle policies (ILM) and none of the ISM plugin. @default "opensearch" */
  readonly flavour?: "opensearch" | "elasticsearch";
  /** Whether the ISM plugin is installed, and under which path. @default "_plugins" on OpenSearch */
  readonly ism?: "_plugins" | "_opendistro" | false;
  /** Answers in place of the double where it gives something. */
  readonly intercept?: (
    line: string,
    body: string,
    request: Request,
  ) => Response | undefined | Promise<Response | undefined>;
  /** Called when a request has been done; with `true` the connection breaks in place of the answer. */
  readonly loseAnswer?: (line: string, body: string) => boolean | Promise<boolean>;
}

export function startClusterDouble(options: DoubleOptions = {}): ClusterDouble {
  const { flavour = "opensearch", intercept, loseAnswer } = options;
  const { ism = flavour === "opensearch" ? "_plugins" : false } = options;
  const requests: { line: string; body: string }[] = [];
  const documents = new Documents();
  const indices = new Indices(documents);
  const policies = new Policies();
  const lifecycles = new Lifecycles();
  const templates = new Templates();

  const answer = (method: string, { pathname, searchParams }: URL, body: string): Reply => {
    const [first = "", second, third, fourth] = pathname.slice(1).split("/").map(
      decodeURIComponent,
    );
    if (pathname === "/_mget") return documents.mget(body);
    if (pathname === "/_bulk") return documents.bulk(body);
    if (pathname === "/_aliases" && method === "POST") return ACKNOWLEDGED;
    if (second === "_ism" && third === "policies" && (first === ism || ism === "_plugins")) {
      return policies.handle(method, fourth, searchParams, body);
    }
    if (first === "_ilm" && third !== undefined && flavour === "elasticsearch") {
      return lifecycles.handle(method, third, body);
    }
    if (first === "_index_template" && second !== undefined) {
      return templates.handle(method, second, searchParams, body);
    }
    if (second === "_search") return documents.search(first.split(","), body);
    if (second === "_refresh") return { status: 200, body: { _shards: { failed: 0 } } };
    if (!first.startsWith("_") && (second === undefined || /^_(mapping|settings)$/.test(second))) {
      return indices.handle(method, first, second, body);
    }
    const reason = `no handler found for uri [${pathname}] and method [${method}]`;
    return { status: 400, body: { error: reason } };
  };

  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const url = new URL(request.url);
      const line = `${request.method} ${url.pathname}${url.search}`;
      const body = await request.text();
      requests.push({ line, body });
      const intercepted = await intercept?.(line, body, request);
      if (intercepted) return intercepted;
      const { status, body: json } = answer(request.method, url, body);
      if (await loseAnswer?.(line, body)) return brokenAnswer();
      return new Response(request.method === "HEAD" ? null : JSON.stringify(json), {
        status,
        headers: { "Content-Type": "application/json; charset=UTF-8" },
      });
    },
  );
  const stop = () => server.shutdown();
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    documents,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A head without the body that it promises: the connection breaks. */
export function brokenAnswer(): Response {
  const body = new ReadableStream({ start: (controller) => controller.close() });
  return new Response(body, { headers: { "Content-Length": "1000" } });
}
