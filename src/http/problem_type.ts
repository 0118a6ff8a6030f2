import type { StandardSchemaV1 } from "@standard-schema/spec";
import { validateNow } from "../schema/mod.ts";
import { HttpError, type HttpErrorOptions } from "./error.ts";
import { problem, type ProblemDetail } from "./problem.ts";
import { type HttpStatus, requireStatus } from "./status.ts";

/**
 * A base class for an error that is answered with problem details of a kind of its own (RFC 9457): thrown by handlers,
 * and named by the `problems` of their mappings, so that documents and clients know it.
 *
 * ```ts ignore
 * class OutOfStock extends Problem({
 *   status: HttpStatus.CONFLICT,
 *   type: "/problems/out-of-stock",
 *   schema: z.object({ sku: z.string() }),
 * }) {}
 *
 * throw new OutOfStock({ sku: "A-1" }, "Two are left");
 * // 409 { "type": "/problems/out-of-stock", "title": "Conflict", "status": 409, "detail": "Two are left", "sku": "A-1" }
 * ```
 *
 * With a `schema`, its data is the first argument: it passes through the schema when the error is made, which throws a
 * `TypeError` where it does not fit. Then, or without a schema first, come the detail, for the client, and the options of
 * an {@linkcode HttpError}, which it is.
 *
 * The detail of a 5xx is only logged; its declared data is sent.
 *
 * @param declaration `status` (400 to 599), `type` (a URI), `title` (the reason phrase of the status when left out), `schema`
 * @throws {RangeError} for a status below 400
 */
export function Problem<S extends StandardSchemaV1<unknown, object> | undefined = undefined>(
  declaration: ProblemDeclaration<S>,
): ProblemBase<S> {
  const { status, type, schema } = declaration;
  requireStatus(status);
  if (status.value < 400) {
    throw new RangeError(
      `Cannot declare the problem '${type}': expected a status from 400 to 599, found ${status.value}`,
    );
  }
  return class extends HttpError {
    static readonly problem = declaration;
    override readonly name: string;

    constructor(...given: unknown[]) {
      const data = schema && validated(type, schema, given.shift());
      const [detail, options] = given as [string?, HttpErrorOptions?];
      super(status, detail ?? declaration.title, options);
      this.name = new.target.name;
      const parts: ProblemParts = { declaration, data, detail };
      // Not enumerable: who logs an error wants its message.
      Object.defineProperty(this, PARTS, { value: parts });
    }
  } as unknown as ProblemBase<S>;
}

/** @internal */
interface ProblemDeclaration<
  S extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  readonly status: HttpStatus;
  /** A URI for the kind of problem, which clients tell it by (RFC 9457, 3.1.1). */
  readonly type: string;
  /** In a few words, the same every time. @default the reason phrase of the status */
  readonly title?: string;
  /** Schema of the extension members, an object (RFC 9457, 3.2). */
  readonly schema?: S;
}

/** @internal */
interface ProblemBase<S extends StandardSchemaV1 | undefined> {
  new (
    ...parameters: S extends StandardSchemaV1
      ? [data: StandardSchemaV1.InferInput<S>, detail?: string, options?: HttpErrorOptions]
      : [detail?: string, options?: HttpErrorOptions]
  ): HttpError;
  readonly problem: ProblemDeclaration<S>;
}

/** @internal */
export interface ProblemClass {
  /** Without a type the schema is that of the whole body. */
  readonly problem: Omit<ProblemDeclaration, "type"> & { readonly type?: string };
  readonly name: string;
}

export function problemStatus(one: ProblemClass | HttpStatus): HttpStatus {
  return "problem" in one ? one.problem.status : one;
}

/** The URI of the kind of problem that a mapping names: of a status alone the one that says no more (RFC 9457, 4.2.1). */
export function problemTypeOf(one: ProblemClass | HttpStatus): string | undefined {
  return "problem" in one ? one.problem.type : "about:blank";
}

export function declaredProblem(error: unknown, instance: string): ProblemDetail | undefined {
  if (typeof error !== "object" || error === null || !(PARTS in error)) return undefined;
  const { declaration: { status, type, title }, data, detail } = error[PARTS] as ProblemParts;
  const made = problem(status, { detail, instance });
  return Object.assign(made, data, { ...made, type, title: title ?? made.title });
}

interface ProblemParts {
  readonly declaration: ProblemDeclaration;
  readonly data?: object;
  readonly detail?: string;
}

const PARTS = Symbol.for("irori: parts of the problem");

function validated(type: string, schema: StandardSchemaV1, data: unknown): object {
  const what = `Cannot create the problem '${type}'`;
  const result = validateNow(schema, data, what);
  if (!result.issues && typeof result.value === "object" && result.value) return result.value;
  throw new TypeError(`${what}: the data does not match its schema`);
}
