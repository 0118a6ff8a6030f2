import app from "./plain.ts";

/** Node serves by a module of its own, the other runtimes by these globals. */
const { Deno, Bun } = globalThis as {
  readonly Deno?: { serve(options: object, fetch: typeof app.fetch): unknown };
  readonly Bun?: { serve(options: object): { readonly port: number } };
};
const hostname = "127.0.0.1";
const said = ({ port }: { readonly port: number }) => console.log(`http://${hostname}:${port}`);

if (Deno) Deno.serve({ hostname, port: 0, onListen: said }, app.fetch);
else if (Bun) said(Bun.serve({ hostname, port: 0, fetch: app.fetch }));
else (await import("@hono/node-server")).serve({ fetch: app.fetch, hostname, port: 0 }, said);
