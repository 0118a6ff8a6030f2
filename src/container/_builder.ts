import type { Config } from "../config/mod.ts";
import type { Definition } from "./_definitions.ts";
import { POST_CONSTRUCT, PRE_DESTROY } from "./_keys.ts";
import { nearest } from "./_nearest.ts";
import { evaluate } from "./_value.ts";
import {
  BeanCreationError,
  BeanCycleError,
  InjectionError,
  NoSuchBeanError,
  NoUniqueBeanError,
} from "./errors.ts";
import { building, type Injector } from "./inject.ts";
import { allMetadata } from "./metadata.ts";
import type { Type } from "./types.ts";

/** Interrupts a construction that needs a factory which has to be awaited first. */
class Unready {
  constructor(readonly bean: string) {}
}

/** Builds the beans of one context, keeps the singletons and closes them. */
export class Builder implements Injector {
  readonly #singletons = new Map<string, unknown>();
  /** What has to be closed, in order of creation. */
  readonly #created: { readonly name: string; readonly instance: unknown }[] = [];
  /** The beans being built, the outermost first. */
  readonly #path: string[] = [];
  readonly #postponed: Promise<void>[] = [];
  #factoriesDone = false;

  constructor(
    readonly definitions: ReadonlyMap<string, Definition>,
    readonly config: Config,
  ) {}

