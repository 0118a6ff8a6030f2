import { Model } from "irori";
import * as z from "zod";

const name = z.string().min(1).max(100);

export class NewCourier extends Model(z.object({ name, password: z.string().min(15).max(1024) })) {}

export class Login extends Model(z.object({ name, password: z.string().min(1).max(1024) })) {}

export class RefreshToken extends Model(z.object({ refreshToken: z.string().max(100) })) {}

export class Tokens
  extends Model(z.object({ accessToken: z.string(), refreshToken: z.string() })) {}

/** As stored. */
export interface User {
  readonly name: string;
  readonly role: "courier" | "dispatcher";
  readonly hash: string;
}
