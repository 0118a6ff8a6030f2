import { type ClassContext, decorator, type MethodContext } from "../../container/mod.ts";
import {
  type AccessDeclaration,
  type AccessRule,
  declareAccess,
  handlerName,
  MappingError,
} from "../../web/mod.ts";
import type { Principal } from "./types.ts";

/** @internal */
type AccessDecorator = (
  target: unknown,
  context: ClassContext | MethodContext,
) => void;

/**
 * Requires an authenticated user. An annotation of a method overrides that of its class.
 *
 * ```ts ignore
 * @RestController()
 * @Authenticated()
 * class IssueController { … }
 * ```
 */
export function Authenticated(): AccessDecorator {
  return declare("Authenticated", { access: { allows: "authenticated" } }, arguments);
}

/** Requires one of these roles. @throws {MappingError} without a role */
export function RolesAllowed(...roles: [string, ...string[]]): AccessDecorator {
  if (
    roles.length === 0 ||
    roles.some((role) => typeof role !== "string" || role === "")
  ) {
    throw new MappingError(
      "Cannot apply @RolesAllowed: expected names of roles",
    );
  }
  return declare("RolesAllowed", { access: { allows: "rolesAllowed", roles } });
}

/** Allows access without authentication. An annotation of a method overrides that of its class. */
export function PermitAll(): AccessDecorator {
  return declare("PermitAll", { access: { allows: "permitAll" } }, arguments);
}

/**
 * Allows access if a function returns `true`: it runs after binding, before the handler, with the user and the arguments of
 * the handler. All rules of a class and its method must allow access.
 *
 * ```ts ignore
 * @PutMapping("/users/{id}", PathVariable("id", "int"), RequestBody(UserForm))
 * @PreAuthorize((user: User, id: number) => user.id === id)
 * change(id: number, form: UserForm) { … }
 * ```
 *
 * Its `this` is the controller, through which it reaches beans:
 *
 * ```ts ignore
 * @PreAuthorize(async function (this: IssueController, user: User, id: number) {
 *   return (await this.issues.get(id)).author === user.name;
 * })
 * ```
 *
 * @param rule may take fewer parameters than the handler; on a class only the user
 */
export function PreAuthorize<
  U extends Principal = Principal,
  A extends unknown[] = [],
  C = unknown,
>(
  rule: (this: C, user: U, ...parameters: A) => boolean | Promise<boolean>,
): PreAuthorizeDecorator<A, C> {
  if (typeof rule !== "function") {
    throw new MappingError("Cannot apply @PreAuthorize: expected a function");
  }
  const decorate = declare("PreAuthorize", { rule: rule as AccessRule });
  return decorate as PreAuthorizeDecorator<A, C>;
}

/**
 * Decorates a method whose parameters and `this` fit the rule, or a class
 * if the rule takes only the user. Conditional, so that declaration files spell it out.
 *
 * @internal
 */
type PreAuthorizeDecorator<A extends unknown[], C = unknown> = A extends []
  ? unknown extends C ? AccessDecorator
  : (
    target: unknown,
    context:
      | ClassContext<new (...parameters: never) => C>
      | MethodContext<C>,
  ) => void
  : A extends [...infer X] ? <This extends C, M extends unknown[]>(
      method:
        & ((this: This, ...parameters: M) => unknown)
        & (M extends [...X, ...unknown[]] ? unknown : never),
      context: MethodContext<This>,
    ) => void
  : never;

function declare(
  name: string,
  declared: Pick<AccessDeclaration, "access" | "rule">,
  given: ArrayLike<unknown> = [],
): AccessDecorator {
  return decorator(name, given, (context) => {
    const handler = context.kind === "class" ? undefined : handlerName(name, context);
    declareAccess(context, { decorator: name, handler, ...declared });
  });
}
