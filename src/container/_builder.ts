import type { Config } from "../config/mod.ts";
import { followedBy, isThenable, nearest } from "../text/mod.ts";
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

type Pending = Promise<void> | undefined;

/** A singleton: neither pending nor made until its construction begins. */
interface Singleton {
  readonly name: string;
  readonly isFactory: boolean;
  /** Its construction while that waits, then its `@PostConstruct` methods; a rejection stays for all who wait. */
  pending?: Promise<void>;
  made?: { readonly instance: unknown };
}

/**
 * Makes each singleton once, factories first. `inject()` cannot wait, so that it unwinds the construction that calls it:
 * an `Interruption` until one bean is ready, a `Postponement` until other factories have run. Then it runs again.
 */
export class Builder {
  /** It resolves beans that no constructor or factory asks for, so its path is empty. */
  readonly root: Construction;
  readonly #beans: ReadonlyMap<string, Singleton>;
  /** Whether each factory that is left waits for another one of them: what is missing then is missing for good. */
  #isStuck = false;

  constructor(
    readonly definitions: Map<string, Definition>,
    readonly config: Config,
    readonly whyMissing: (wanted: Type<unknown> | string) => string | undefined,
    readonly closer: Closer,
  ) {
    this.root = new Construction(this, []);
    const singletons = [...definitions.values()].filter(({ scope }) => scope === "singleton");
    this.#beans = new Map(singletons.map(({ name, source }) => {
      return [name, { name, isFactory: source.kind === "factory" }];
    }));
  }

  async buildAll(): Promise<void> {
    await this.#runFactories();
    if (this.closer.isClosing) return;
    for (const name of this.#beans.keys()) this.give(name, this.root);
    await Promise.all(this.pending());
  }

  /** The promises of beans that are under construction, or whose construction has failed. */
  pending(): readonly (Promise<void> | undefined)[] {
    return [...this.#beans.values()].map(({ pending }) => pending);
  }

  /** The bean, constructed for `asker` if it is not yet. Factories are given only beans that are ready. */
  give(name: string, asker: Construction): unknown {
    const bean = this.#beans.get(name);
    if (!bean?.made && asker.path.includes(name)) {
      throw new BeanCycleError([...asker.path.slice(asker.path.indexOf(name)), name]);
    }
    if (!bean) return this.#prototype(name, asker);
    const isNew = !bean.made && !bean.pending;
    if (isNew) this.#begin(bean, asker.path);
    // A factory that runs this late may make what was missing when the asker requested it.
    if (!bean.made || isNew && this.#isStuck && bean.isFactory) throw new Interruption(bean);
    if (bean.pending) {
      if (this.#beans.get(asker.path[0]!)?.isFactory) throw new Interruption(bean);
      asker.waits.add(bean.pending);
    }
    return bean.made.instance;
  }

  candidates(wanted: Type<unknown> | string): readonly Definition[] {
    return [...this.definitions.values()].filter((one) =>
      fits(one, wanted) ||
      typeof wanted !== "string" && this.#beans.get(one.name)?.made?.instance instanceof wanted
    );
  }

  /** Whether a factory other than `asking` may still run before what that one asks for has to be there. */
  hasFactoriesLeft(asking: string | undefined): boolean {
    return !this.#isStuck && this.#factoriesLeft().some(({ name }) => name !== asking);
  }

  #factoriesLeft(): readonly Singleton[] {
    return [...this.#beans.values()].filter(({ isFactory, made }) => isFactory && !made);
  }

  /** Runs the factories one after the other; those that were postponed are tried again after the others. */
  async #runFactories(): Promise<void> {
    let left = this.#factoriesLeft();
    while (left.length > 0 && !this.closer.isClosing) {
      const { length } = left;
      for (const bean of left) await this.#runFactory(bean);
      left = this.#factoriesLeft();
      this.#isStuck = left.length === length;
    }
  }

  async #runFactory(bean: Singleton): Promise<void> {
    if (this.closer.isClosing) return;
    try {
      if (!bean.made && !bean.pending) this.#begin(bean, []);
      while (!bean.made) await bean.pending;
    } catch (error) {
      if (!(error instanceof Postponement)) throw error;
    }
  }

  /** Constructs a bean, at once unless it has to wait for something. */
  #begin(bean: Singleton, neededBy: readonly string[]): void {
    const pending = this.#construct(bean, [...neededBy, bean.name]);
    if (!pending) return;
    bean.pending = pending;
    pending.catch((error) => {
      if (error instanceof Postponement) bean.pending = undefined;
    });
  }

  #construct(bean: Singleton, path: readonly string[]): Promise<void> | undefined {
    const construction = new Construction(this, path);
    const register = (instance: unknown) => this.#register(bean, instance, construction);
    try {
      return explaining(path, () => {
        const made = this.#instantiate(construction);
        return bean.isFactory ? followedBy(made, (one) => register(defined(one))) : register(made);
      });
    } catch (error) {
      if (error instanceof Interruption) return this.#repeat(bean, path, error.bean);
      throw error;
    }
  }

  async #repeat(bean: Singleton, path: readonly string[], awaited: Singleton): Promise<void> {
    do await awaited.pending; while (awaited.pending);
    if (this.closer.isClosing) throw new Postponement();
    await this.#construct(bean, path);
  }

  #prototype(name: string, asker: Construction): unknown {
    const construction = new Construction(this, [...asker.path, name]);
    let instance: unknown;
    const ready = explaining(construction.path, () => {
      instance = this.#instantiate(construction);
      if (this.definitions.get(name)!.source.kind === "factory") refusePromise(name, instance);
      return whenReady(construction, () => refusePromise(name, initialise(instance)));
    });
    if (ready) asker.waits.add(ready);
    return instance;
  }

  #register(bean: Singleton, instance: unknown, construction: Construction): undefined {
    const definition = this.definitions.get(bean.name)!;
    const { name, source, type = typeOf(instance) } = definition;
    const factory = source.kind === "factory" ? source : undefined;
    // A factory may give a bean another name: that one is initialised, and closed, once.
    const isNew = source.kind === "instance"
      ? source.isOwn
      : !factory || ![...this.#beans.values()].some(({ made }) => made?.instance === instance);
    if (isNew && factory) checkEnd(name, instance, factory);
    bean.made = { instance };
    bean.pending = undefined;
    this.definitions.set(name, { ...definition, type });
    if (!isNew) return;
    const created: Created = { name, instance, destruction: factory, isInitialised: false };
    this.closer.add(created);
    bean.pending = whenReady(construction, () => {
      if (this.closer.isClosing) throw new Postponement();
      return followedBy(initialise(instance), (): undefined => {
        created.isInitialised = true;
        bean.pending = undefined;
      });
    });
  }

  #instantiate(construction: Construction): unknown {
    const { source } = this.definitions.get(construction.path.at(-1)!)!;
    return construction.run(() => {
      if (source.kind === "instance") return source.instance;
      if (source.kind === "class") return construct(source.type);
      const owner = this.give(source.owner, construction) as Record<string, () => unknown>;
      return defined(owner[source.method]!());
    });
  }
}

