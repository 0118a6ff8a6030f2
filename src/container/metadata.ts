/**
 * All that the library needs of the proposal for decorators: the contexts that they are called with, and metadata. The
 * protocol is "2023-11", which TypeScript 5.2 and later, esbuild, Bun, SWC and Babel emit.
 */
import type { Type } from "./types.ts";

// tsc and Bun compile decorators against a symbol that their runtimes do not define.
// deno-lint-ignore no-explicit-any -- the property is read-only where it exists
(Symbol as any).metadata ??= Symbol.for("Symbol.metadata");

/**
 * The argument of a decorator of a class, beside the class.
 *
 * @internal
 */
export type ClassContext<C extends AnyClass = AnyClass> = ClassDecoratorContext<C>;

/**
 * The argument of a decorator of a method, beside the method.
 *
 * @internal
 */
export type MethodContext<
  This = unknown,
  // deno-lint-ignore no-explicit-any -- as the context of the proposal has it
  Value extends (this: This, ...parameters: any) => any = (this: This, ...parameters: any) => any,
> = ClassMethodDecoratorContext<This, Value>;

/**
 * The argument of a decorator of a field, beside `undefined`.
 *
 * @internal
 */
export type FieldContext<This = unknown, Value = unknown> = ClassFieldDecoratorContext<This, Value>;

/**
 * Any class, an abstract one too.
 *
 * @internal
 */
// deno-lint-ignore no-explicit-any -- as the context of the proposal has it
export type AnyClass = abstract new (...parameters: any) => any;

/** The place of values of one type. All copies of this library share it: the command line in one file has its own. */
export type MetadataKey<T> = symbol & { readonly type?: T };

/* @__NO_SIDE_EFFECTS__ */
export function metadataKey<T>(name: string): MetadataKey<T> {
  return Symbol.for(`irori: ${name}`) as MetadataKey<T>;
}

type Metadata = Record<PropertyKey, unknown>;

export function addMetadata<T>(
  context: Pick<DecoratorContext, "metadata">,
  key: MetadataKey<T>,
  value: T,
): void {
  const metadata = context.metadata as Metadata;
  metadata[key] = [...listOf<T>(metadata, key), value];
}

export function addedMetadata<T>(
  context: Pick<DecoratorContext, "metadata">,
  key: MetadataKey<T>,
): readonly T[] {
  return listOf(context.metadata as Metadata, key);
}

export function ownMetadata<T>(type: Type<unknown>, key: MetadataKey<T>): readonly T[] {
  const metadata = Object.getOwnPropertyDescriptor(type, Symbol.metadata)?.value;
  return metadata ? listOf(metadata as Metadata, key) : [];
}

/** Walks the classes, as not every compiler lets the metadata of a subclass inherit from that of its parent. */
export function allMetadata<T>(type: Type<unknown>, key: MetadataKey<T>): readonly T[] {
  return lineage(type).flatMap((one) => ownMetadata(one, key));
}

/** A class after those that it extends. */
export function lineage(type: Type<unknown>): readonly Type<unknown>[] {
  const parent = Object.getPrototypeOf(type);
  const isClass = typeof parent === "function" && parent !== Function.prototype;
  return isClass ? [...lineage(parent), type] : [type];
}

/** Refuses a call as TypeScript's old decorators make it. @throws {TypeError} that says what to change */
export function standardOnly(decorator: string, args: readonly unknown[]): void {
  if (contextIn(args)) return;
  throw new TypeError(
    `@${decorator} is a standard decorator: remove 'experimentalDecorators' from the compiler options ` +
      '(SWC: set jsc.transform.decoratorVersion to "2022-03"), or use decorate()',
  );
}

/** Without parentheses, a decorator would replace what it stands on. @throws {TypeError} */
export function requireCall(decorator: string, args: ArrayLike<unknown>, example = ""): void {
  const context = contextIn(args);
  if (context !== undefined) {
    throw misapplied(decorator, context, `expected @${decorator}(${example})`);
  }
}

/** Makes a decorator, of which `given` are the arguments. @throws {TypeError} where it is not applied as a standard one */
export function decorator<T, C extends Pick<DecoratorContext, "kind">, R>(
  name: string,
  given: ArrayLike<unknown>,
  apply: (context: C, target: T) => R,
  example?: string,
): (target: T, context: C) => R {
  requireCall(name, given, example);
  return (...args) => {
    standardOnly(name, args);
    return apply(args[1], args[0]);
  };
}

export function misapplied(
  decorator: string,
  { name }: Pick<DecoratorContext, "name">,
  reason: string,
): TypeError {
  return new TypeError(`Cannot apply @${decorator} to '${String(name)}': ${reason}`);
}

function contextIn(args: ArrayLike<unknown>): DecoratorContext | undefined {
  const context = args[1] as DecoratorContext | null | undefined;
  // Some schemas have a kind, too.
  return args.length === 2 && KINDS.test(String(context?.kind)) ? context! : undefined;
}

const KINDS = /^(?:class|method|[gs]etter|field|accessor)$/;

function listOf<T>(metadata: Metadata, key: MetadataKey<T>): readonly T[] {
  return Object.hasOwn(metadata, key) ? metadata[key] as readonly T[] : [];
}
