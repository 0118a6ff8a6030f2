import type { Context } from "hono";
import { currentRequest } from "../context/mod.ts";
import { type Binder, binderOf, MappingError, userBind } from "../../web/mod.ts";
import { lastUserOf } from "./authenticator.ts";
import type { Principal } from "./types.ts";

/**
 * Binds the authenticated user. With `@PermitAll()` it needs `{ required: false }` and
 * binds `undefined` without credentials; invalid ones are still answered with 401.
 *
 * ```ts ignore
 * @GetMapping("/me", CurrentUser<User>())
 * me(user: User) { … }
 * ```
 */
export function CurrentUser<U extends Principal = Principal>(): Binder<U>;
/** Binds the authenticated user, or `undefined`. */
export function CurrentUser<U extends Principal = Principal>(
  options: { readonly required: false },
): Binder<U | undefined>;
export function CurrentUser<U extends Principal>(
  options: { readonly required?: boolean } = {},
): Binder<U | undefined> {
  const required = options.required !== false;
  return binderOf({
    input: { in: "custom", required, list: false, isUser: true },
    compile({ guard, access, label }) {
      const refusal = (reason: string) =>
        new MappingError(`Cannot bind the current user of '${label}': ${reason}`, [label]);
      if (guard === undefined) {
        throw refusal("expected security() of '@irori/irori/security' among the extensions");
      }
      if (required && access?.allows === "permitAll") {
        throw refusal(
          "@PermitAll() allows anonymous requests, expected CurrentUser({ required: false })",
        );
      }
      return userBind(guard);
    },
  });
}

/**
 * The authenticated user outside of handlers: in services, and in all else that a handler calls, awaits or starts. The type
 * is that of the principals that the schemes return; it is not checked.
 *
 * @param context in middleware, which needs no `requestContext()` then
 * @returns `undefined` before authentication, and for anonymous requests
 * @throws {Error} without a context outside of requests, and where no application has `requestContext()`
 */
export function currentUser<U extends Principal = Principal>(
  context: Context = currentRequest().context,
): U | undefined {
  return lastUserOf(context) as U | undefined;
}