/** Finds the beans that a constructor or a factory asks for while it runs. */
class Construction implements Injector {
  /** The initialisations of the beans that it was given. */
  readonly waits = new Set<Promise<void>>();
  #unwinding: Postponement | undefined;

  constructor(
    readonly builder: Builder,
    /** The bean that is constructed, after those that need it, the outermost first; empty for the application. */
    readonly path: readonly string[],
  ) {}

  get config() {
    return this.builder.config;
  }

  /** The code that `build` calls may catch what unwinds this construction, which is then thrown all the same. */
  run(build: () => unknown): unknown {
    try {
      const made = building(this, build);
      if (!this.#unwinding) return made;
      ignore(made);
    } catch (error) {
      throw this.#unwinding ?? error;
    }
    throw this.#unwinding;
  }

  resolve(wanted: Type<unknown> | string, qualifier?: string): unknown {
    const found = this.#find(wanted, qualifier);
    return found ? this.#give(found) : this.#missing(wanted, qualifier);
  }

  resolveOptional(wanted: Type<unknown> | string): unknown {
    const found = this.#find(wanted);
    return found && this.#give(found);
  }

  resolveAll(wanted: Type<unknown>): readonly unknown[] {
    this.#waitForFactories();
    return this.builder.candidates(wanted)
      .filter(({ name }) => name !== this.path.at(-1))
      .map((definition) => this.#give(definition));
  }

  #give({ name }: Definition): unknown {
    try {
      return this.builder.give(name, this);
    } catch (error) {
      if (error instanceof Postponement) this.#unwinding = error;
      throw error;
    }
  }

  #find(wanted: Type<unknown> | string, qualifier?: string): Definition | undefined {
    const found = this.builder.candidates(wanted)
      .filter(({ name }) => name === (qualifier ?? name));
    if (found.length === 0 && typeof wanted !== "string") this.#waitForFactories();
    const primary = found.filter((definition) => definition.primary);
    const best = primary.length > 0 ? primary : found;
    if (best.length <= 1) return best[0];
    const names = best.map(({ name }) => name);
    throw new NoUniqueBeanError(describe(wanted, qualifier), names, this.path);
  }

