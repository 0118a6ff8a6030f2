import * as z from "zod";

/** The body that a client sends, for both applications. */
export const NewUser = z.object({ name: z.string().min(1), email: z.email() });
/** The user that a client gets. */
export const User = NewUser.extend({ id: z.int() });

/** The user of an id. */
export function userOf(id: number): z.infer<typeof User> {
  return { id, name: "Ada", email: "ada@example.com" };
}
