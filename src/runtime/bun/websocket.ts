import type { upgradeBy } from "../shared/hono_web_socket.ts";

/** `hono/bun`, for `Bun.serve`. Its name is no literal at the `import`, as in `../node/server.ts`. */
export async function loadBunWebSocket(): Promise<HonoBun> {
  const name = "hono/bun";
  return await import(/* webpackIgnore: true */ name);
}

export interface HonoBun {
  readonly websocket: Readonly<
    Record<"open" | "message" | "close", (...event: readonly unknown[]) => unknown>
  >;
  readonly upgradeWebSocket: Parameters<typeof upgradeBy>[0];
}