  /** A factory that has not run yet may make a bean of any type, whichever it declares. */
  #waitForFactories(): void {
    if (this.builder.hasFactoriesLeft(this.path[0])) throw this.#unwinding = new Postponement();
  }

  #missing(wanted: Type<unknown> | string, qualifier: string | undefined): never {
    const type = typeof wanted === "string" ? undefined : wanted;
    const declaration = type && declarationOf(type);
    throw new NoSuchBeanError(
      describe(wanted, qualifier),
      this.path,
      nearest(qualifier ?? type?.name ?? String(wanted), this.builder.definitions.keys()),
      declaration && qualifier === undefined ? declaration.stereotype : undefined,
      this.builder.whyMissing(wanted) ?? (type && !declaration ? NO_STEREOTYPE : undefined),
    );
  }
}

/** Unwinds a construction, and those that need it, until other factories have run. */
class Postponement {}

class Interruption extends Postponement {
  constructor(readonly bean: Singleton) {
    super();
  }
}

const NO_STEREOTYPE = "expected @Service() or another stereotype, or a @Bean() method";

function describe(wanted: Type<unknown> | string, qualifier?: string): string {
  const what = typeof wanted === "string" ? `named '${wanted}'` : `of type ${wanted.name}`;
  return qualifier === undefined ? what : `${what} named '${qualifier}'`;
}

/** A factory has to return its bean, or each bean that injects it receives `undefined`. @throws {TypeError} */
function defined<T>(made: T): T {
  if (made !== undefined) return made;
  throw new TypeError("its factory returned undefined; expected it to return the bean");
}

/** @throws {TypeError} when there is no such method */
function checkEnd(name: string, instance: unknown, destruction: Destruction): void {
  const { destroy } = destruction;
  if (typeof destroy === "string" && methodOf(instance, destroy) === undefined) {
    throw new TypeError(`it has no method '${destroy}', which @Bean({ destroy }) names`);
  }
  const refused = refusedCloser(instance, destruction);
  if (refused === undefined) return;
  console.warn(
    `The bean '${name}' is not closed with the application: its ${refused}() takes arguments; ` +
      `call it without any by @Bean({ destroy: "${refused}" }), or say @Bean({ destroy: false })`,
  );
}

/** Calls the `@PostConstruct` methods once all that the bean was given is ready; a promise unless that is now. */
function whenReady({ path, waits }: Construction, initialise: () => Pending): Pending {
  const call = () => building(undefined, initialise);
  return explaining(path, () => waits.size > 0 ? Promise.all(waits).then(call) : call());
}

/** A promise that is not awaited must not end the process where it fails. @returns whether it is one */
function ignore(value: unknown): boolean {
  if (isThenable(value)) Promise.resolve(value).catch(() => {});
  return isThenable(value);
}

function refusePromise(name: string, value: unknown): undefined {
  if (!ignore(value)) return;
  throw new InjectionError(
    `Cannot build the bean '${name}': a bean with the scope 'prototype' has no async factory or @PostConstruct()`,
  );
}

/** Adds the path to an error, at once or later; errors that say everything already, and what unwinds, stay. */
function explaining(path: readonly string[], action: () => Pending): Pending {
  const fail = (error: unknown): never => {
    const isOwn = OWN_ERRORS.some((type) => error instanceof type);
    throw isOwn ? error : new BeanCreationError(path, error);
  };
  try {
    const pending = action()?.catch(fail);
    pending?.catch(() => {}); // Callers that await it later receive the failure.
    return pending;
  } catch (error) {
    return fail(error);
  }
}

const OWN_ERRORS = [Postponement, InjectionError, ...BEAN_ERRORS];
