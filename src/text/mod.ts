/**
 * What several rooms say in one way: lines of a file with a caret, and texts without secrets.
 *
 * @module
 */
export * from "./excerpt.ts";
export * from "./secrets.ts";
