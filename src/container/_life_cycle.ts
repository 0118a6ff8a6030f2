import { POST_CONSTRUCT, PRE_DESTROY } from "./_keys.ts";
import { allMetadata, type MetadataKey } from "./metadata.ts";
import type { Type } from "./types.ts";

/** The class of an object, where it has one. */
export function typeOf(instance: unknown): Type<unknown> | undefined {
  if (typeof instance !== "object" || instance === null) return undefined;
  return typeof instance.constructor === "function"
    ? instance.constructor as Type<unknown>
    : undefined;
}

/** Calls the `@PostConstruct` methods, the oldest class's first, one after another; a promise only when one is async. */
export function initialise(instance: unknown): Promise<void> | undefined {
  return callAll(methods(instance, POST_CONSTRUCT));
}

/** What has to be called when a bean is closed: `@PreDestroy` methods, the youngest class's first, else its disposer. */
export function endings(instance: unknown): readonly (() => unknown)[] {
  const declared = methods(instance, PRE_DESTROY);
  if (declared.length > 0) return declared.reverse();
  if (typeof instance !== "object" || instance === null) return [];
  const disposable = instance as Partial<AsyncDisposable & Disposable>;
  const dispose = disposable[Symbol.asyncDispose] ?? disposable[Symbol.dispose];
  return dispose ? [() => dispose.call(instance)] : [];
}

function methods(instance: unknown, key: MetadataKey<string>): (() => unknown)[] {
  const type = typeOf(instance);
  if (type === undefined) return [];
  const object = instance as Record<string, () => unknown>;
  return [...new Set(allMetadata(type, key))].map((name) => () => object[name]!());
}

function callAll(calls: readonly (() => unknown)[]): Promise<void> | undefined {
  for (const [index, call] of calls.entries()) {
    const result = call();
    if (result instanceof Promise) return result.then(() => callAll(calls.slice(index + 1)));
  }
}
