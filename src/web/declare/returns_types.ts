import type { ProblemDetail, ResponseEntity } from "../../http/mod.ts";

/**
 * A Standard Schema that takes `I`, as far as the compiler has to look at it: `I` is inferred here, so that nothing
 * else of a schema is compared or taken apart, for each of many routes.
 *
 * @internal
 */
export interface SchemaOf<I> {
  /** As the standard has it. */
  readonly "~standard": {
    /** Of the standard. */
    readonly version: 1;
    /** Whose schema it is. */
    readonly vendor: string;
    /** Compares a value with it. */
    readonly validate: (value: unknown) => unknown;
    /** What it takes and gives. */
    readonly types?: { readonly input: I } | undefined;
  };
}

/**
 * What a handler may return whose mapping says that it `returns` `I`: that, an entity with it, with a problem or of a
 * status that asks for no body, a problem, or a response of its own; now or later.
 *
 * @internal
 */
export type Returned<I> = ReturnedNow<I> | Promise<ReturnedNow<I>> | PromiseLike<ReturnedNow<I>>;

/**
 * {@linkcode Returned}, once it is resolved. `I` itself is compared before its read-only form.
 *
 * @internal
 */
export type ReturnedNow<I> =
  | I
  | ResponseEntity<I | ReadonlyOf<I> | ProblemDetail>
  | ProblemDetail
  | Response
  | ReadonlyOf<I>;

/**
 * The same with read-only lists, at any depth.
 *
 * @internal
 */
export type ReadonlyOf<I> = unknown extends I ? I
  : I extends readonly unknown[]
    ? ReadonlyListOf<I, keyof I & (number | `${number}` | "length" | "flatMap")>
  : { readonly [K in keyof I]: ReadonlyOf<I[K]> };

/**
 * A list by what tells it from others: a mapped list has its items looked at at once, without end where types recur.
 *
 * @internal
 */
export type ReadonlyListOf<I, K extends keyof I> = { readonly [P in K]: ReadonlyOf<I[P]> };

/**
 * What the decorator of a method returns that gives `T`: nothing, or, which the compiler refuses, the names of properties
 * that the schema does not have. That `T` is assignable is known by then.
 *
 * @internal
 */
export type Fitting<T, I> = [Excess<BodyOf<T>, I>] extends [never] ? void
  : { readonly "the schema of `returns` has no property": Excess<BodyOf<T>, I> };

/**
 * The body of what a handler returns. A problem is what has all that `problem()` gives: what is alike is a value.
 *
 * @internal
 */
export type BodyOf<T> = T extends PromiseLike<infer U> ? BodyOf<U>
  : T extends ResponseEntity<infer B> ? B extends ProblemDetail | undefined ? never : B
  : T extends Response ? never
  : T extends ProblemDetail ? keyof ProblemDetail extends keyof T ? never : T
  : T;

/**
 * Names of properties that values of `T` have and `I` has not, four levels deep; methods are not sent, and do not count.
 * Of `any`, as rows of databases are, nothing is known before it is sent.
 *
 * @internal
 */
export type Excess<T, I, Depth extends readonly unknown[] = []> = unknown extends I ? never
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
export type Method = (...parameters: never[]) => unknown;

/** @internal */
export type ItemOf<I> = I extends readonly (infer E)[] ? E : never;

/** @internal */
export type KeyOf<I> = I extends unknown ? keyof I : never;

/** @internal */
export type PropertyOf<I, K> = I extends unknown ? K extends keyof I ? I[K] : never : never;
