/** The extensions that `bootstrap()` adds for keys of the configuration, apart so that bundles for isolates have none. */
import type { Extension } from "../app/mod.ts";

/** The extension that reads a key below `server`. */
export async function readerOf(key: string): Promise<Extension | undefined> {
  return await READERS.find(({ keys }) => keys.includes(key))?.load();
}

interface Reader {
  readonly keys: readonly string[];
  load(): Promise<Extension>;
}

const READERS: readonly Reader[] = [
  {
    keys: ["cors", "headers"],
    load: async () => (await import("./browser/mod.ts")).browser(),
  },
];
