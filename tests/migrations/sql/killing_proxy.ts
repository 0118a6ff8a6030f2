/** Where a run is killed: before its n-th message reaches the server, or after the server has answered that. */
export interface KillPoint {
  /** From 1. */
  readonly at: number;
  readonly when: "before" | "after";
}

/** Stands between a run and its server, and kills the run. */
export interface KillingProxy extends AsyncDisposable {
  readonly port: number;
  /** The process to kill. */
  watch(child: Deno.ChildProcess): void;
  /** Waits for its n-th message. */
  came(message: number): Promise<void>;
}

export function killingProxy(
  server: { readonly host: string; readonly port: number },
  { at, when }: KillPoint,
): KillingProxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  let messages = 0;
  const awaited: { readonly message: number; readonly resolve: () => void }[] = [];
  const count = () => {
    messages++;
    for (const { message, resolve } of awaited) if (message <= messages) resolve();
    return messages;
  };
  let child: Deno.ChildProcess | undefined;
  const kill = () => {
    child?.kill("SIGKILL");
    for (const connection of open) close(connection);
  };
  const close = (connection: Deno.Conn) => {
    if (open.delete(connection)) connection.close();
  };

  /** Passes on what one side sends, as long as `mayPass`, and closes both when it ends. */
  const pipe = async (from: Deno.Conn, to: Deno.Conn, mayPass: () => boolean) => {
    const buffer = new Uint8Array(65_536);
    try {
      for (let n = await from.read(buffer); n !== null; n = await from.read(buffer)) {
        if (!mayPass()) return kill();
        for (let sent = 0; sent < n;) sent += await to.write(buffer.subarray(sent, n));
      }
    } catch {
      // The other side has left.
    }
    close(from);
    close(to);
  };

  const serving = (async () => {
    const pipes: Promise<void>[] = [];
    for await (const client of listener) {
      const upstream = await Deno.connect({ hostname: server.host, port: server.port });
      open.add(client).add(upstream);
      pipes.push(
        pipe(client, upstream, () => count() !== at || when === "after"),
        pipe(upstream, client, () => messages < at || when === "before"),
      );
    }
    await Promise.all(pipes);
  })();

  return {
    port: listener.addr.port,
    watch: (process) => child = process,
    came: (message) => new Promise((resolve) => void awaited.push({ message, resolve })),
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of [...open]) close(connection);
      await serving.catch(() => {});
    },
  };
}
