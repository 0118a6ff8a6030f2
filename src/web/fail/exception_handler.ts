import type { StandardSchemaV1 } from "@standard-schema/spec";
import { addMetadata, decorator, type MethodContext, type Type } from "../../container/mod.ts";
import {
  declaredProblem,
  declaredStatus,
  HttpError,
  type HttpRequest,
  HttpStatus,
  marksOf,
  type ProblemClass,
  problemStatus,
  requireStatus,
} from "../../http/mod.ts";
import { isSchema } from "../../schema/mod.ts";
import { answerCheck } from "../answer/returns.ts";
import { BindingError } from "../bind/binding_error.ts";
import { methodOf } from "../bind/invoke.ts";
import { isPlaced } from "../bind/places.ts";
import {
  effectiveDeclarations,
  type ErrorHandler,
  type ErrorHandlers,
  type ExceptionMapping,
  EXCEPTIONS,
  handlerName,
} from "../declare/metadata.ts";
import type { Fitting, Returned, SchemaOf } from "../declare/returns_types.ts";
import { rejectUnknownKeys } from "../declare/schema_rules.ts";
import { isHttpException, isHttpExceptionPrototype, MappingError } from "../errors.ts";
import type { SentProblem } from "../types.ts";

/**
 * Makes a method handle errors of these classes and their subclasses: in a `@ControllerAdvice()` those of the whole
 * application, in a controller those of its own routes, which take precedence. In one class the handler of the nearest
 * class of the error is called.
 *
 * ```ts ignore
 * @ExceptionHandler(OutOfStock, SoldOut)
 * unavailable(error: OutOfStock | SoldOut, request: HttpRequest) { … }
 * ```
 *
 * The return value is sent like that of a handler; its default status is that of an `HttpError`, the `[STATUS]` of the
 * error's class, or 500. An error that the method throws is logged, and the next handler is called; throwing the same
 * error passes it on.
 *
 * @throws {MappingError} when there is no class, a class does not extend `Error`, or the method is static or private
 */
export function ExceptionHandler<const C extends readonly [Type<Error>, ...Type<Error>[]]>(
  ...types: C
): <This>(
  method: (this: This, error: InstanceType<C[number]>, request: HttpRequest) => unknown,
  context: MethodContext<This>,
) => void;
/**
 * Declares what the method sends, too. For `BindingError`, `HttpError` and `Error` that is in the OpenAPI document and in
 * the contract of clients, as one response that all operations refer to.
 *
 * ```ts ignore
 * @ExceptionHandler({ status: HttpStatus.UNPROCESSABLE_ENTITY, returns: Invalid }, BindingError)
 * invalid({ errors }: BindingError) {
 *   return { fields: errors.map(({ message }) => message) };
 * }
 * ```
 */
export function ExceptionHandler<
  const C extends readonly [Type<Error>, ...Type<Error>[]],
  I = unknown,
>(
  options: ExceptionHandlerOptions<I>,
  ...types: C
): <This, T extends Returned<I> | Error>(
  method: (this: This, error: InstanceType<C[number]>, request: HttpRequest) => T,
  context: MethodContext<This>,
) => Fitting<Exclude<T, Error>, I>;
export function ExceptionHandler(...given: unknown[]): never {
  const called = [...given];
  const { status, returns } = (typeof given[0] === "object" ? given.shift() : {}) as {
    readonly status?: HttpStatus;
    readonly returns?: StandardSchemaV1 | ProblemClass;
  };
  const types = given as readonly Type<Error>[];
  const decorate = decorator("ExceptionHandler", called, (context: MethodContext) => {
    const handler = handlerName("ExceptionHandler", context);
    // Scripts are not told by the compiler.
    const odd = types.findIndex((type: unknown) =>
      type !== Error && !(typeof type === "function" && type.prototype instanceof Error)
    );
    if (types.length === 0 || odd !== -1) throw refused(handler, types.length > 0, types[odd]);
    const bodies = new Map<HttpStatus, ProblemClass>();
    const sends: SentProblem = (error = HttpStatus.INTERNAL_SERVER_ERROR) => {
      if (returns && "problem" in returns) return returns;
      const title = status ? undefined : "An error";
      const problem = { title, status: status ?? error, schema: returns };
      const known = bodies.get(problem.status) ?? { name: handler, problem };
      bodies.set(problem.status, known);
      return known;
    };
    const { problem: { type, status: sent, schema } } = sends();
    addMetadata(context, EXCEPTIONS, {
      handler,
      types,
      status: type === undefined ? status : sent,
      sends: returns && sends,
      check({ name }) {
        if (schema) rejectUnknownKeys(schema, "returns", `${name}.${handler}`);
      },
      handlersOf: errorHandlers,
      declaredIn,
    });
  });
  if (status !== undefined) requireStatus(status);
  if (returns !== undefined && !isSchema(returns) && !("problem" in Object(returns))) {
    throw new TypeError(
      `Cannot apply @ExceptionHandler: expected a Standard Schema or a class made by Problem() as 'returns', found ${typeof returns}`,
    );
  }
  return decorate as never;
}

