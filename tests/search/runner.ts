import { run, type RunOptions, type RunReport } from "../../src/migrations/mod.ts";
import { loadRuntime } from "../../src/runtime/mod.ts";
import {
  type SearchConnection,
  type SearchEnvironment,
  searchTarget,
} from "../../src/search/mod.ts";
import { fileOf } from "./files.ts";

const runtime = await loadRuntime();

/** A connection to these hosts. */
export function connectionTo(...hosts: string[]): SearchConnection {
  return {
    name: "logs",
    hosts,
    timeoutMs: 5000,
    connectTimeoutMs: 1000,
    verifyTls: true,
    migrationsEnabled: true,
  };
}

/** What the runner told a test. */
export interface Told {
  readonly notices: string[];
}

/** Applies these files (`path: content`, in order) to a cluster. */
export async function apply(
  connection: SearchConnection | string,
  tree: Record<string, string>,
  options: Partial<SearchEnvironment> & RunOptions & { told?: Told } = {},
): Promise<RunReport> {
  const { told, onEvent, signal, ...environment } = options;
  const target = searchTarget(
    typeof connection === "string" ? connectionTo(connection) : connection,
    {
      openClient: () => Promise.resolve(runtime.httpClient()),
      owner: "test-1-a",
      lockTimeoutMs: 2000,
      onNotice: (message) => told?.notices.push(message),
      ...environment,
    },
  );
  const files = await Promise.all(Object.entries(tree).map(([path, text]) => fileOf(path, text)));
  return await run(target, files, { onEvent, signal });
}
