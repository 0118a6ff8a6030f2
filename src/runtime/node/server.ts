/**
 * Loads `@hono/node-server`. Its name is no literal at the `import`: bundlers for edge isolates would follow it and put
 * the `node:` imports of that package at the head of their output. The npm package, which keeps such bundlers away from
 * all adapters, has `../installed.ts` in place of this file.
 */
export async function loadNodeServer(): Promise<() => typeof import("@hono/node-server")> {
  const name = "@hono/node-server";
  const loaded = await import(/* webpackIgnore: true */ name);
  return () => loaded;
}

export type NodeServer = Awaited<ReturnType<typeof loadNodeServer>>;

/** A server of WebSockets by npm `ws`, for `upgradeWebSocket` of `@hono/node-server`; nothing where it is not installed. */
export async function loadWebSocketServer(): Promise<(() => WebSocketServerLike) | undefined> {
  const name = "ws";
  const { WebSocketServer } = await import(/* webpackIgnore: true */ name).catch(() => ({}));
  const server = WebSocketServer && new WebSocketServer({ noServer: true });
  return server && (() => server);
}

export type WebSocketServerLike = NonNullable<
  Parameters<(typeof import("@hono/node-server"))["createAdaptorServer"]>[0]["websocket"]
>["server"];
