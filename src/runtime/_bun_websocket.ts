import type { upgradeBy } from "./_hono_web_socket.ts";

/**
 * `hono/bun`, for what `Bun.serve` needs for its `upgradeWebSocket`; nothing where it cannot be had. Its name is no literal at the `import`, for the reason that `_node_server.ts` has.
 */
export async function loadBunWebSocket(): Promise<HonoBun | undefined> {
  const name = "hono/bun";
  try {
    return await import(name);
  } catch {
    return undefined;
  }
}

interface HonoBun {
  readonly websocket: object;
  readonly upgradeWebSocket: Parameters<typeof upgradeBy>[0];
}
