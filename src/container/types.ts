/** A class that can be built. */
// deno-lint-ignore no-explicit-any
export type Constructor<T = object> = new (...args: any[]) => T;

/** A class, abstract ones included: what can be asked for by type. */
// deno-lint-ignore no-explicit-any
export type Type<T = object> = abstract new (...args: any[]) => T;

/** The beans of one application. */
export interface ApplicationContext {
  /** The one bean that is an instance of `type`. @throws {NoSuchBeanError | NoUniqueBeanError} */
  get<T>(type: Type<T>): T;
  /** The bean of that name. @throws {NoSuchBeanError} */
  getByName(name: string): unknown;
  has(nameOrType: string | Type<unknown>): boolean;
  /** The class each bean was declared with, by bean name, in order of declaration. */
  readonly beans: ReadonlyMap<string, BeanInfo>;
  /** Closes what was built, in reverse order of creation. */
  close(): Promise<void>;
}

export interface BeanInfo {
  readonly name: string;
  readonly type: Type<unknown>;
}
