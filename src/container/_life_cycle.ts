import { followedBy } from "../text/mod.ts";
import { INITIALIZERS, ON_READY, POST_CONSTRUCT, PRE_DESTROY } from "./_keys.ts";
import { allMetadata, type MetadataKey } from "./metadata.ts";
import type { Type } from "./types.ts";

export function typeOf(instance: unknown): Type<unknown> | undefined {
  if (typeof instance !== "object" || instance === null) return undefined;
  return typeof instance.constructor === "function"
    ? instance.constructor as Type<unknown>
    : undefined;
}

export function construct(type: new () => unknown): unknown {
  const instance = new type();
  for (const initializer of allMetadata(type, INITIALIZERS)) initializer.call(instance);
  return instance;
}

export function initialise(instance: unknown): Promise<void> | undefined {
  return callAll(methods(instance, POST_CONSTRUCT).map(([, call]) => call));
}

export function readyMethods(instance: unknown): readonly (readonly [string, () => unknown])[] {
  return methods(instance, ON_READY)
    .map(([name, call]) => [`${typeOf(instance)?.name}.${name}`, call]);
}

export interface Destruction {
  /** The method's name, `false` for none; when left out, the first that there is of those that are known. */
  readonly destroy?: string | false;
}

/**
 * What has to be called when a bean is closed: `@PreDestroy` methods, the youngest class's first, and what `@Bean` names;
 * where there is neither, its disposer or, for what a `@Bean` method gave, `close` or `end`.
 */
export function endings(instance: unknown, made?: Destruction): readonly (() => unknown)[] {
  const declared = methods(instance, PRE_DESTROY).map(([, call]) => call).reverse();
  const { destroy } = made ?? {};
  if (typeof destroy === "string") return [...declared, () => methodOf(instance, destroy)?.()];
  if (declared.length > 0 || destroy === false) return declared;
  const names: readonly (string | symbol)[] = made ? [...DISPOSERS, ...CLOSERS] : DISPOSERS;
  const found = names.map((name) => methodOf(instance, name)).find((method) => {
    return method !== undefined && method.length === 0;
  });
  return found ? [() => found()] : [];
}

/** The method that would close a bean if it took no arguments, other than a callback of Node's. */
export function refusedCloser(instance: unknown, made: Destruction): string | undefined {
  if (made.destroy !== undefined || endings(instance, made).length > 0) return undefined;
  return CLOSERS.find((name) => methodOf(instance, name) !== undefined);
}

/** A method of a bean, bound to it. By `in`: proxies have every property that they are asked for. */
export function methodOf(
  instance: unknown,
  name: string | symbol,
): ((...parameters: unknown[]) => unknown) | undefined {
  const isObject = typeof instance === "object" && instance !== null;
  if (!isObject && typeof instance !== "function" || !(name in instance)) return undefined;
  const method = (instance as Record<string | symbol, unknown>)[name];
  return typeof method === "function" ? method.bind(instance) : undefined;
}

const DISPOSERS: readonly symbol[] = [Symbol.asyncDispose, Symbol.dispose].filter(Boolean);
const CLOSERS: readonly string[] = ["close", "end"];

function methods(
  instance: unknown,
  key: MetadataKey<string>,
): (readonly [string, () => unknown])[] {
  const object = instance as Record<string, () => unknown>;
  const names = new Set(allMetadata(typeOf(instance) ?? Object, key));
  return [...names].map((name) => [name, () => object[name]!()]);
}

function callAll([call, ...others]: readonly (() => unknown)[]): Promise<void> | undefined {
  return call && followedBy(call(), () => callAll(others));
}
