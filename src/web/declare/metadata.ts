import type { StandardSchemaV1 } from "@standard-schema/spec";
import { allMetadata, MetadataKey, ownMetadata, type Type } from "../../container/mod.ts";
import type { HttpRequest, HttpStatus, ProblemClass } from "../../http/mod.ts";
import type { Deprecation } from "../answer/deprecation.ts";
import type { BinderParts } from "../bind/binder.ts";
import { MappingError } from "../errors.ts";
import type { HttpMethod, MiddlewareSource } from "../types.ts";

/** What a mapping on a method declares. */
export interface HandlerMapping {
  readonly handler: string;
  readonly methods: readonly HttpMethod[];
  readonly path: string;
  readonly binders: readonly BinderParts[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly maxBodySize?: number;
  readonly status?: HttpStatus;
  readonly returns?: StandardSchemaV1;
  readonly problems: readonly (ProblemClass | HttpStatus)[];
  readonly versioned: Versioned;
}

/** Which versions of the API a class or a method belongs to. */
export interface Versioned {
  readonly versions?: readonly string[];
  readonly deprecation?: Deprecation;
}

/** Middleware of a class (`handler` absent) or of one of its methods. */
export interface MiddlewareUse {
  readonly handler?: string;
  readonly middleware: readonly MiddlewareSource[];
}

/** What `@ExceptionHandler` on a method declares. */
export interface ExceptionMapping {
  readonly handler: string;
  /** At least one. */
  readonly types: readonly Type<Error>[];
  /**
   * Finds the handlers of a class among all that it declares: with the decorator, so that a bundle without it has none.
   *
   * @throws {MappingError} when two of them stand for one class of errors, or a class names a status that is none
   */
  readonly handlersOf: (type: Type<unknown>, bean: object) => ErrorHandlers;
}

/** The handlers of errors of one place: an advice, or a controller. */
export interface ErrorHandlers {
  /** The handler of the nearest class of an error. */
  find(error: unknown): ErrorHandler | undefined;
}

/** A method that answers errors. */
export interface ErrorHandler {
  /** Its name in messages: `OrderErrors.outOfStock`. */
  readonly label: string;
  handle(error: unknown, request: HttpRequest): unknown;
}

/** Marks a class as a controller. */
export const CONTROLLERS: MetadataKey<true> = new MetadataKey("controller");
/** Marks a class as an advice: its handlers of errors count for the whole application. */
export const ADVICES: MetadataKey<true> = new MetadataKey("advice");
export const EXCEPTIONS: MetadataKey<ExceptionMapping> = new MetadataKey("exception");
export const MAPPINGS: MetadataKey<HandlerMapping> = new MetadataKey("mapping");
/** Prefix of all paths of a class. */
export const PREFIXES: MetadataKey<string> = new MetadataKey("prefix");
/** What all handlers of a class have that say nothing else. */
export const VERSIONED: MetadataKey<Versioned> = new MetadataKey("versioned");
export const MIDDLEWARE: MetadataKey<MiddlewareUse> = new MetadataKey("middleware");

/**
 * What a class and those that it extends declare of their methods, the oldest first. A subclass that declares an inherited
 * method again replaces the declaration of its base.
 */
export function effectiveDeclarations<T extends { readonly handler: string }>(
  type: Type<unknown>,
  key: MetadataKey<T>,
): readonly T[] {
  const own = ownMetadata(type, key);
  const all = allMetadata(type, key);
  if (own.length === all.length) return own;
  const redeclared = new Set(own.map(({ handler }) => handler));
  return [
    ...effectiveDeclarations(Object.getPrototypeOf(type), key).filter(({ handler }) =>
      !redeclared.has(handler)
    ),
    ...own,
  ];
}

/**
 * The name of a method that can be a handler.
 *
 * @throws {MappingError} for anything else that a decorator may stand on
 */
export function handlerName(decorator: string, context: ClassMethodDecoratorContext): string {
  const { kind, name } = context;
  if (kind === "method" && !context.static && !context.private && typeof name === "string") {
    return name;
  }
  const found = [context.static && "static", context.private && "private", kind];
  if (typeof name === "symbol") found.push("named by a symbol");
  throw new MappingError(
    `Cannot apply @${decorator} to '${String(name)}': expected a public method of instances, ` +
      `found a ${found.filter(Boolean).join(" ")}`,
  );
}
