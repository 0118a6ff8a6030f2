import { CurrentUser, type Principal } from "irori/security";

/** The user who sends a request. The id never changes; name and address may. */
export interface Caller extends Principal {
  readonly id: string;
}

/** Binds the caller of a route that requires a token. */
export const caller = CurrentUser<Caller>();

/** Binds the caller of a route that everybody may request, if there is one. */
export const viewer = CurrentUser<Caller>({ required: false });
