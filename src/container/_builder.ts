import type { Config } from "../config/mod.ts";
import { type Definition, fits } from "./_definitions.ts";
import {
  type Closer,
  construct,
  type Created,
  type Destruction,
  initialise,
  methodOf,
  refusedCloser,
  typeOf,
} from "./_life_cycle.ts";
import { nearest } from "../text/mod.ts";
import { declarationOf } from "./component.ts";
import {
  BEAN_ERRORS,
  BeanCreationError,
  BeanCycleError,
  InjectionError,
  NoSuchBeanError,
  NoUniqueBeanError,
} from "./errors.ts";
import { building, type Injector } from "./inject.ts";
import type { Type } from "./types.ts";

export class Builder implements Injector {
  readonly #singletons = new Map<string, unknown>();
  /** The beans that are constructed at the moment, the outermost first, and what makes those ready that they were given. */
  readonly #constructions: { readonly name: string; readonly waits: Set<Promise<void>> }[] = [];
  /** Who needs the outermost of them: beans that were interrupted. */
  #interrupted: readonly string[] = [];
  /** Beans whose `@PostConstruct` methods did not finish, or failed. */
  readonly #pending = new Map<string, Promise<void>>();
  #phase: "factories" | "stuck" | "classes" = "factories";
  #isStopped = false;

  constructor(
    readonly definitions: Map<string, Definition>,
    readonly config: Config,
    readonly leftOut: (wanted: Type<unknown> | string) => string | undefined,
    readonly created: Closer,
  ) {}

