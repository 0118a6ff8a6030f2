import { z } from "zod";

/** The body of a new user. */
export const NewUser: z.ZodObject<{ name: z.ZodString; email: z.ZodEmail }> = z.object({
  name: z.string().min(1),
  email: z.email(),
});
