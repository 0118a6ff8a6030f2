/** Passes HTTP requests on to a server and remembers them. */
export interface CountingProxy extends AsyncDisposable {
  readonly url: string;
  /** `POST /_mget`, in order. */
  readonly requests: string[];
}

export function countingProxy(target: string): CountingProxy {
  const requests: string[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      const body = request.body ? await request.bytes() : undefined;
      return await fetch(target + pathname + search, {
        method: request.method,
        headers: request.headers,
        body,
      });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