/** @internal */
interface ExceptionHandlerOptions<I = unknown> {
  /** Status of what the method returns. @default that of the problem, or else of the error */
  readonly status?: HttpStatus;
  /** A schema that the body passes through, or a class made by `Problem()`, of which the method returns an instance. */
  readonly returns: SchemaOf<I> | ProblemClass;
}

const declaredIn: ExceptionMapping["declaredIn"] = (places) => {
  // As at run time, the nearest class in the first place that handles it.
  const sentFor = (error: unknown) => {
    const types: unknown[] = [];
    for (let type = error; type; type = Object.getPrototypeOf(type)) types.push(type);
    const found = places.flatMap((place) =>
      types.flatMap((type) => place.filter((one) => one.types.some((known) => known === type)))
    );
    return found[0]?.sends;
  };
  const invalid = sentFor(BindingError)?.(HttpStatus.BAD_REQUEST);
  const failed = { http: sentFor(HttpError), any: sentFor(Error) };
  return ({ binders, problems }) => {
    const sent = new Set(
      problems.map((one) =>
        sentFor("problem" in one ? one : HttpError)?.(problemStatus(one)) ?? one
      ),
    );
    const refused = binders.some(({ input }) => isPlaced(input)) ? invalid : undefined;
    return { problems: [...refused ? sent.add(refused) : sent], refused, failed };
  };
};

function refused(handler: string, hasTypes: boolean, odd: unknown): MappingError {
  const found = !hasTypes
    ? "none"
    : typeof odd === "function"
    ? `'${odd.name}', which does not extend Error`
    : odd === undefined
    ? "undefined; a module that imports this one has not defined its classes yet"
    : `a value of type ${typeof odd}`;
  return new MappingError(
    `Cannot apply @ExceptionHandler to '${handler}': expected one or more classes of errors, found ${found}`,
  );
}

/** Error classes are compared by identity, not by name. */
function errorHandlers(type: Type<unknown>, bean: object): ErrorHandlers {
  const known: { readonly isOf: PrototypeTest; readonly handler: ErrorHandler }[] = [];
  const handlerOf = (prototype: object, error?: unknown) =>
    known.find(({ isOf }) => isOf(prototype, error))?.handler;
  const add = (error: Type<Error>, handler: ErrorHandler) => {
    const labels = [handlerOf(error.prototype)?.label ?? handler.label, handler.label];
    if (labels[0] !== labels[1]) {
      const both = `'${labels[0]}' and '${labels[1]}' handle '${error.name}'`;
      throw new MappingError(`Two handlers handle the same errors: ${both}`, labels);
    }
    checkStatus(error, handler.label);
    known.push({ isOf: prototypeTest(error.prototype), handler });
  };
  for (const { handler: name, types, status, sends } of effectiveDeclarations(type, EXCEPTIONS)) {
    const label = `${type.name}.${name}`;
    const method = methodOf(bean, name, label);
    const { type: uri, schema } = sends?.().problem ?? {};
    const check = answerCheck(uri ? undefined : schema, `'${label}' returned`, 500, true);
    const handle: ErrorHandler["handle"] = async (error, request) => {
      const value = await method.call(bean, error, request);
      return declaredProblem(value, request.path) ?? (check ? check(value) : value);
    };
    for (const one of types) add(one, { label, status, handle });
  }
  return (error) => {
    if (typeof error !== "object" || error === null) return undefined;
    for (let of = Object.getPrototypeOf(error); of !== null; of = Object.getPrototypeOf(of)) {
      const found = handlerOf(of, error);
      if (found) return found;
    }
    return undefined;
  };
}

type PrototypeTest = (prototype: object, error: unknown) => boolean;

/** Classes of errors may exist in several copies. */
function prototypeTest(own: object): PrototypeTest {
  if (isHttpExceptionPrototype(own)) {
    return (other, error) =>
      other === own || isHttpExceptionPrototype(other) && isHttpException(error);
  }
  const marks = marksOf(own);
  return (other) => other === own || marks.some((mark) => Object.hasOwn(other, mark));
}

/** @throws {MappingError} when a class of errors has an invalid status */
export function checkStatus(type: Type<unknown>, label?: string): void {
  try {
    declaredStatus(type);
  } catch (error) {
    const { message } = error as Error;
    if (label === undefined) throw new MappingError(message);
    throw new MappingError(`${message} (handled by '${label}')`, [label]);
  }
}
