import * as z from "zod";

/** A text with a visible character. A NUL is replaced: PostgreSQL cannot store it. */
export function text(longest: number) {
  return z.string({
    error: ({ input }) => input == null ? BLANK : "is invalid",
  })
    .regex(/\S/, BLANK)
    .max(longest, `is too long (maximum is ${longest} characters)`)
    .overwrite(withoutNul);
}

/** A text that a client may leave empty, which is stored as NULL. */
export function optionalText(longest: number) {
  return z.string("is invalid")
    .max(longest, `is too long (maximum is ${longest} characters)`)
    .overwrite(withoutNul)
    .nullable()
    .transform((value) => value || null);
}

const BLANK = "can't be blank";
const withoutNul = (value: string) => value.replaceAll("\0", "\ufffd");
