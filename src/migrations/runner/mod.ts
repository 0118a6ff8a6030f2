/**
 * The runner that search clusters and SQL databases share: discover files, hash them, plan, lock, apply,
 * record, report. What differs stands behind {@linkcode Target}.
 *
 * @module
 */
export type * from "./types.ts";
export * from "./errors.ts";
export * from "./discover.ts";
export * from "./hash.ts";
export * from "./order.ts";
export * from "./plan.ts";
export * from "./run.ts";
export * from "./status.ts";
