import { loadRuntime, type Runtime } from "../runtime/mod.ts";

/** What an application asks of the place where it runs. Each part is loaded when it is asked for. */
export interface Host {
  /** The process, its files and sockets. @throws {Error} where there are none */
  loadRuntime(): Promise<Runtime>;
  /** What reads files. */
  files(): Promise<typeof import("./files.ts")>;
  /** What ends with the process. */
  termination(): Promise<typeof import("./server/termination.ts")>;
  /** What listens. */
  server(): Promise<typeof import("./server/server.ts")>;
}

/** The runtime that is found. Bundles without it hold nothing of what it loads. */
export const DETECTED: Host = {
  loadRuntime,
  files: () => import("./files.ts"),
  termination: () => import("./server/termination.ts"),
  server: () => import("./server/server.ts"),
};
