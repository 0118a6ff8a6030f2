/**
 * What several rooms say in one way: lines of a file with a caret, names, texts without secrets.
 *
 * @module
 */
export * from "./excerpt.ts";
export * from "./printable.ts";
export * from "./secrets.ts";
