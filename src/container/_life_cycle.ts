import { within } from "../runtime/mod.ts";
import { errorOf, followedBy, isThenable } from "../text/mod.ts";
import { type BeanMethod, INITIALIZERS, ON_READY, POST_CONSTRUCT, PRE_DESTROY } from "./_keys.ts";
import { allMetadata, type MetadataKey } from "./metadata.ts";
import type { Type } from "./types.ts";

export function typeOf(instance: unknown): Type<unknown> | undefined {
  if (typeof instance !== "object" || instance === null) return undefined;
  const type: unknown = instance.constructor;
  return typeof type === "function" ? type as Type<unknown> : undefined;
}

export function construct(type: new () => unknown): unknown {
  const instance = new type();
  for (const initializer of allMetadata(type, INITIALIZERS)) initializer.call(instance);
  return instance;
}

export function initialise(instance: unknown): Promise<void> | undefined {
  return callAll(methods(instance, POST_CONSTRUCT).map(([, call]) => call));
}

/** Calls the `@OnReady` methods of beans, in order of creation, until they close. @throws {Error} of the first that fails */
export async function callReady({ closer }: { readonly closer: Closer }): Promise<void> {
  for (const { instance } of [...closer.beans]) {
    for (const [name, call] of methods(instance, ON_READY)) {
      if (closer.isClosing) return;
      try {
        await call();
      } catch (cause) {
        const place = `${typeOf(instance)?.name}.${name}`;
        throw new Error(`Cannot start: '${place}' failed: ${errorOf(cause).message}`, { cause });
      }
    }
  }
}

export interface Created {
  readonly name: string;
  readonly instance: unknown;
  readonly destruction?: Destruction;
  /** Whether its `@PostConstruct` methods are done: it is closed only then. */
  isInitialised: boolean;
}

export class Closer {
  readonly beans: Created[] = [];
  isClosing = false;

  constructor(readonly seconds?: number) {}

  /** A factory that is no longer awaited may give a bean when all others are closed: it is closed at once. */
  add(bean: Created): void {
    if (!this.isClosing) return void this.beans.push(bean);
    bean.isInitialised = methods(bean.instance, POST_CONSTRUCT).length === 0;
    this.close([bean]).catch(() => {}); // The first error is the cause.
  }

  /** @throws {AggregateError} with what failed, after all were closed */
  async close(beans: Created[] = this.beans): Promise<void> {
    this.isClosing = true;
    const errors: unknown[] = [];
    for (const { name, instance, destruction, isInitialised } of beans.splice(0).reverse()) {
      if (!isInitialised) continue;
      for (const end of endings(instance, destruction)) {
        try {
          await this.#inTime(end());
        } catch (cause) {
          errors.push(
            new Error(`Cannot close the bean '${name}': ${errorOf(cause).message}`, { cause }),
          );
        }
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "Some beans could not be closed");
  }

  /** A bean that never ends would keep the beans after it open. */
  async #inTime(end: unknown): Promise<void> {
    const { seconds } = this;
    if (!isThenable(end) || seconds === undefined) return void await end;
    const ended = Promise.resolve(end);
    if (await within(ended, Math.max(seconds * 1000, LEAST_MS), LATE) !== LATE) return;
    ended.catch(() => {}); // No longer awaited.
    throw new Error(`it took longer than ${seconds} s`);
  }
}

const LATE: unique symbol = Symbol("late");

const LEAST_MS = 500;

export type Destruction = Pick<BeanMethod, "destroy">;

/**
 * The methods to call when a bean is closed: `@PreDestroy` methods, the most derived class's first, and what `@Bean` names;
 * where there is neither, its disposer or, for what a `@Bean` method gave, `close` or `end`.
 */
function endings(instance: unknown, destruction?: Destruction): readonly (() => unknown)[] {
  const declared = methods(instance, PRE_DESTROY).map(([, call]) => call).reverse();
  const { destroy } = destruction ?? {};
  if (typeof destroy === "string") return [...declared, () => methodOf(instance, destroy)?.()];
  if (declared.length > 0 || destroy === false) return declared;
  const names: readonly (string | symbol)[] = destruction ? [...DISPOSERS, ...CLOSERS] : DISPOSERS;
  const found = names.map((name) => methodOf(instance, name)).find((method) => {
    return method !== undefined && method.length === 0;
  });
  return found ? [() => found()] : [];
}

/** The method that would close a bean if it took no arguments, such as the callback of Node's `close()`. */
export function refusedCloser(instance: unknown, destruction: Destruction): string | undefined {
  const isDecided = destruction.destroy !== undefined || endings(instance, destruction).length > 0;
  return isDecided ? undefined : CLOSERS.find((name) => methodOf(instance, name) !== undefined);
}

/** A method of a bean, bound to it. A proxy may answer to any name: only what `in` finds counts. */
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