  async buildAll(): Promise<void> {
    await this.#runFactories();
    if (this.#isStopped) return;
    this.#phase = "classes";
    this.#interrupted = [];
    for (const { name, scope } of this.definitions.values()) {
      if (scope === "singleton") this.#instance(name);
    }
    await Promise.all(this.#pending.values());
  }

  resolve(wanted: Type<unknown> | string, qualifier?: string): unknown {
    const definition = this.#find(wanted, qualifier);
    return definition ? this.#instance(definition.name) : this.#missing(wanted, qualifier);
  }

  resolveOptional(wanted: Type<unknown> | string): unknown {
    const definition = this.#find(wanted);
    if (definition) return this.#instance(definition.name);
    this.#waitFor(wanted);
    return undefined;
  }

  resolveAll(wanted: Type<unknown>): readonly unknown[] {
    this.#waitFor(wanted);
    const asking = this.#constructions.at(-1)?.name;
    return this.candidates(wanted)
      .filter(({ name }) => name !== asking)
      .map(({ name }) => this.#instance(name));
  }

  #find(wanted: Type<unknown> | string, qualifier?: string): Definition | undefined {
    let found = this.candidates(wanted);
    if (qualifier !== undefined) found = found.filter(({ name }) => name === qualifier);
    if (found.length > 1) {
      const primary = found.filter((definition) => definition.primary);
      if (primary.length !== 1) {
        const names = (primary.length > 0 ? primary : found).map(({ name }) => name);
        throw new NoUniqueBeanError(describe(wanted, qualifier), names, this.#path());
      }
      found = primary;
    }
    return found[0];
  }

  candidates(wanted: Type<unknown> | string): Definition[] {
    if (typeof wanted === "string") {
      const definition = this.definitions.get(wanted);
      return definition ? [definition] : [];
    }
    return [...this.definitions.values()].filter((one) =>
      fits(one, wanted) || this.#singletons.get(one.name) instanceof wanted
    );
  }

  stop(): void {
    this.#isStopped = true;
    this.#pending.clear();
  }

  async close(): Promise<void> {
    // After a failure some may still be at work on what is going to be closed.
    await Promise.allSettled(this.#pending.values());
    await this.created.close();
  }

  /** Runs the factories until all have run; those that miss something are tried again after the others. */
  async #runFactories(): Promise<void> {
    let waiting = [...this.definitions.values()].filter(isSingletonFactory);
    while (waiting.length > 0 && !this.#isStopped) {
      for (const { name } of waiting) await this.#runFactory(name, []);
      const left = waiting.filter(({ name }) => !this.#singletons.has(name));
      // What is missing now is missing for good: the next round says so.
      if (left.length === waiting.length) this.#phase = "stuck";
      waiting = left;
    }
  }

  async #runFactory(name: string, neededBy: readonly string[]): Promise<boolean> {
    if (neededBy.includes(name)) throw cycle(neededBy, name);
    while (!this.#singletons.has(name) && !this.#isStopped) {
      this.#interrupted = neededBy;
      try {
        this.#keep(name, defined(await this.#make(name).instance), []);
      } catch (error) {
        if (!(error instanceof Interruption)) throw explained(error, [...neededBy, name]);
        const { bean, path } = error;
        const pending = bean === undefined ? undefined : this.#pending.get(bean);
        if (pending) await pending;
        else if (bean === undefined || !await this.#runFactory(bean, path)) return false;
      }
    }
    return true;
  }

  #instance(name: string): unknown {
    if (!this.#singletons.has(name)) {
      const definition = this.definitions.get(name)!;
      if (isSingletonFactory(definition)) throw new Interruption(name, this.#path());
      const { instance, waits } = this.#make(name);
      if (definition.scope === "prototype") return this.#prototype(name, instance, waits);
      this.#keep(name, instance, waits);
    }
    const pending = this.#pending.get(name);
    if (pending) {
      if (this.#phase !== "classes") throw new Interruption(name, this.#path());
      this.#constructions.at(-1)?.waits.add(pending);
    }
    return this.#singletons.get(name);
  }

  #prototype(name: string, instance: unknown, waits: readonly Promise<void>[]): unknown {
    const ready = instance instanceof Promise ? instance : this.#initialise(name, instance, waits);
    if (ready === undefined) return instance;
    if (instance === ready || waits.length === 0) {
      ready.catch(() => {}); // Not awaited.
      throw new InjectionError(
        `Cannot build the bean '${name}': a bean with the scope 'prototype' has no async factory or @PostConstruct()`,
      );
    }
    this.#constructions.at(-1)?.waits.add(ready);
    return instance;
  }

  #keep(name: string, instance: unknown, waits: readonly Promise<void>[]): void {
    const definition = this.definitions.get(name)!;
    const { source, type = typeOf(instance) } = definition;
    // A factory may give a bean another name: that one is initialised, and closed, once.
    const isNew = source.kind === "class" || source.kind === "instance" && source.isOwn ||
      source.kind === "factory" && ![...this.#singletons.values()].includes(instance);
    if (isNew && source.kind === "factory") checkEnd(name, instance, source);
    this.#singletons.set(name, instance);
    this.definitions.set(name, { ...definition, type });
    if (!isNew) return;
    const made = source.kind === "factory" ? source : undefined;
    const bean: Created = { name, instance, made, isInitialised: false };
    this.created.beans.push(bean);
    const ready = this.#initialise(name, instance, waits);
    bean.isInitialised = ready === undefined;
    if (!ready) return;
    this.#pending.set(name, ready);
    ready.then(() => {
      bean.isInitialised = true;
      this.#pending.delete(name);
    }, () => {}); // A failure stays for those who wait.
  }

  /** Calls the `@PostConstruct` methods once all that the bean was given is ready; a promise unless that is now. */
  #initialise(
    name: string,
    instance: unknown,
    waits: readonly Promise<void>[],
  ): Promise<void> | undefined {
    const path = [...this.#path(), name];
    const fail = (error: unknown) => {
      throw explained(error, path);
    };
    const call = () => building(undefined, () => initialise(instance));
    try {
      const done = waits.length > 0 ? Promise.all(waits).then(call) : call();
      const ready = done?.catch(fail);
      ready?.catch(() => {}); // Callers that await it later receive the failure.
      return ready;
    } catch (error) {
      return fail(error);
    }
  }

  #make(name: string) {
    const path = this.#path();
    if (path.includes(name)) throw cycle(path, name);
    const waits = new Set<Promise<void>>();
    this.#constructions.push({ name, waits });
    try {
      const instance = building(this, () => this.#construct(name));
      return { instance, waits: [...waits] };
    } catch (error) {
      throw explained(error, [...path, name]);
    } finally {
      this.#constructions.pop();
    }
  }

  #construct(name: string): unknown {
    const { source } = this.definitions.get(name)!;
    if (source.kind === "instance") return source.instance;
    if (source.kind === "class") return construct(source.type);
    const owner = this.#instance(source.owner) as Record<string, () => unknown>;
    return defined(owner[source.method]!());
  }

  /** Interrupts if a factory that has not run yet may still create the wanted bean. */
  #waitFor(wanted: Type<unknown> | string): void {
    const mayCome = typeof wanted !== "string" && this.#phase === "factories" &&
      [...this.definitions.values()].some((definition) => {
        return isSingletonFactory(definition) && !this.#singletons.has(definition.name);
      });
    if (mayCome) throw new Interruption(undefined, this.#path());
  }

  #missing(wanted: Type<unknown> | string, qualifier: string | undefined): never {
    this.#waitFor(wanted);
    const text = qualifier ?? (typeof wanted === "string" ? wanted : wanted.name);
    const declaration = typeof wanted === "string" ? undefined : declarationOf(wanted);
    throw new NoSuchBeanError(
      describe(wanted, qualifier),
      this.#path(),
      nearest(text, this.definitions.keys()),
      declaration && qualifier === undefined ? declaration.stereotype : undefined,
      this.leftOut(wanted) ??
        (typeof wanted === "string" || declaration ? undefined : NO_STEREOTYPE),
    );
  }

  #path(): readonly string[] {
    return [...this.#interrupted, ...this.#constructions.map(({ name }) => name)];
  }
}

const NO_STEREOTYPE = "expected @Service() or another stereotype, or a @Bean() method";

function isSingletonFactory({ source, scope }: Definition): boolean {
  return source.kind === "factory" && scope === "singleton";
}

/** What a factory made; who asks for it would be given nothing. @throws {TypeError} */
function defined<T>(made: T): T {
  if (made !== undefined) return made;
  throw new TypeError("its factory returned undefined; expected it to return the bean");
}

/** @throws {TypeError} when there is no such method */
function checkEnd(name: string, instance: unknown, made: Destruction): void {
  const { destroy } = made;
  if (typeof destroy === "string" && methodOf(instance, destroy) === undefined) {
    throw new TypeError(`it has no method '${destroy}', which @Bean({ destroy }) names`);
  }
  const refused = refusedCloser(instance, made);
  if (refused === undefined) return;
  console.warn(
    `The bean '${name}' is not closed with the application: its ${refused}() takes arguments; ` +
      `call it without any by @Bean({ destroy: "${refused}" }), or say @Bean({ destroy: false })`,
  );
}

function cycle(path: readonly string[], name: string): BeanCycleError {
  return new BeanCycleError([...path.slice(path.indexOf(name)), name]);
}

function describe(wanted: Type<unknown> | string, qualifier?: string): string {
  const what = typeof wanted === "string" ? `named '${wanted}'` : `of type ${wanted.name}`;
  return qualifier === undefined ? what : `${what} named '${qualifier}'`;
}

/** Interrupts a construction that needs what has to be awaited first; it is started again afterwards. */
class Interruption {
  constructor(
    /** The bean to wait for; absent when any factory that did not run yet may make what is needed. */
    readonly bean: string | undefined,
    readonly path: readonly string[],
  ) {}
}

/** The error with the path that leads to it; errors that say everything already, and interruptions, stay. */
function explained(error: unknown, path: readonly string[]): unknown {
  const own = [Interruption, InjectionError, ...BEAN_ERRORS].some((type) => error instanceof type);
  return own ? error : new BeanCreationError(path, error);
}