  async buildAll(): Promise<void> {
    for (const { name, source, scope } of this.definitions.values()) {
      if (source.kind === "factory" && scope === "singleton") await this.#runFactory(name, []);
    }
    this.#factoriesDone = true;
    for (const { name, scope } of this.definitions.values()) {
      if (scope === "singleton") this.#instance(name);
    }
    await Promise.all(this.#postponed);
  }

  resolve(wanted: Type<unknown> | string, qualifier?: string): unknown {
    const described = describe(wanted, qualifier);
    let found = this.candidates(wanted);
    if (qualifier !== undefined) found = found.filter(({ name }) => name === qualifier);
    if (found.length === 0) this.#await(() => typeof wanted !== "string");
    if (found.length > 1) {
      const primary = found.filter((definition) => definition.primary);
      if (primary.length !== 1) {
        const names = (primary.length > 0 ? primary : found).map(({ name }) => name);
        throw new NoUniqueBeanError(described, names, [...this.#path]);
      }
      found = primary;
    }
    const [definition] = found;
    if (!definition) {
      const text = qualifier ?? (typeof wanted === "string" ? wanted : wanted.name);
      const similar = nearest(text, this.definitions.keys());
      throw new NoSuchBeanError(described, [...this.#path], similar);
    }
    return this.#instance(definition.name);
  }

  value(expression: string, place: string): unknown {
    return evaluate(expression, this.config, place);
  }

  /** The definitions that fit a name or a type. */
  candidates(wanted: Type<unknown> | string): Definition[] {
    if (typeof wanted === "string") {
      const definition = this.definitions.get(wanted);
      return definition ? [definition] : [];
    }
    return [...this.definitions.values()].filter(({ name, type }) => {
      if (type === wanted || type?.prototype instanceof wanted) return true;
      return this.#singletons.get(name) instanceof wanted;
    });
  }

  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const { instance } of this.#created.splice(0).reverse()) {
      try {
        await destroy(instance);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "Cannot close every bean");
  }

  /** Runs a factory, and before it the ones it needs. */
  async #runFactory(name: string, path: readonly string[]): Promise<void> {
    if (path.includes(name)) throw new BeanCycleError([...path.slice(path.indexOf(name)), name]);
    const needed = [...path, name];
    while (!this.#singletons.has(name)) {
      try {
        this.#keep(name, await this.#make(name));
      } catch (error) {
        if (!(error instanceof Unready)) throw explained(error, needed);
        await this.#runFactory(error.bean, needed);
      }
    }
  }

  /** While factories run, one that did not run yet may give what is not found: stop here and run it first. */
  #await(relevant: (definition: Definition) => boolean): void {
    if (this.#factoriesDone) return;
    for (const definition of this.definitions.values()) {
      const { name, source, type } = definition;
      const unknown = source.kind === "factory" && type === undefined;
      const mine = this.#path.includes(name);
      if (unknown && !mine && !this.#singletons.has(name) && relevant(definition)) {
        throw new Unready(name);
      }
    }
  }

  #instance(name: string): unknown {
    if (this.#singletons.has(name)) return this.#singletons.get(name);
    const definition = this.definitions.get(name)!;
    const { scope, source } = definition;
    if (source.kind === "factory" && scope === "singleton") throw new Unready(name);
    const instance = this.#make(name);
    if (scope === "prototype") {
      if (instance instanceof Promise) {
        throw new InjectionError(
          `Cannot build the bean '${name}': a factory with the scope 'prototype' cannot be async`,
        );
      }
      this.#postConstruct(name, instance);
      return instance;
    }
    return this.#keep(name, instance);
  }

  #keep(name: string, instance: unknown): unknown {
    this.#singletons.set(name, instance);
    if (this.definitions.get(name)!.source.kind !== "instance") {
      this.#created.push({ name, instance });
      this.#postConstruct(name, instance);
    }
    return instance;
  }

  #make(name: string): unknown {
    if (this.#path.includes(name)) {
      throw new BeanCycleError([...this.#path.slice(this.#path.indexOf(name)), name]);
    }
    this.#path.push(name);
    try {
      return building(this, () => this.#construct(name));
    } catch (error) {
      throw explained(error, this.#path);
    } finally {
      this.#path.pop();
    }
  }

  #construct(name: string): unknown {
    const { source } = this.definitions.get(name)!;
    if (source.kind === "instance") return source.instance;
    if (source.kind === "class") return new source.type();
    const owner = this.#instance(source.owner) as Record<string, () => unknown>;
    return owner[source.method]!();
  }

  #postConstruct(name: string, instance: unknown): void {
    const path = [...this.#path, name];
    const fail = (error: unknown) => {
      throw explained(error, path);
    };
    try {
      for (const result of callAll(instance, POST_CONSTRUCT)) {
        if (!(result instanceof Promise)) continue;
        const done = result.then(() => {}, fail);
        done.catch(() => {}); // Seen by buildAll.
        this.#postponed.push(done);
      }
    } catch (error) {
      fail(error);
    }
  }
}

function* callAll(
  instance: unknown,
  key: typeof POST_CONSTRUCT | typeof PRE_DESTROY,
): Iterable<unknown> {
  if (typeof instance !== "object" || instance === null) return;
  if (typeof instance.constructor !== "function") return;
  const methods = new Set(allMetadata(instance.constructor as Type<unknown>, key));
  for (const method of methods) yield (instance as Record<string, () => unknown>)[method]!();
}

async function destroy(instance: unknown): Promise<void> {
  let destroyed = false;
  for (const result of callAll(instance, PRE_DESTROY)) {
    destroyed = true;
    await result;
  }
  if (destroyed || typeof instance !== "object" || instance === null) return;
  const disposable = instance as Partial<AsyncDisposable & Disposable>;
  if (disposable[Symbol.asyncDispose]) await disposable[Symbol.asyncDispose]!();
  else disposable[Symbol.dispose]?.();
}

function describe(wanted: Type<unknown> | string, qualifier?: string): string {
  const what = typeof wanted === "string" ? `named '${wanted}'` : `of type ${wanted.name}`;
  return qualifier === undefined ? what : `${what} named '${qualifier}'`;
}

/** The error with the path that leads to it; errors that say everything already, and the interruption, stay. */
function explained(error: unknown, path: readonly string[]): unknown {
  const own = error instanceof Unready || error instanceof NoSuchBeanError ||
    error instanceof NoUniqueBeanError || error instanceof BeanCycleError ||
    error instanceof BeanCreationError || error instanceof InjectionError;
  return own ? error : new BeanCreationError([...path], error);
}
