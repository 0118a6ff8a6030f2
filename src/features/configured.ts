import type { Extension } from "../app/mod.ts";

/** What reads keys of the configuration: `bootstrap()` adds it where one is set. Bundles for isolates have none of it. */
export const READERS: Readonly<Record<string, () => Promise<Extension>>> = {
  "server.cors": async () => (await import("./browser/mod.ts")).browser(),
  "server.headers": async () => (await import("./browser/mod.ts")).browser(),
};
