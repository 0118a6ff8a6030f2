/**
 * What several rooms say in one way: lines of a file with a caret, names, media types, placeholders, texts without secrets.
 *
 * @module
 */
export * from "./excerpt.ts";
export * from "./media_type.ts";
export * from "./placeholders.ts";
export * from "./printable.ts";
export * from "./secrets.ts";
export * from "./nearest.ts";
