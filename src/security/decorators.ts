import { addMetadata, requireCall, standardOnly } from "../container/mod.ts";
import {
  ACCESS,
  type AccessDeclaration,
  type AccessRule,
  handlerName,
  MappingError,
} from "../web/mod.ts";
import type { Principal } from "./types.ts";

/**
 * Decorates a controller or one of its handlers.
 *
 * @internal
 */
export type AccessDecorator = (
  target: unknown,
  context: ClassDecoratorContext | ClassMethodDecoratorContext,
) => void;

/**
 * Lets pass whoever has proved who they are. What stands on a method goes before what stands on its class.
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

/**
 * Lets pass who has one of these roles.
 *
 * @throws {MappingError} without a role
 */
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

/** Lets everybody pass, whatever the class says. */
export function PermitAll(): AccessDecorator {
  return declare("PermitAll", { access: { allows: "permitAll" } }, arguments);
}

/**
 * Lets pass for whom a function says so: it runs after binding, before the handler, with the user and what the handler is
 * called with, and has to give `true`. Several on a class and its method have to agree.
 *
 * ```ts ignore
 * @PutMapping("/users/{id}", PathVariable("id", "int"), RequestBody(UserForm))
 * @PreAuthorize((user: User, id: number) => user.id === id)
 * change(id: number, form: UserForm) { … }
 * ```
 *
 * What it needs of beans the controller has, which is its `this`:
 *
 * ```ts ignore
 * @PreAuthorize(async function (this: IssueController, user: User, id: number) {
 *   return (await this.issues.get(id)).author === user.name;
 * })
 * ```
 *
 * @param rule may take less than the handler does; on a class the user alone
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
 * Decorates a method that is called with what a rule takes, of a controller that has what it asks of `this`; or a class
 * where the rule takes the user alone. Conditional, so that declarations of others write it out.
 *
 * @internal
 */
export type PreAuthorizeDecorator<A extends unknown[], C = unknown> = A extends []
  ? unknown extends C ? AccessDecorator
  : (
    target: unknown,
    context:
      | ClassDecoratorContext<new (...parameters: never) => C>
      | ClassMethodDecoratorContext<C>,
  ) => void
  : A extends [...infer X] ? <This extends C, M extends unknown[]>(
      method:
        & ((this: This, ...parameters: M) => unknown)
        & (M extends [...X, ...unknown[]] ? unknown : never),
      context: ClassMethodDecoratorContext<This>,
    ) => void
  : never;

function declare(
  decorator: string,
  said: Pick<AccessDeclaration, "access" | "rule">,
  given: ArrayLike<unknown> = [],
): AccessDecorator {
  requireCall(decorator, given);
  return (...args) => {
    standardOnly(decorator, args);
    const context = args[1];
    const handler = context.kind === "class" ? undefined : handlerName(decorator, context);
    addMetadata(context, ACCESS, { decorator, handler, ...said });
  };
}
