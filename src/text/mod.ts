/** Texts: excerpts of files, names, media types, placeholders, values as text, texts without secrets. */
export * from "./duration.ts";
export * from "./thrown.ts";
export * from "./excerpt.ts";
export * from "./printable.ts";
export * from "./json_pointer.ts";
export { LONG, masker } from "./masker.ts";
export * from "./media_type.ts";
export * from "./placeholders.ts";
export * from "./printable.ts";
export * from "./printable.ts";
export * from "./regular_expression.ts";
export * from "./secrets.ts";
export * from "./nearest.ts";
export * from "./thrown.ts";
export * from "./media_type.ts";
