import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What goes wrong with a request, besides that the connection may close. */
export type FaultKind = "close" | 409 | 429 | 500 | 502 | 503 | 504 | "html" | "half json";

/** A fault of a {@linkcode FaultProxy}. */
export interface Fault {
  readonly kind: FaultKind;
  /** Whether the server gets the request, and does it, before that. */
  readonly isDone: boolean;
  /** Whether it hits a request, `PUT /x`. */
  readonly hits: (line: string) => boolean;
  /** How many requests it hits. @default 1 */
  readonly times?: number;
  /** Called when a request was hit, before it is answered. */
  readonly onHit?: () => Promise<void>;
}

/** Passes HTTP requests on to a server, and lets them go wrong. */
export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  /** From now on; `undefined` for none. */
  fault: Fault | undefined;
  /** Called before each request that comes behind one that was hit; `false` drops it. */
  mayPass: () => Promise<boolean>;
}

export async function faultProxy(target: string): Promise<FaultProxy> {
  const proxy = {
    url: "",
    fault: undefined as Fault | undefined,
    mayPass: () => Promise.resolve(true),
  };
  let hits = 0;
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = "GET", url = "/" } = incoming;
    const body = await textOf(incoming);
    const line = `${method} ${url}`;
    const { fault } = proxy;
    if (!fault) hits = 0;
    else if (hits < (fault.times ?? 1) && fault.hits(line)) {
      hits++;
      if (fault.isDone) await pass(target + url, method, incoming, body);
      await fault.onHit?.();
      return answer(fault.kind, outgoing);
    } else if (hits > 0 && !await proxy.mayPass()) return outgoing.destroy();
    const response = await pass(target + url, method, incoming, body);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(response.text);
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(proxy, {
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

async function pass(url: string, method: string, { headers }: IncomingMessage, body: string) {
  const response = await fetch(url, {
    method,
    headers: { "Content-Type": headers["content-type"] ?? "application/json" },
    ...(body !== "" && { body }),
  });
  const text = await response.text();
  const type = response.headers.get("Content-Type");
  return {
    status: response.status,
    text,
    headers: Object.entries(type === null ? {} : { "Content-Type": type }),
  };
}

/** What a proxy or a failing server says in place of the answer. */
function answer(kind: FaultKind, outgoing: ServerResponse): void {
  if (kind === "close") outgoing.socket?.destroy();
  else if (kind === "html") {
    outgoing.writeHead(200, { "Content-Type": "text/html" }).end("<html>Log in</html>");
  } else if (kind === "half json") {
    outgoing.writeHead(200, { "Content-Type": "application/json" }).end('{"acknowledged":tr');
  } else {
    const error = { type: "fault_exception", reason: `the proxy says ${kind}` };
    outgoing.writeHead(kind, { "Content-Type": "application/json", "Retry-After": "0" })
      .end(JSON.stringify({ error, status: kind }));
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of incoming.setEncoding("utf8")) text += part;
  return text;
}
