import * as z from "zod";

export const line = limitedText(1, 200);
export const longText = limitedText(0, 20_000);

/** PostgreSQL keeps no NUL: what Unicode has for what cannot be shown stands in its place. */
function limitedText(least: number, most: number) {
  return z.string().min(least).max(most).overwrite((text) => text.replaceAll("\0", "\ufffd"));
}
