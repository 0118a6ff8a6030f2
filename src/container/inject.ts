import type { Config } from "../config/mod.ts";
import type { ValueType } from "../schema/mod.ts";
import { evaluate } from "./_value.ts";
import { InjectionError } from "./errors.ts";
import type { InjectionTarget, Type } from "./types.ts";

const CURRENT: unique symbol = Symbol.for("irori: injector");

export interface Injector {
  resolve(target: Type<unknown> | string, qualifier?: string): unknown;
  resolveOptional(target: Type<unknown> | string): unknown;
  resolveAll(target: Type<unknown>): readonly unknown[];
  readonly config: Config;
}

/** One slot for all copies of this library, set and restored around each synchronous construction. */
const slots = globalThis as { [CURRENT]?: Injector };

/** @internal */
interface Inject {
  /**
   * The bean of a type or name.
   *
   * @throws {InjectionError} when no bean is being created
   * @throws {NoSuchBeanError} when nothing fits
   * @throws {NoUniqueBeanError} when several beans fit
   */
  <T>(target: InjectionTarget<T>): T;
  /**
   * The same, or `undefined` where nothing fits.
   *
   * @throws {InjectionError} when no bean is being created
   * @throws {NoUniqueBeanError} when several beans fit
   */
  optional<T>(target: InjectionTarget<T>): T | undefined;
  /**
   * All beans of a type, in order of declaration, without the one that asks; empty where there are none.
   *
   * @throws {InjectionError} when no bean is being created
   */
  all<T>(target: Exclude<InjectionTarget<T>, string>): readonly T[];
}

/**
 * The bean of a type or name, for constructor defaults and field initialisers; `inject.optional(Type)` where there may
 * be none, `inject.all(Type)` for all of a type. Works only while the container builds a bean, and before the first
 * `await` of an async factory; not in `@PostConstruct` methods.
 *
 * ```ts ignore
 * constructor(private readonly users = inject(UserService), private readonly checks = inject.all(Check)) {}
 * ```
 */
export const inject: Inject = /* @__PURE__ */ Object.assign(
  <T>(target: InjectionTarget<T>): T => injectQualified(target, undefined),
  {
    optional: <T>(target: InjectionTarget<T>) => {
      const wanted = wantedBy(target);
      return slotFor(wanted).resolveOptional(wanted) as T | undefined;
    },
    all: <T>(target: Exclude<InjectionTarget<T>, string>) => {
      const wanted = wantedBy(target) as Type<T>;
      return slotFor(wanted).resolveAll(wanted) as readonly T[];
    },
  },
);

export function injectQualified<T>(target: InjectionTarget<T>, qualifier: string | undefined): T {
  const wanted = wantedBy(target);
  return slotFor(wanted).resolve(wanted, qualifier) as T;
}

export function injectValue(expression: string, place: string, type?: ValueType): unknown {
  return evaluate(expression, slot(`read '${expression}'`).config, place, type);
}

/** Runs `build` with `injector`, or none, for the calls of `inject` inside it. */
export function building<T>(injector: Injector | undefined, build: () => T): T {
  const outer = slots[CURRENT];
  slots[CURRENT] = injector;
  try {
    return build();
  } finally {
    slots[CURRENT] = outer;
  }
}

/** Whether the container builds a bean: other code, such as a test, may build the same class. */
export function isInjecting(): boolean {
  return slots[CURRENT] !== undefined;
}

function slot(action: string): Injector {
  const current = slots[CURRENT];
  if (current) return current;
  throw new InjectionError(
    `Cannot ${action}: no bean is being created here; declare the class as a component, ` +
      "and call inject() in a constructor or field initialiser only",
  );
}

function slotFor(wanted: Type<unknown> | string): Injector {
  return slot(`inject ${typeof wanted === "string" ? `'${wanted}'` : wanted.name}`);
}

/** @throws {InjectionError} for `undefined` */
function wantedBy<T>(target: InjectionTarget<T>): Type<T> | string {
  // An arrow function has no prototype of its own; every class has one.
  const isGiven = typeof target !== "function" || Object.hasOwn(target, "prototype");
  const wanted = isGiven ? target as Type<T> | string : (target as () => Type<T>)();
  if (wanted !== undefined) return wanted;
  throw new InjectionError(
    "Cannot inject 'undefined': the class is not defined yet, because modules import each other; use () => Type",
  );
}
