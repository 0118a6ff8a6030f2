/**
 * What `Bun.serve` needs for `upgradeWebSocket` of `hono/bun`; nothing where that cannot be had, as in a bundle. Its name
 * is no literal at the `import`, for the reason that `_node_server.ts` has.
 */
export async function loadBunWebSocket(): Promise<object | undefined> {
  const name = "hono/bun";
  try {
    return (await import(name)).websocket;
  } catch {
    return undefined;
  }
}
