/** In the npm package in place of `node/server.ts` and `bun/websocket.ts`, with names that bundlers follow where the package is required. */
import type { HonoBun } from "./bun/websocket.ts";
import type { WebSocketServerLike } from "./node/server.ts";
import { builtin } from "./shared/builtin.ts";

export function loadNodeServer(): Promise<() => typeof import("@hono/node-server")> {
  return onFirstUse("@hono/node-server", () => import("@hono/node-server"));
}

/** The name is no literal: bundlers would require the package although it is optional. */
export async function loadWebSocketServer(
  name = "ws",
): Promise<(() => WebSocketServerLike) | undefined> {
  const imported = (): Promise<WebSocketPackage> => import(/* webpackIgnore: true */ name);
  const load = await onFirstUse(name, imported).catch(() => undefined);
  let server: WebSocketServerLike;
  return load && (() => server ??= new (load().WebSocketServer)({ noServer: true }));
}

export async function loadBunWebSocket(): Promise<HonoBun> {
  return await import("hono/bun") as unknown as HonoBun;
}

/** A bundle loads a package at once: beside it the package may be missing, or have another version. */
async function onFirstUse<P>(name: string, load: () => Promise<P>): Promise<() => P> {
  const { process } = globalThis as unknown as Globals;
  if (import.meta.url?.includes("/node_modules/") && process.features.require_module) {
    const { fileURLToPath } = builtin<typeof import("node:url")>("node:url");
    const { createRequire } = builtin<typeof import("node:module")>("node:module");
    const path = fileURLToPath(import.meta.resolve(name));
    return () => createRequire(import.meta.url)(path);
  }
  const loaded = await load();
  return () => loaded;
}

interface Globals {
  readonly process: { readonly features: { readonly require_module?: boolean } };
}

interface WebSocketPackage {
  readonly WebSocketServer: new (options: { readonly noServer: true }) => WebSocketServerLike;
}
