import { fitsBody, type Lane, type LaneCall, type LaneRoute, type Transport } from "./lane.ts";

type Reply = Response | Promise<Response>;

export function fetchLane(lane: Lane): (request: Request, env: unknown) => Reply | undefined {
  const transport = fetchTransport();
  let known: string | null = null;
  let prefix = "";
  return (request, env) => {
    if (!lane.isOpen()) return undefined;
    const { headers, method, url } = request;
    const host = headers.get("host");
    if (host === null) return undefined;
    if (host !== known) {
      if (!lane.acceptsHost(host)) return undefined;
      known = host;
      prefix = `http://${host}/`;
    }
    if (!url.startsWith(prefix)) return undefined;
    const start = prefix.length - 1;
    const end = url.indexOf("?", start);
    const path = end < 0 ? url.slice(start) : url.slice(start, end);
    const call = lane.match(transport, request, env, method, path);
    if (call === undefined) return undefined;
    return fits(call, method, headers) ? call.answer() as Reply : undefined;
  };
}

const NO_VARIABLES = {};

export type Routed = Request & { readonly params: Readonly<Record<string, string>> };

export function routeHandler<Env>(
  lane: Lane,
  route: LaneRoute,
  otherwise: (request: Request, env: Env) => Reply,
): (request: Routed, env: Env) => Reply {
  const transport = fetchTransport();
  const hasVariables = route.path.includes(":");
  return (request, env) => {
    const { headers } = request;
    const host = headers.get("host");
    if (host === null || !lane.acceptsHost(host)) return otherwise(request, env);
    const variables = hasVariables ? request.params : NO_VARIABLES;
    const call = lane.isOpen() ? route.match(transport, request, env, variables) : undefined;
    if (call === undefined) return otherwise(request, env);
    return fits(call, route.method, headers) ? call.answer() as Reply : otherwise(request, env);
  };
}

function fits(call: LaneCall, method: string, headers: Headers): boolean {
  if (method === "GET" && !call.readsBody) return true;
  return headers.get("transfer-encoding") === null &&
    fitsBody(call, { length: headers.get("content-length"), type: headers.get("content-type") });
}

function fetchTransport(): Transport<Request> {
  return {
    target: ({ url }) => url,
    header: ({ headers }, name) => headers.get(name),
    read: (request) => request.arrayBuffer(),
    json: (_, text, status, head) => head.make(text, status),
    send: (_, response) => response,
    open: (request) => request,
    env: (_, given) => given,
  };
}
