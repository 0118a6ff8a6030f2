type Fetch = (request: Request) => Response | Promise<Response>;

/** Node serves by a module of its own, the other runtimes by these globals. */
const { Deno, Bun } = globalThis as {
  readonly Deno?: { serve(options: object, fetch: Fetch): unknown };
  readonly Bun?: { serve(options: object): { readonly port: number } };
};
const hostname = "127.0.0.1";

/** Serves on a free port by the server of the runtime, and prints where. */
export async function serve(fetch: Fetch, print = console.log): Promise<void> {
  const said = ({ port }: { readonly port: number }) => print(`http://${hostname}:${port}`);
  if (Deno) Deno.serve({ hostname, port: 0, onListen: said }, fetch);
  else if (Bun) said(Bun.serve({ hostname, port: 0, fetch }));
  else (await import("@hono/node-server")).serve({ fetch, hostname, port: 0 }, said);
}
