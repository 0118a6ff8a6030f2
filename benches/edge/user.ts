import * as z from "zod";

/** What a client sends, for both applications. */
export const NewUser = z.object({ name: z.string().min(1), email: z.email() });
/** What it gets. */
export const User = NewUser.extend({ id: z.int() });

/** The user of an id. */
export function userOf(id: number): z.infer<typeof User> {
  return { id, name: "Ada", email: "ada@example.com" };
}
