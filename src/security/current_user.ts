import { type Binder, binderOf, MappingError, userBind } from "../web/mod.ts";
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
