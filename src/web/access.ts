import { MetadataKey, ownMetadata, type Type } from "../container/mod.ts";
import { MappingError } from "./errors.ts";
import type { Route } from "./types.ts";

/**
 * Who may call something.
 *
 * @internal
 */
export type Access = NonNullable<Route["access"]>;

/** Decides by who asks and by what the parameters of the handler are bound to; `this` is the controller. */
export type AccessRule = (this: unknown, user: unknown, ...parameters: unknown[]) => unknown;

/** What one decorator says of a class (`handler` absent) or of one of its methods. */
export interface AccessDeclaration {
  readonly decorator: string;
  readonly handler?: string;
  readonly access?: Access;
  readonly rule?: AccessRule;
}

export const ACCESS: MetadataKey<AccessDeclaration> = new MetadataKey("access");

/** Who may call a handler, as far as it is declared. */
export interface DeclaredAccess {
  readonly access?: Access;
  /** Decide after binding; all of them have to agree. */
  readonly rules: readonly AccessRule[];
}

/**
 * What is declared of a handler: what stands on its method goes before what stands on its class. A class that overrides
 * a method and says nothing about it keeps what the class that it extends says.
 *
 * @throws {MappingError} when two declarations of one target contradict each other
 */
export function declaredAccess(type: Type<unknown>, handler: string): DeclaredAccess {
  const label = `${type.name}.${handler}`;
  const ofMethod = nearest(type, handler, label);
  const ofClass = nearest(type, undefined, label);
  const own = accessOf(ofMethod), whole = accessOf(ofClass);
  const access = own ?? whole;
  // What is open to everybody by its method is none of the class's business.
  const rules = own?.allows === "permitAll" ? [] : [...rulesOf(ofClass), ...rulesOf(ofMethod)];
  if (rules.length === 0) return { ...(access && { access }), rules };
  const asked: Access = access === undefined || access.allows === "permitAll"
    ? { allows: "authenticated" }
    : access;
  return { access: { ...asked, preAuthorize: true }, rules };
}

/** What the class says of its own, or that which it extends, and so on. */
function nearest(
  type: Type<unknown>,
  handler: string | undefined,
  label: string,
): readonly AccessDeclaration[] {
  const own = ownMetadata(type, ACCESS).filter((one) => one.handler === handler);
  const parent = Object.getPrototypeOf(type);
  if (own.length === 0 && typeof parent === "function" && parent !== Function.prototype) {
    return nearest(parent, handler, label);
  }
  const named = own.filter(({ access }) => access !== undefined);
  const isOpen = named.some(({ access }) => access?.allows === "permitAll");
  if (named.length > 1 || isOpen && own.length > 1) {
    const found = own.map(({ decorator }) => `@${decorator}`).toReversed().join(" and ");
    const place = handler === undefined ? `the class '${type.name}'` : `'${label}'`;
    throw new MappingError(`Cannot protect ${place}: ${found} contradict each other`, [label]);
  }
  return own;
}

function accessOf(declarations: readonly AccessDeclaration[]): Access | undefined {
  return declarations.find(({ access }) => access !== undefined)?.access;
}

/** In reading order. */
function rulesOf(declarations: readonly AccessDeclaration[]): readonly AccessRule[] {
  return declarations.flatMap(({ rule }) => rule ?? []).toReversed();
}
