/** A port of 127.0.0.1 that no server listens on; another process may take it before the caller does. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
