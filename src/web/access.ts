import {
  addMetadata,
  type ClassContext,
  type MetadataKey,
  metadataKey,
  type MethodContext,
  ownMetadata,
  type Type,
} from "../container/mod.ts";
import { MappingError } from "./errors.ts";
import type { Access, AccessRule } from "./types.ts";

export interface AccessDeclaration {
  readonly decorator: string;
  readonly handler?: string;
  readonly access?: Access;
  readonly rule?: AccessRule;
}

interface Stored extends AccessDeclaration {
  /** Stored by the decorators, so that a bundle without them does not include it. */
  readonly accessOf: typeof declaredAccess;
}

export const ACCESS: MetadataKey<Stored> = metadataKey("access");

export function declareAccess(
  context: ClassContext | MethodContext,
  declaration: AccessDeclaration,
): void {
  addMetadata(context, ACCESS, { ...declaration, accessOf: declaredAccess });
}

interface DeclaredAccess {
  readonly access?: Access;
  /** All of them must agree, after binding. */
  readonly rules: readonly AccessRule[];
}

interface Bound {
  readonly input: { readonly isUser?: true };
}

/** Whether a route is open to all users, but still reads the credentials and rejects wrong ones. */
export function isOpenWithUser(
  { access, binders }: { readonly access?: Access; readonly binders: readonly Bound[] },
): boolean {
  return access?.allows === "permitAll" && binders.some(({ input }) => input.isUser);
}

/** A method before its class, a class before its base; rules add up until one is open to all. @throws {MappingError} */
function declaredAccess(type: Type<unknown>, handler: string): DeclaredAccess {
  const label = `${type.name}.${handler}`;
  const ofMethod = inherited(type, handler, label);
  const ofClass = inherited(type, undefined, label);
  const isRuled = ofMethod.rules.length > 0;
  const isOpened = ofMethod.access?.allows === "permitAll";
  const access = isOpened && isRuled ? ofClass.access : ofMethod.access ?? ofClass.access;
  // A method that is open to all users ignores the rules of its class.
  const rules = isOpened && !isRuled ? [] : [...ofClass.rules, ...ofMethod.rules];
  if (rules.length === 0) return { ...(access && { access }), rules };
  const asked: Access = access === undefined || access.allows === "permitAll"
    ? { allows: "authenticated" }
    : access;
  return { access: { ...asked, preAuthorize: true }, rules };
}

function inherited(
  type: Type<unknown>,
  handler: string | undefined,
  label: string,
): DeclaredAccess {
  const own = ownMetadata(type, ACCESS).filter((one) => one.handler === handler);
  const named = own.filter(({ access }) => access !== undefined);
  const [nearest] = named;
  const isOpen = nearest?.access?.allows === "permitAll";
  if (named.length > 1 || isOpen && own.length > 1) {
    const found = own.map(({ decorator }) => `@${decorator}`).toReversed().join(" and ");
    const place = handler === undefined ? `the class '${type.name}'` : `'${label}'`;
    throw new MappingError(`Cannot protect ${place}: ${found} contradict each other`, [label]);
  }
  const parent = Object.getPrototypeOf(type);
  const isLast = isOpen || typeof parent !== "function" || parent === Function.prototype;
  const base = isLast ? undefined : inherited(parent, handler, label);
  const access = nearest?.access ?? base?.access;
  const rules = own.flatMap(({ rule }) => rule ?? []).toReversed();
  return { ...(access && { access }), rules: [...base?.rules ?? [], ...rules] };
}
