import { Model } from "irori";
import * as z from "zod";

/** A user, as clients see it. */
export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** The body of a request that creates a user. */
export class NewUser extends Model(
  z.object({
    name: z.string().trim().min(1).max(200).regex(/^\P{Cc}*$/u, "Expected no control characters"),
    email: z.email().max(254),
  }),
) {}
