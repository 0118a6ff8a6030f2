import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Context } from "hono";
import type { Beans } from "../../container/mod.ts";
import { HttpRequest, type Serving } from "../../http/mod.ts";
import { directTarget } from "../../runtime/mod.ts";
import type { JsonSchema } from "../../schema/mod.ts";
import { isThenable } from "../../text/mod.ts";
import { parseQuery, type Query } from "./query.ts";
import { MappingError } from "../errors.ts";
import type { Access, Decisions, VariableReader } from "../types.ts";

/**
 * Says where one parameter of a handler comes from. Mappings list their binders in the order of the
 * parameters; the compiler compares the types of both. {@linkcode binder} creates custom ones.
 *
 * @typeParam T what the parameter receives
 * @typeParam Variable the path variable that is read, `never` when none is
 */
export interface Binder<T, Variable extends string = never> {
  /** Only for the compiler: never there at run time. */
  readonly "~value"?: () => T;
  /** Only for the compiler: never there at run time. */
  readonly "~variable"?: Variable;
  /** What the library binds with. */
  readonly "~parts": unknown;
}

export interface BinderParts {
  readonly input: BinderInput;
  /**
   * Prepares the binding for one route, once, at startup.
   *
   * @throws {MappingError} when the route has nothing of this name
   */
  compile(site: BindingSite): Bind;
  readonly fields?: AnswerFields;
}

/** Header fields that a binder adds to answers. */
export interface AnswerFields {
  readonly descriptions: Readonly<Record<string, string>>;
  of(exchange: Exchange, value: unknown): readonly (readonly [name: string, value: string])[];
}

/** Gives the value of a parameter; a promise only where something is asynchronous. */
export type Bind = (exchange: Exchange) => unknown;

/** Where a binder reads, as data. */
export interface BinderInput {
  readonly in: "path" | "query" | "header" | "cookie" | "body" | "form" | "part" | "custom";
  readonly name?: string;
  readonly required: boolean;
  readonly list: boolean;
  /** A word, a list of literals or a schema; absent where anything goes. */
  readonly type?: string | readonly string[] | StandardSchemaV1;
  readonly defaultValue?: unknown;
  /** Whether it gives who asks, who has to be found out before. */
  readonly isUser?: true;
  /** Where it reads several parameters of the query, and no other: the JSON Schema of each, by its name. */
  readonly parameters?: Readonly<Record<string, JsonSchema>>;
}

/** What a route offers its binders at startup. */
export interface BindingSite {
  /** Reads a variable of the path of the method, or of the prefix of the class. */
  variable(name: string, of: "method" | "class"): VariableReader;
  readonly beans: Beans;
  readonly consumes: readonly string[];
  readonly inputs: readonly BinderInput[];
  readonly label: string;
  /** The guard of the route, and its access; absent without `security()`. */
  readonly guard?: Decisions;
  readonly access?: Access;
}

/**
 * A custom binder.
 *
 * ```ts ignore
 * const CurrentUser = binder((request) => request.context.get("user") as User);
 *
 * @GetMapping("/me", CurrentUser)
 * me(user: User) { … }
 * ```
 *
 * With beans:
 *
 * ```ts ignore
 * const Tenant = binder((request, beans) => beans.get(Tenants).of(request.header("X-Tenant")));
 * ```
 *
 * @param bind gives the value of the parameter; what it throws is answered like what a handler throws
 */
export function binder<T>(
  bind: (request: HttpRequest, beans: Beans) => T,
): Binder<Awaited<T>> {
  return binderOf({
    input: { in: "custom", required: true, list: false },
    compile: ({ beans }) => (exchange) => {
      const value = bind(exchange.request, beans);
      return isThenable(value) ? Promise.resolve(value) : value;
    },
  });
}

/** Hides the parts of a binder from code that lists its members. */
export function binderOf<T, Variable extends string = never>(
  parts: BinderParts,
): Binder<T, Variable> {
  return { "~parts": parts };
}

export function partsOf(binder: Binder<unknown, string> | undefined): BinderParts | undefined {
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

export class Exchange {
  #request?: HttpRequest;
  #query?: Query;

  constructor(
    readonly context: Context,
    readonly variables: ReadonlyMap<string, VariableReader>,
    readonly maxFormFields: number,
    readonly serving?: Serving,
  ) {}

  get request(): HttpRequest {
    return this.#request ??= new HttpRequest(this.context, (name) => {
      return this.variables.get(name)?.(this.context.req);
    }, this.serving);
  }

  /** Whether code had access to Hono's context, and may have set headers there. */
  get isContextSeen(): boolean {
    return this.#request?.isContextSeen === true;
  }

  get query(): Query {
    return this.#query ??= parseQuery(
      directTarget(this.context.req.raw) ?? this.context.req.raw.url,
    );
  }
}
