import type { upgradeBy } from "../shared/hono_web_socket.ts";

/**
 * `hono/bun`, for what `Bun.serve` needs for its `upgradeWebSocket`. Its name is no literal at the `import`, for the
 * reason that `../node/server.ts` has.
 */
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
