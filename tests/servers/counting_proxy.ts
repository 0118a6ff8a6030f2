import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Passes HTTP requests on to a server, bodies of `GET` too, and remembers them. */
export interface CountingProxy extends AsyncDisposable {
  readonly url: string;
  /** `POST /_mget`, in order. */
  readonly requests: string[];
}

export async function countingProxy(target: string): Promise<CountingProxy> {
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    requests.push(`${method} ${url}`);
    const onward = request(target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A client that has given up leaves connections behind, which 'close' alone waits for.
      server.closeAllConnections();
      return closed;
    },
  };
}
