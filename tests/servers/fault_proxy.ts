import { Buffer } from "node:buffer";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** The ways in which a request fails; `late` is nothing but what `onHit` takes. */
export type FaultKind = "close" | 409 | 429 | 500 | 502 | 503 | 504 | "html" | "half json" | "late";

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

/** A request on its way to the server. */
export interface Passing {
  readonly method: string;
  /** Path and query, as they are written. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Passes HTTP requests on to a server, and lets them go wrong. */
export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  /** `POST /_mget`, in order. */
  readonly requests: readonly string[];
  /** From now on; `undefined` for none. */
  fault: Fault | undefined;
  /** Called before each request that comes behind one that was hit; `false` drops it. */
  mayPass: () => Promise<boolean>;
  /** Changes a request on its way to the server. */
  alter: (request: Passing) => Partial<Passing>;
}

export async function faultProxy(target: string): Promise<FaultProxy> {
  const requests: string[] = [];
  const proxy = {
    url: "",
    requests,
    fault: undefined as Fault | undefined,
    mayPass: () => Promise.resolve(true),
    alter: (_: Passing): Partial<Passing> => ({}),
  };
  let hits = 0;
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = "GET", url = "/" } = incoming;
    const body = await bytesOf(incoming);
    const line = `${method} ${url}`;
    requests.push(line);
    const { headers } = incoming;
    const onward = () => {
      const passing = { method, url, headers, body };
      return pass(target, { ...passing, ...proxy.alter(passing) });
    };
    const { fault } = proxy;
    if (!fault) hits = 0;
    else if (hits < (fault.times ?? 1) && fault.hits(line)) {
      hits++;
      const done = fault.isDone ? await onward() : undefined;
      await fault.onHit?.();
      if (fault.kind === "late") return send(done ?? await onward(), outgoing);
      return answer(fault.kind, outgoing);
    } else if (hits > 0 && !await proxy.mayPass()) return outgoing.destroy();
    send(await onward(), outgoing);
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

/** An answer of the server's, its body as the bytes that came. */
interface Passed {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** Sends it on as it came: with its headers, and with the body of a `GET` too. */
async function pass(target: string, { method, url, headers, body }: Passing): Promise<Passed> {
  const head = await new Promise<IncomingMessage>((resolve, reject) => {
    request(target + url, { method, headers }, resolve).on("error", reject).end(body);
  });
  return { head, body: await bytesOf(head) };
}

function send({ head, body }: Passed, outgoing: ServerResponse): void {
  const { "transfer-encoding": _, connection: __, ...headers } = head.headers;
  outgoing.writeHead(head.statusCode ?? 502, headers).end(body);
}

/** Answers as a proxy or a failing server does. */
function answer(kind: Exclude<FaultKind, "late">, outgoing: ServerResponse): void {
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

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts);
}
