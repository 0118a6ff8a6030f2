import type { ProblemDetail, ResponseEntity } from "../http/mod.ts";

/**
 * A Standard Schema, as far as the compiler has to compare it: all of it, for each of many routes, takes it long.
 *
 * @internal
 */
export interface AnySchema {
  /** As the standard has it. */
  readonly "~standard": {
    /** Of the standard. */
    readonly version: 1;
    /** Whose schema it is. */
    readonly vendor: string;
    /** Compares a value with it. */
    readonly validate: (value: unknown) => unknown;
    /** What it takes and gives. */
    readonly types?: unknown;
  };
}

/**
 * What a schema takes.
 *
 * @internal
 */
export type InputOf<R> = R extends { readonly "~standard": { readonly types?: infer Y } }
  ? Y extends { readonly input: infer I } ? I : never
  : never;

/**
 * What a handler may return whose mapping says that it `returns` `I`: that, an entity with it, one without a body, with
 * a problem, or a response of its own; now or later.
 *
 * @internal
 */
export type Returned<I> = ReturnedNow<I> | PromiseLike<ReturnedNow<I>>;

/**
 * {@linkcode Returned}, once it is there.
 *
 * @internal
 */
export type ReturnedNow<I> =
  | I
  | ResponseEntity<I>
  | ResponseEntity<undefined>
  | ResponseEntity<ProblemDetail>
  | Response;

/**
 * What a method that returns `T` has to be besides: nothing more where that fits the schema, else what it is not. Whether
 * the two are identical is asked first, as that takes the compiler least, and then of the body alone. Not by the name of
 * a type, whose arguments the compiler would take for the same where each fits the other.
 *
 * @internal
 */
export type Fitting<T, I> = (<X>() => X extends T ? 1 : 2) extends (<X>() => X extends I ? 1 : 2)
  ? unknown
  : FittingBody<T, I>;

/**
 * {@linkcode Fitting} of types that are not identical.
 *
 * @internal
 */
export type FittingBody<T, I> = [BodyOf<T>] extends [I]
  ? [Excess<BodyOf<T>, I>] extends [never] ? unknown
  : { readonly "the schema of `returns` has no property": Excess<BodyOf<T>, I> }
  : (...parameters: never[]) => Returned<I>;

/**
 * The body of what a handler returns.
 *
 * @internal
 */
export type BodyOf<T> = T extends PromiseLike<infer U> ? BodyOf<U>
  : T extends ResponseEntity<infer B> ? B extends ProblemDetail | undefined ? never : B
  : T extends Response ? never
  : T;

/**
 * Names of properties that values of `T` have and `I` has not, four levels deep; methods are not sent, and do not count.
 *
 * @internal
 */
export type Excess<T, I, Depth extends readonly unknown[] = []> = unknown extends I ? never
  : Depth["length"] extends 4 ? never
  : T extends string | number | bigint | boolean | null | undefined | Date | Method ? never
  : T extends readonly (infer E)[] ? Excess<E, ItemOf<I>, [...Depth, 0]>
  : T extends object ? {
      [K in keyof T & string]-?: K extends KeyOf<I> ? Excess<T[K], PropertyOf<I, K>, [...Depth, 0]>
        : T[K] extends Method ? never
        : K;
    }[keyof T & string]
  : never;

/**
 * Any function.
 *
 * @internal
 */
export type Method = (...parameters: never[]) => unknown;

/**
 * What lists of these types hold.
 *
 * @internal
 */
export type ItemOf<I> = I extends readonly (infer E)[] ? E : never;

/**
 * Names that any type of a union has.
 *
 * @internal
 */
export type KeyOf<I> = I extends unknown ? keyof I : never;

/**
 * What the types of a union have by a name.
 *
 * @internal
 */
export type PropertyOf<I, K> = I extends unknown ? K extends keyof I ? I[K] : never : never;
