/** Passes HTTP requests on to a server that knows something by another name. */
export interface RenamingProxy extends AsyncDisposable {
  readonly url: string;
}

/** In requests `from` becomes `to`, and in answers `to` becomes `from`. */
export function renamingProxy(target: string, from: string, to: string): RenamingProxy {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = (await request.text()).replaceAll(from, to);
    const answer = await fetch(target + (pathname + search).replaceAll(from, to), {
      method: request.method,
      headers: { "Content-Type": request.headers.get("Content-Type") ?? "application/json" },
      ...(body !== "" && { body }),
    });
    const { status, headers } = answer;
    const text = (await answer.text()).replaceAll(to, from);
    const type = headers.get("Content-Type") ?? "application/json";
    return new Response(text, { status, headers: { "Content-Type": type } });
  });
  return {
    url: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
