/**
 * The one runner of both kinds of migrations: discover files, hash them, plan, lock, apply, record, report, recover.
 * Where runs are recorded stands behind {@linkcode Journal}, what the server is asked behind {@linkcode Executor}.
 *
 * @module
 */
export type * from "./types.ts";
export type * from "./results.ts";
export * from "./errors.ts";
export * from "./adopt.ts";
export type { AdoptedRow } from "./adopt_rows.ts";
export type * from "./foreign.ts";
export * from "./discover.ts";
export * from "./hash.ts";
export * from "./in_parallel.ts";
export * from "./inspect.ts";
export * from "./order.ts";
export { isAtWork, mayHaveRun } from "./attempts.ts";
export { classifyAll } from "./prepare.ts";
export * from "./problems.ts";
export * from "./prune.ts";
export * from "./run.ts";
export * from "./settings.ts";
export * from "./settle.ts";
export * from "./status.ts";
export * from "./time.ts";
export * from "./versions.ts";
export * from "./wait.ts";
