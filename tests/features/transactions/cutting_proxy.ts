/** The first message that contains `COMMIT` is lost with the connection, or its answer. */
export type Cut = "request" | "answer";

/** Stands between a driver and its server. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Set to cut the next commit. */
  cut?: Cut;
}

/** A proxy in front of the server that an environment variable names. */
export function cuttingProxy(url: string): CuttingProxy {
  const { hostname, port } = new URL(url);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const close = (connection: Deno.Conn) => {
    if (open.delete(connection)) connection.close();
  };
  const pipe = async (from: Deno.Conn, to: Deno.Conn, mayPass: (bytes: Uint8Array) => boolean) => {
    const buffer = new Uint8Array(65_536);
    try {
      for (let n = await from.read(buffer); n !== null; n = await from.read(buffer)) {
        if (!mayPass(buffer.subarray(0, n))) break;
        for (let sent = 0; sent < n;) sent += await to.write(buffer.subarray(sent, n));
      }
    } catch {
      // The other side has closed the connection.
    }
    close(from);
    close(to);
  };
  const proxy: CuttingProxy = {
    port: listener.addr.port,
    async [Symbol.asyncDispose]() {
      listener.close();
      open.forEach(close);
      await serving;
    },
  };
  const connect = async (client: Deno.Conn) => {
    const server = await Deno.connect({ hostname, port: Number(port) });
    open.add(client).add(server);
    let isLost = false;
    await Promise.all([
      pipe(client, server, (bytes) => {
        const { cut } = proxy;
        if (cut === undefined || !new TextDecoder().decode(bytes).includes("COMMIT")) return true;
        proxy.cut = undefined;
        isLost = cut === "answer";
        return isLost;
      }),
      pipe(server, client, () => !isLost),
    ]);
  };
  const serving = (async () => {
    const connections: Promise<void>[] = [];
    for await (const client of listener) connections.push(connect(client));
    await Promise.all(connections);
  })();
  return proxy;
}
