import { loadRuntime, type Runtime } from "../runtime/mod.ts";

export interface Host {
  /** The process, its files and sockets. @throws {Error} where there are none */
  loadRuntime(): Promise<Runtime>;
  files(): Promise<typeof import("./files.ts")>;
  termination(): Promise<typeof import("./server/termination.ts")>;
  server(): Promise<typeof import("./server/server.ts")>;
}

/** The runtime that is found. Bundles without it hold nothing of what it loads. */
export const DETECTED: Host = {
  loadRuntime,
  files: () => import("./files.ts"),
  termination: () => import("./server/termination.ts"),
  server: () => import("./server/server.ts"),
};
