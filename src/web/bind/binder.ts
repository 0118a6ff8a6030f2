import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Context } from "hono";
import type { Beans } from "../../container/mod.ts";
import { HttpRequest, type Received, type Serving, withAppendedHeader } from "../../http/mod.ts";
import type { JsonSchema } from "../../schema/mod.ts";
import { followedBy } from "../../text/mod.ts";
import type { PlaceName } from "./places.ts";
import { parseQuery, type QueryParams } from "./query.ts";
import { MappingError } from "../errors.ts";
import type { Access, Decisions, LaneRequest, Subject, VariableReader } from "../types.ts";

/**
 * Declares where one parameter of a handler comes from. Mappings list their binders in the order of the parameters; the
 * compiler compares the types of both. {@linkcode binder} creates custom ones.
 *
 * @typeParam T type of the parameter
 * @typeParam Variable the path variable that is read, `never` if none is
 */
export interface Binder<T, Variable extends string = never> {
  /** Type only; absent at run time. */
  readonly "~value"?: () => T;
  /** Type only; absent at run time. */
  readonly "~variable"?: Variable;
  /** Internal parts. */
  readonly "~parts": unknown;
}

export interface BinderParts {
  readonly input: BinderInput;
  /** Called once for each route, at startup. @throws {MappingError} when the route has no such variable */
  compile(site: BindingSite): Bind;
  readonly fields?: AnswerFields;
}

export interface AnswerFields {
  readonly descriptions: Readonly<Record<string, string>>;
  of(exchange: Exchange, value: unknown): readonly (readonly [name: string, value: string])[];
  /** Stored by the binder, so that a bundle without such binders does not include it. */
  collected(sources: readonly AnswerFields[]): {
    /** Reads the return value before a schema transforms it. */
    looking(invoke: Bind): Bind;
    addedTo(response: Response, exchange: Exchange): Response;
  };
}

export function answerFields(
  descriptions: AnswerFields["descriptions"],
  of: AnswerFields["of"],
): AnswerFields {
  return { descriptions, of, collected };
}

const collected: AnswerFields["collected"] = (sources) => {
  const known = new WeakMap<Exchange, readonly (readonly [string, string])[]>();
  return {
    looking: (invoke) => (exchange) =>
      followedBy(invoke(exchange), (value) => {
        known.set(exchange, sources.flatMap((source) => source.of(exchange, value)));
        return value;
      }),
    addedTo: (response, exchange) =>
      (known.get(exchange) ?? []).reduce(
        (response, [name, value]) => withAppendedHeader(response, name, value),
        response,
      ),
  };
};

export type Bind = (exchange: Exchange) => unknown;

export interface BinderInput {
  readonly in: PlaceName;
  readonly name?: string;
  readonly required: boolean;
  readonly list: boolean;
  /** A word, a list of literals or a schema; absent if any value is accepted. */
  readonly type?: string | readonly string[] | StandardSchemaV1;
  readonly defaultValue?: unknown;
  /** Whether it binds the user, so that the request must be authenticated first. */
  readonly isUser?: true;
  /** Statuses that it leads to, beside 400, if it is a precondition on the `ETag` of a resource. */
  readonly statuses?: readonly number[];
  /** The JSON Schema of each query parameter, by name, if it reads several. */
  readonly parameters?: Readonly<Record<string, JsonSchema>>;
}

export interface BindingSite {
  variable(name: string, of: "method" | "class"): VariableReader;
  readonly beans: Beans;
  readonly consumes: readonly string[];
  readonly inputs: readonly BinderInput[];
  readonly label: string;
  readonly guard?: Decisions;
  readonly access?: Access;
}

/**
 * Creates a custom binder.
 *
 * ```ts ignore
 * const CurrentUser = binder((request) => request.context.get("user") as User);
 * const Tenant = binder((request, beans) => beans.get(Tenants).of(request.header("X-Tenant")));
 *
 * @GetMapping("/me", CurrentUser)
 * me(user: User) { … }
 * ```
 *
 * @param bind returns the value of the parameter; its errors are handled like those of handlers
 */
export function binder<T>(
  bind: (request: HttpRequest, beans: Beans) => T,
): Binder<Awaited<T>> {
  return binderOf({
    input: { in: "custom", required: true, list: false },
    compile: ({ beans }) => (exchange) =>
      followedBy(bind(exchange.request, beans), (value) => value),
  });
}

/** Nested, so that the parts are not listed among the members of a binder. */
export function binderOf<T, Variable extends string = never>(
  parts: BinderParts,
): Binder<T, Variable> {
  return { "~parts": parts };
}

export function binderParts(binder: Binder<unknown, string> | undefined): BinderParts | undefined {
  return binder?.["~parts"] as BinderParts | undefined;
}

/** Rejects an invalid argument of a binder, which would otherwise be ignored. @throws {MappingError} */
export function refuseDeclared(what: string, expected: string, found: unknown): never {
  const shown = typeof found === "function"
    ? `the ${String(found).startsWith("class") ? "class" : "function"} '${found.name}'`
    : typeof found === "object" && found !== null
    ? "an object"
    : `'${found}'`;
  throw new MappingError(`Cannot bind ${what}: expected ${expected}, found ${shown}`);
}

/** The parts that all requests of a route share. */
export interface ExchangeParts {
  readonly variables: ReadonlyMap<string, VariableReader>;
  readonly maxFormFields: number;
  readonly serving?: Serving;
}

export abstract class Exchange implements LaneRequest {
  #request?: HttpRequest;
  #query?: QueryParams;

  abstract readonly context: Context;
  abstract readonly subject: Subject;
  abstract readonly parts: ExchangeParts;
  abstract readonly path: string;
  abstract readonly target: string;
  abstract param(name: string): string | undefined;
  abstract header(name: string): string | null;
  /** Reads the body at most once; a promise unless it has arrived. @throws {HttpError} 400, 408, 413, 503 */
  abstract receive<T>(use: (bytes: Received) => T): T | Promise<T>;

  get request(): HttpRequest {
    return this.#request ??= new HttpRequest(this, undefined, this.parts.serving);
  }

  unrouted(): HttpRequest {
    return new HttpRequest(this, () => undefined, this.parts.serving);
  }

  variable(name: string): string | undefined {
    return this.parts.variables.get(name)?.(this);
  }

  get isContextSeen(): boolean {
    return this.#request?.isContextSeen === true;
  }

  get query(): QueryParams {
    return this.#query ??= parseQuery(this.target);
  }
}
