import { ACKNOWLEDGED, failure, noSuchIndex, type Reply } from "./double/answers.ts";
import { Documents } from "./double/documents.ts";
import { Policies } from "./double/policies.ts";

/** A cluster in memory that answers as `recordings/` say, for what no real server here has: the ISM plugin. */
export interface ClusterDouble extends AsyncDisposable {
  readonly url: string;
  /** `PUT /_index_template/logs`, in order. */
  readonly requests: { readonly line: string; readonly body: string }[];
  /** Documents by index and id. */
  readonly documents: Documents;
}

export interface DoubleOptions {
  /** Whether the ISM plugin is installed, and under which path. @default "_plugins" */
  readonly ism?: "_plugins" | "_opendistro" | false;
  /** Answers in place of the double where it gives something. */
  readonly intercept?: (line: string, body: string) => Response | undefined;
}

export function startClusterDouble(options: DoubleOptions = {}): ClusterDouble {
  const { ism = "_plugins", intercept } = options;
  const requests: { line: string; body: string }[] = [];
  const documents = new Documents();
  const policies = new Policies();
  const templates = new Map<string, string>();

  const answer = (method: string, { pathname, searchParams }: URL, body: string): Reply => {
    const path = decodeURIComponent(pathname);
    const [first = "", second, third, fourth] = path.slice(1).split("/");
    if (path === "/_mget") return documents.mget(body);
    if (path === "/_bulk") return documents.bulk(body);
    if (second === "_ism" && third === "policies" && (first === ism || ism === "_plugins")) {
      return policies.handle(method, fourth, searchParams, body);
    }
    if (path === "/_aliases" && method === "POST") return ACKNOWLEDGED;
    if (first === "_index_template" && method === "PUT") {
      templates.set(second!, body);
      return ACKNOWLEDGED;
    }
    if (!first.startsWith("_") && second === undefined) return indexReply(documents, method, first);
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
      const intercepted = intercept?.(line, body);
      if (intercepted) return intercepted;
      const { status, body: json } = answer(request.method, url, body);
      return new Response(request.method === "HEAD" ? null : JSON.stringify(json), {
        status,
        headers: { "Content-Type": "application/json; charset=UTF-8" },
      });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    documents,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function indexReply(documents: Documents, method: string, index: string): Reply {
  const exists = documents.indices.has(index);
  if (method === "HEAD") return { status: exists ? 200 : 404, body: null };
  if (method !== "PUT") return exists ? { status: 200, body: { [index]: {} } } : noSuchIndex(index);
  if (exists) {
    return failure(400, {
      type: "resource_already_exists_exception",
      reason: `index [${index}/uuid] already exists`,
      index,
      index_uuid: "uuid",
    });
  }
  documents.create(index);
  return { status: 200, body: { acknowledged: true, shards_acknowledged: true, index } };
}
