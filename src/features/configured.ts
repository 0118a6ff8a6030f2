import type { Extension } from "../app/mod.ts";

/** Extensions that read keys of the configuration: `bootstrap()` adds one where its key is set. Isolates have none. */
export const READERS: Readonly<Record<string, () => Promise<Extension>>> = {
  "server.cors": async () => (await import("./browser/mod.ts")).browser(),
  "server.headers": async () => (await import("./browser/mod.ts")).browser(),
};
