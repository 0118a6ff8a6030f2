/** Passes a PostgreSQL connection on and counts the round trips: messages after which a client waits for its server. */
export interface RoundTrips extends AsyncDisposable {
  readonly port: number;
  /** Simple queries and ends of extended ones so far; connecting and signing in are none. */
  readonly count: number;
}

export function countRoundTrips(server: { hostname: string; port: number }): RoundTrips {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let count = 0;
  const serving = (async () => {
    const ends: Promise<unknown>[] = [];
    for await (const client of listener) {
      const upstream = await Deno.connect(server);
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform: (() => {
          const next = messageTypes();
          return (chunk, controller) => {
            count += next(chunk).filter((type) => type === "Q" || type === "S").length;
            controller.enqueue(chunk);
          };
        })(),
      });
      ends.push(
        client.readable.pipeThrough(counter).pipeTo(upstream.writable).catch(() => {}),
        upstream.readable.pipeTo(client.writable).catch(() => {}),
      );
    }
    await Promise.all(ends);
  })();
  return {
    port: listener.addr.port,
    get count() {
      return count;
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
    },
  };
}

/**
 * Finds the messages in what a client sends without TLS (PostgreSQL documentation, "Message Flow"): the first has a
 * length alone, those after it a type before their length.
 */
function messageTypes(): (chunk: Uint8Array) => string[] {
  let rest: Uint8Array = new Uint8Array();
  let isFirst = true;
  return (chunk) => {
    const types: string[] = [];
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    const view = new DataView(bytes.buffer);
    let start = 0;
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (start + head + 4 > bytes.length) break;
      const end = start + head + view.getUint32(start + head);
      if (end > bytes.length) break;
      if (!isFirst) types.push(String.fromCharCode(bytes[start]!));
      isFirst = false;
      start = end;
    }
    rest = bytes.slice(start);
    return types;
  };
}
