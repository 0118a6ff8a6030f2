import { loadRuntime, type Runtime } from "../runtime/mod.ts";
import { type Planner, planner } from "../web/mod.ts";

export interface Host {
  /** The process, its files and sockets. @throws {Error} where there are none */
  loadRuntime(): Promise<Runtime>;
  files(): Promise<typeof import("./files.ts")>;
  readonly planner: Planner;
  server(): Promise<typeof import("./server/server.ts")>;
}

/** The runtime that is found. Bundles without it hold nothing of what it loads. */
export const DETECTED: Host = {
  loadRuntime,
  planner,
  files: () => import("./files.ts"),
  server: () => import("./server/server.ts"),
};
