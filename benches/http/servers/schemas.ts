import { z } from "zod";

/** The body of a new user. */
export const NewUser: z.ZodObject<{ name: z.ZodString; email: z.ZodEmail }> = z.object({
  name: z.string().min(1),
  email: z.email(),
});

export const Profile = z.object({ id: z.int(), name: z.string(), email: z.string() });

/** The body of an order. */
export const Order = z.object({
  customer: z.string().min(1),
  items: z.array(z.object({ product: z.string().min(1), quantity: z.int().min(1) })),
});
