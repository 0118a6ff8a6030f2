import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  lineage,
  type MetadataKey,
  metadataKey,
  type MethodContext,
  ownMetadata,
  type Type,
} from "../../container/mod.ts";
import type { HttpRequest, HttpStatus, ProblemClass } from "../../http/mod.ts";
import type { Deprecation } from "../answer/deprecation.ts";
import type { BinderParts } from "../bind/binder.ts";
import { MappingError } from "../errors.ts";
import type { DeclaredErrors, HttpMethod, MiddlewareSource, SentProblem } from "../types.ts";

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

export interface Versioned {
  readonly versions?: readonly string[];
  readonly deprecation?: Deprecation;
}

interface MiddlewareUse {
  readonly handler?: string;
  readonly middleware: readonly MiddlewareSource[];
}

export interface ExceptionMapping {
  readonly handler: string;
  readonly types: readonly Type<Error>[];
  readonly status?: HttpStatus;
  readonly sends?: SentProblem;
  /** @throws {MappingError} for a schema whose output may have unnamed keys */
  readonly check: (type: Type<unknown>) => void;
  /**
   * Stored by the decorator, so that a bundle without it does not include the handlers.
   *
   * @throws {MappingError} when two handlers handle one class of errors, or a class has an invalid status
   */
  readonly handlersOf: (type: Type<unknown>, bean: object) => ErrorHandlers;
  /** Likewise: what is declared at one of the places, the nearest first, for the errors of a mapping. */
  readonly declaredIn: (
    places: readonly (readonly ExceptionMapping[])[],
  ) => (mapping: HandlerMapping) => DeclaredErrors;
}

export type ErrorHandlers = (error: unknown) => ErrorHandler | undefined;

export interface ErrorHandler {
  readonly label: string;
  /** The status of the response that it returns. @default that of the error */
  readonly status?: HttpStatus;
  handle(error: unknown, request: HttpRequest): unknown;
}

/** Header fields of the answers of a class or a handler, which an extension adds. */
interface FieldDeclaration {
  readonly decorator: string;
  readonly handler?: string;
  /** Called where no extension adds any: it would have no effect. */
  refuse(type: Type<unknown>): never;
}

export const CONTROLLERS: MetadataKey<true> = metadataKey("controller");
export const ADVICES: MetadataKey<true> = metadataKey("advice");
export const EXCEPTIONS: MetadataKey<ExceptionMapping> = metadataKey("exception");
export const MAPPINGS: MetadataKey<HandlerMapping> = metadataKey("mapping");
export const PREFIXES: MetadataKey<string> = metadataKey("prefix");
export const VERSIONED: MetadataKey<Versioned> = metadataKey("versioned");
export const FIELDS: MetadataKey<FieldDeclaration> = metadataKey("fields");
export const MIDDLEWARE: MetadataKey<MiddlewareUse> = metadataKey("middleware");

/** The declarations of a class and its bases, the oldest first; a method declared again replaces that of the base. */
export function effectiveDeclarations<T extends { readonly handler: string }>(
  type: Type<unknown>,
  key: MetadataKey<T>,
): readonly T[] {
  return lineage(type).reduce<readonly T[]>((inherited, one) => {
    const own = ownMetadata(one, key);
    const redeclared = new Set(own.map(({ handler }) => handler));
    return [...inherited.filter(({ handler }) => !redeclared.has(handler)), ...own];
  }, []);
}

/** @throws {MappingError} unless the target is a public method of instances */
export function handlerName(decorator: string, context: MethodContext): string {
  const { kind, name } = context;
  if (kind === "method" && !context.static && !context.private && typeof name === "string") {
    return name;
  }
  const found = [context.static && "static", context.private && "private", kind];
  if (typeof name === "symbol") found.push("named by a symbol");
  throw new MappingError(
    `Cannot apply @${decorator} to '${String(name)}': expected a public instance method, ` +
      `found a ${found.filter(Boolean).join(" ")}`,
  );
}
