import * as z from "zod";

/** A text that PostgreSQL can keep: it ends texts at a NUL. */
function text(least: number, most: number) {
  return z.string().min(least).max(most).regex(/^[^\0]*$/);
}

export const line = text(1, 200);
export const longText = text(0, 20_000);
