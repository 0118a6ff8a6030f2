/** Texts: excerpts of files, names, media types, placeholders, values as text, texts without secrets. */
export * from "./excerpt.ts";
export { LONG, masker, withoutFinalLineBreak } from "./masker.ts";
export * from "./media_type.ts";
export * from "./nearest.ts";
export * from "./placeholders.ts";
export * from "./printable.ts";
export * from "./regular_expression.ts";
export * from "./secrets.ts";
export * from "./values.ts";
