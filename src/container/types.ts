/**
 * A class that the container can build: what its constructor takes has defaults, `users = inject(Users)`.
 *
 * @internal
 */
export type Constructor<T = object> = new () => T;

/**
 * A class, abstract ones included: what can be asked for by type.
 *
 * @internal
 */
// deno-lint-ignore no-explicit-any
export type Type<T = object> = abstract new (...args: any[]) => T;

/**
 * A request for a bean: a class, an arrow function that gives it (for classes declared later), or a bean's name.
 *
 * @internal
 */
export type InjectionTarget<T> = Type<T> | (() => Type<T>) | string;

/** The beans of one application. */
export interface ApplicationContext {
  /** The one bean that is an instance of `type`. @throws {NoSuchBeanError | NoUniqueBeanError} */
  get<T>(type: Type<T>): T;
  /** The bean of that name. @throws {NoSuchBeanError} */
  getByName(name: string): unknown;
  /** Whether there is a bean of that name, or one or more of that type. */
  has(nameOrType: string | Type<unknown>): boolean;
  /** The facts of each bean, by name, in order of declaration. */
  readonly beans: ReadonlyMap<string, {
    /** Its name. */
    readonly name: string;
    /** The class it was declared with; unknown for `@Bean` methods without `type` that did not run yet. */
    readonly type?: Type<unknown>;
    /** How many there are: one, or a new one for everyone who asks. */
    readonly scope: "singleton" | "prototype";
    /** Where it was declared: `UserService`, or `Beans.clock()` for a `@Bean` method. */
    readonly place: string;
  }>;
  /**
   * Closes what was built, in reverse order of creation: `@PreDestroy` methods, else what `@Bean({ destroy })` names,
   * else `Symbol.asyncDispose` or `Symbol.dispose`, else `close` or `end` of what a `@Bean` method gave. A second call
   * does nothing.
   *
   * @throws {AggregateError} with what failed, after all were closed
   */
  close(): Promise<void>;
}

/** @internal */
export type Beans = Pick<ApplicationContext, "get" | "getByName" | "has">;

export type BeanInfo = ApplicationContext["beans"] extends ReadonlyMap<string, infer Info> ? Info
  : never;
