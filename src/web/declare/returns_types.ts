import type { CompleteValue, ProblemDetail, ResponseEntity } from "../../http/mod.ts";

/**
 * A Standard Schema of `I`, reduced to what infers `I`, so that the compiler checks nothing else for each of many routes.
 *
 * @internal
 */
export interface SchemaOf<I> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: I } | undefined;
  };
}

/**
 * The values that a handler with `returns` may return: `I`, an entity with it, a problem, or a `Response`; synchronously or not.
 *
 * @internal
 */
export type Returned<I> = ReturnedNow<I> | Promise<ReturnedNow<I>> | PromiseLike<ReturnedNow<I>>;

/**
 * {@linkcode Returned}, once it is resolved. `I` itself is compared before its read-only form.
 *
 * @internal
 */
type ReturnedNow<I> =
  | I
  | CompleteValue<I | ReadonlyOf<I>>
  | ReadonlyOf<I>;

/** @internal */
type ReadonlyOf<I> = unknown extends I ? I
  : I extends readonly unknown[]
    ? ReadonlyListOf<I, keyof I & (number | `${number}` | "length" | "flatMap")>
  : { readonly [K in keyof I]: ReadonlyOf<I[K]> };

/**
 * A list by its distinctive members: a mapped list would be expanded endlessly for recursive types.
 *
 * @internal
 */
type ReadonlyListOf<I, K extends keyof I> = { readonly [P in K]: ReadonlyOf<I[P]> };

/**
 * The result of the decorator: `void`, or an error type with the properties that the schema does not have. The compiler has
 * checked that `T` is assignable.
 *
 * @internal
 */
export type Fitting<T, I> = [Excess<BodyOf<T>, I>] extends [never] ? void
  : { readonly "the schema of `returns` has no property": Excess<BodyOf<T>, I> };

/**
 * The body of a return value. A problem must have all members of `problem()`; otherwise it is a plain value.
 *
 * @internal
 */
type BodyOf<T> = T extends PromiseLike<infer U> ? BodyOf<U>
  : T extends ResponseEntity<infer B> ? B extends ProblemDetail | undefined ? never : B
  : T extends Response ? never
  : T extends ProblemDetail ? keyof ProblemDetail extends keyof T ? never : T
  : T;

/**
 * Names of properties in `T` that are not in `I`, four levels deep. Methods are not sent and do not count; `any` is skipped.
 *
 * @internal
 */
type Excess<T, I, Depth extends readonly unknown[] = []> = unknown extends I ? never
  : 0 extends 1 & T ? never
  : Depth["length"] extends 4 ? never
  : T extends string | number | bigint | boolean | null | undefined | Date | Method ? never
  : T extends readonly (infer E)[] ? Excess<E, ItemOf<I>, [...Depth, 0]>
  : T extends object ? {
      [K in keyof T & string]-?: K extends KeyOf<I> ? Excess<T[K], PropertyOf<I, K>, [...Depth, 0]>
        : T[K] extends Method ? never
        : K;
    }[keyof T & string]
  : never;

/** @internal */
type Method = (...parameters: never[]) => unknown;

/** @internal */
type ItemOf<I> = I extends readonly (infer E)[] ? E : never;

/** @internal */
type KeyOf<I> = I extends unknown ? keyof I : never;

/** @internal */
type PropertyOf<I, K> = I extends unknown ? K extends keyof I ? I[K] : never : never;
