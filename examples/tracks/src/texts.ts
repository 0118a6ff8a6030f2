import * as z from "zod";

export const line = textOf(1, 200);
export const longText = textOf(0, 20_000);

/** PostgreSQL keeps no NUL: what Unicode has for what cannot be shown stands in its place. */
function textOf(least: number, most: number) {
  return z.string().min(least).max(most).overwrite((text) => text.replaceAll("\0", "\ufffd"));
}
