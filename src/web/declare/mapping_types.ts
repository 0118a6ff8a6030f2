import type { MethodContext } from "../../container/mod.ts";
import type { HttpRequest, HttpStatus, ProblemClass } from "../../http/mod.ts";
import type { DeprecationOptions } from "../answer/deprecation.ts";
import type { Binder } from "../bind/binder.ts";
import type { Fitting, Returned, SchemaOf } from "./returns_types.ts";
import type { HttpMethod } from "../types.ts";

/** @internal */
type VariablesOf<P extends string> = string extends P ? string
  : P extends `${string}{${infer V}}${infer R}` ? NameOf<V> | VariablesOf<R>
  : never;

/** @internal */
type NameOf<V extends string> = V extends `*${infer N}` ? N
  : V extends `${infer N}:${string}` ? N
  : V;

/** @internal */
export interface VersionOptions {
  /** One of `server.api-version.supported`, or several. @default that of the class, or else all of them */
  readonly version?: string | readonly string[];
  /** Deprecation, sent as `Deprecation` and `Sunset`. @default that of the class, or of the version */
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
  /** Accepted media types of bodies, such as `application/json` or `image/*`; others get 415. */
  readonly consumes?: string | readonly string[];
  /** Media types of responses, the preferred one first; 406 if the client accepts none. */
  readonly produces?: string | readonly string[];
  /** Maximum bytes of a body; overrides `server.max-body-size`. */
  readonly maxBodySize?: number;
  /** Status of the response, unless the handler returns a `ResponseEntity` or a `Response`. @default 200 */
  readonly status?: HttpStatus;
  /** A Standard Schema that every 2xx body passes through, so that no other fields are sent. */
  readonly returns?: SchemaOf<I>;
  /** Problems that it may return: classes made by `Problem()`, or statuses. */
  readonly problems?: readonly (ProblemClass | HttpStatus)[];
}

/** @internal */
export interface RequestMappingOptions<
  P extends string = string,
  I = unknown,
> extends MappingOptions<P, I> {
  readonly method: HttpMethod | readonly HttpMethod[];
}

/** @internal */
export type Binders<P extends string, A extends unknown[]> = {
  [I in keyof A]: Binder<A[I], VariablesOf<P>>;
};

/**
 * Decorates a method that takes the bound values and optionally the request, and returns what the schema of `returns` accepts.
 * Conditional, so that the values are not inferred from the method that is checked against them, and so that declaration
 * files spell it out.
 *
 * @internal
 */
export type HandlerDecorator<A extends unknown[], I = unknown> = A extends [...infer X]
  ? unknown extends I ? <This>(
      method: (this: This, ...parameters: [...X, HttpRequest]) => unknown,
      context: MethodContext<This>,
    ) => void
  : <This, T extends Returned<I>>(
    method: (this: This, ...parameters: [...X, HttpRequest]) => T,
    context: MethodContext<This>,
  ) => Fitting<T, I>
  : never;

/** @internal */
export type Mapping = <const P extends string = "", A extends unknown[] = [], I = unknown>(
  path?: P | MappingOptions<P, I>,
  ...binders: Binders<P, A>
) => HandlerDecorator<A, I>;
