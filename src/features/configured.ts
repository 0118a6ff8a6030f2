import type { Extension } from "../app/mod.ts";

/** What reads keys below `server`: `bootstrap()` adds it where one is set. Bundles for isolates have none of it. */
export const READERS: Readonly<Record<string, () => Promise<Extension>>> = {
  cors: async () => (await import("./browser/mod.ts")).browser(),
  headers: async () => (await import("./browser/mod.ts")).browser(),
};
