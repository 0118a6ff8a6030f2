import { Model } from "irori";
import { optionalText, text } from "../texts.ts";
import * as z from "zod";

const username = text(50);
const email = text(254).regex(/^[^\s@]+@[^\s@]+$/, "is invalid");
const password = text(1024).min(8, "is too short (minimum is 8 characters)");

export class Login extends Model(z.object({ email: text(254), password: text(1024) })) {}

export class NewUser extends Model(z.object({ username, email, password })) {}

export class UserChange extends Model(
  z.object({
    username,
    email,
    password,
    bio: optionalText(10_000),
    image: optionalText(2_000),
  })
    .partial()
    .refine(
      (change) => Object.keys(change).length > 0,
      "has no field to change",
    ),
) {}

/** The signed-in user, with the token for the next requests. */
export class User extends Model(z.object({
  email: z.string(),
  token: z.string(),
  username: z.string(),
  bio: z.string().nullable(),
  image: z.string().nullable(),
})) {}
