import type { HttpRequest, HttpStatus, ProblemClass } from "../../http/mod.ts";
import type { DeprecationOptions } from "../answer/deprecation.ts";
import type { Binder } from "../bind/binder.ts";
import type { Fitting, Returned, SchemaOf } from "./returns_types.ts";
import type { HttpMethod } from "../types.ts";

/**
 * Names of the variables in a path that the compiler knows; any name where it does not.
 *
 * @internal
 */
export type VariablesOf<P extends string> = string extends P ? string
  : P extends `${string}{${infer V}}${infer R}` ? NameOf<V> | VariablesOf<R>
  : never;

/**
 * The name in the braces of a variable: of `*rest` and `id:[0-9]+` too.
 *
 * @internal
 */
export type NameOf<V extends string> = V extends `*${infer N}` ? N
  : V extends `${infer N}:${string}` ? N
  : V;

/**
 * Which versions of the API something belongs to.
 *
 * @internal
 */
export interface VersionOptions {
  /** One of `server.api-version.supported`, or several. @default that of the class, or else all of them */
  readonly version?: string | readonly string[];
  /**
   * Since when clients should leave it: `Deprecation` and `Sunset` of its answers.
   *
   * @default what the class says, or the version
   */
  readonly deprecated?: DeprecationOptions;
}

/** @internal */
export interface ClassMappingOptions extends VersionOptions {
  /** The prefix of the paths of all its handlers. @default "" */
  readonly path?: string;
}

/** @internal */
export interface MappingOptions<
  P extends string = string,
  I = unknown,
> extends VersionOptions {
  /** `{v}`, `{v:regex}`, `*` within a segment; at the end `/**` or `{*v}`. @default "" */
  readonly path?: P;
  /** Media types of the bodies that it takes, such as `application/json` or `image/*`; others get 415. */
  readonly consumes?: string | readonly string[];
  /** Media types that it answers with, the preferred one first; who accepts none of them gets 406. */
  readonly produces?: string | readonly string[];
  /** Bytes of a body, in place of `server.max-body-size`. */
  readonly maxBodySize?: number;
  /** Status of what it returns, unless that is a `ResponseEntity` or a `Response`. @default 200 */
  readonly status?: HttpStatus;
  /** What it answers with (2xx): a Standard Schema that every body passes through, so that nothing else is sent. */
  readonly returns?: SchemaOf<I>;
  /** The problems that it answers with: classes made by `Problem()`, or statuses alone. */
  readonly problems?: readonly (ProblemClass | HttpStatus)[];
}

/** @internal */
export interface RequestMappingOptions<
  P extends string = string,
  I = unknown,
> extends MappingOptions<P, I> {
  /** One method or several. */
  readonly method: HttpMethod | readonly HttpMethod[];
}

/**
 * A binder for each value, in order; a path variable has to be one of the path.
 *
 * @internal
 */
export type Binders<P extends string, A extends unknown[]> = {
  [I in keyof A]: Binder<A[I], VariablesOf<P>>;
};

/**
 * Decorates a method that takes what the binders give and then, if it likes, the request, and that gives what the schema of
 * `returns` takes, if any. Conditional, so that the values are not inferred from the method that is checked against them,
 * and so that declarations of others write it out.
 *
 * @internal
 */
export type HandlerDecorator<A extends unknown[], I = unknown> = A extends [...infer X]
  ? unknown extends I ? <This>(
      method: (this: This, ...parameters: [...X, HttpRequest]) => unknown,
      context: ClassMethodDecoratorContext<This>,
    ) => void
  : <This, T extends Returned<I>>(
    method: (this: This, ...parameters: [...X, HttpRequest]) => T,
    context: ClassMethodDecoratorContext<This>,
  ) => Fitting<T, I>
  : never;

/**
 * A mapping decorator of one method: takes the path, or the path with options, and where each parameter of the handler
 * comes from, in their order.
 *
 * @internal
 */
export type Mapping = <const P extends string = "", A extends unknown[] = [], I = unknown>(
  path?: P | MappingOptions<P, I>,
  ...binders: Binders<P, A>
) => HandlerDecorator<A, I>;
