import type { Application } from "../../app/mod.ts";
import { SchemaReader } from "../contract/reader.ts";
import { type DocumentOptions, documentVersions, openApiDocument } from "../openapi/mod.ts";
import { quoted } from "../../text/mod.ts";
import { apiVersionsOf, servedRoute } from "../../web/mod.ts";
import { answerProblems } from "./answers.ts";
import { Attempts, type Tried } from "./attempts.ts";
import { type Operation, operationsOf } from "./operation.ts";
import { Random } from "./random.ts";
import { NoSample, type Planned, Requests } from "./requests.ts";
import { type GivenValues, Samples } from "./samples.ts";
import { type SchemaChecks, schemaChecks } from "./schema_checks.ts";
import { writeRequest } from "./write_request.ts";

/** Options of `verify`, with those of `openApi()`; without `apiVersion` all versions are verified. */
export interface VerifyOptions extends DocumentOptions {
  /** The same seed sends the same requests. @default 1 */
  readonly seed?: number;
  /** Valid requests for each operation; each invalid request is sent once. @default 20 */
  readonly runs?: number;
  /** Header fields of each request, such as `Authorization` for protected operations. */
  readonly headers?: HeadersInit;
  /** Header fields of one operation, which override `headers`: `{ "DELETE /users/{id}": { Authorization: "Bearer admin" } }`. */
  readonly operationHeaders?: Readonly<Record<string, HeadersInit>>;
  /** Only these operations: `GET /users/{id}`, `/users/{id}` for all methods, or an operation's id. @default all */
  readonly only?: readonly string[];
  /** Operations that are skipped. @default none */
  readonly except?: readonly string[];
  /**
   * Values for parameters and fields by name, and for bodies by operation, sent where they fit the schema:
   * `{ id: [1, 2], "POST /users": [{ name: "Ada" }] }`
   */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /**
   * Operations that never return a 2xx or 3xx in this test; any other such operation is a violation. With a status,
   * `POST /orders 409`, valid requests may only return that status. @default none
   */
  readonly failing?: readonly string[];
}

/** The result of a verification. */
export interface VerifyReport {
  /** The seed of the requests. */
  readonly seed: number;
  /** The number of verified operations. */
  readonly operations: number;
  /** The number of requests. */
  readonly requests: number;
  /** Operations without a success: those of `failing`, and protected ones without `headers`. `GET /users/{id}`. */
  readonly failing: readonly string[];
}

/** A difference between an operation and the document. */
export interface Violation {
  /** Such as `GET /users/{id}`. */
  readonly operation: string;
  /** The problem, for people. */
  readonly problem: string;
  /** The first request with the violation. */
  readonly request: string;
  /** The number of such requests. */
  readonly times: number;
}

/** Thrown for an application that does not match its OpenAPI document. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
  /** The code of `node:assert`, so that test runners report a failed assertion. */
  readonly code = "ERR_ASSERTION";

  /** Lists the violations. */
  constructor(
    readonly violations: readonly Violation[],
    readonly seed: number,
  ) {
    super(messageOf(violations, seed));
  }
}

/**
 * Sends generated requests to every operation of the application's OpenAPI document, without a port: valid requests,
 * requests at the limits, and invalid ones. These are violations:
 *
 * - a status that the operation does not declare (`default` only declares the body of errors)
 * - a body, content type or field that is not declared
 * - a response without credentials from an operation with `security`
 * - a 2xx for an invalid request, and a rejected valid request
 * - no 2xx or 3xx for any valid request, as then nothing else was verified; ids come from `values`, from examples of
 *   schemas, and from other responses (`Location`, the `id` of items)
 *
 * Protected operations may return 401 without `headers`, and are listed. Requests change data: use a separate application.
 *
 * ```ts ignore
 * await using app = await testApplication({ root: import.meta.dirname });
 * await verify(app, { values: { id: [1, 2] } });
 * ```
 *
 * @throws {VerificationError} with the violations and the seed
 * @throws {PackageNotFoundError} when `@cfworker/json-schema` is not installed
 * @throws {ApiVersionError} when `apiVersion` does not exist
 * @throws {TypeError} when `only`, `except`, `failing` or `operationHeaders` name no operation
 */
export async function verify(
  app: Pick<Application, "routeTable" | "request">,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const { seed = 1, apiVersion } = options;
  const documents = documentVersions(app.routeTable, apiVersion)
    .map((apiVersion) => readApi(app.routeTable, { ...options, apiVersion }));
  const operations = documents.flatMap(({ operations }) => operations);
  rejectUnknownNames(operations, options);
  const verification = new Verification(app, options);
  for (const document of documents) await verification.run(document, documents.length > 1);
  const { violations, sent, failing } = verification;
  if (violations.size > 0) throw new VerificationError([...violations.values()], seed);
  const count = operations.filter((operation) => isIncluded(operation, options)).length;
  return { seed, operations: count, requests: sent, failing };
}

type Described = ReturnType<typeof readApi>;

function readApi(routes: Application["routeTable"], options: VerifyOptions) {
  const document = openApiDocument(routes, { title: "", version: "" }, options);
  const reader = new SchemaReader(document);
  const header = apiVersionsOf(routes.map(servedRoute))?.headerName;
  const operations = operationsOf(document, reader, header);
  return { reader, operations, apiVersion: options.apiVersion };
}

class Verification {
  readonly violations = new Map<string, Violation>();
  readonly failing: string[] = [];
  sent = 0;
  #suffix = "";

  constructor(
    readonly app: Pick<Application, "request">,
    readonly options: VerifyOptions,
  ) {}

  async run({ reader, operations, apiVersion }: Described, isOneOfMany: boolean): Promise<void> {
    const { options } = this;
    this.#suffix = isOneOfMany ? ` of version ${apiVersion}` : "";
    const checks = await schemaChecks(reader);
    const attempts = new Attempts(
      operations.filter((operation) => isIncluded(operation, options)),
      options.values ?? {},
    );
    for (const { operation, values, isAgain } of attempts.all()) {
      const random = new Random(options.seed ?? 1, operation.key);
      const given = { ...headerValues(operation, headersOf(operation, options)), ...values };
      const samples = new Samples(checks, random, given);
      const requests = new Requests(operation, checks, samples);
      let isTriedWithout = !operation.isProtected;
      try {
        for await (const planned of requests.all(options.runs ?? 20, isAgain)) {
          if (!isTriedWithout) await this.#sendWithoutHeaders(operation, planned);
          isTriedWithout = true;
          await this.#send(operation, planned, attempts, checks);
        }
      } catch (error) {
        if (!(error instanceof NoSample)) throw error;
        this.#add(operation, error.message, "none was sent");
      }
    }
    for (const failed of attempts.failed()) this.#addFailed(failed);
  }

  async #sendWithoutHeaders(operation: Operation, planned: Planned): Promise<void> {
    const { path, init, text } = writeRequest(operation, planned, {});
    this.sent++;
    const { status, body } = await this.app.request(path, init);
    await body?.cancel();
    if (status === 401) return;
    this.#add(operation, `status ${status} without credentials, expected 401`, text);
  }

  async #send(
    operation: Operation,
    planned: Planned,
    attempts: Attempts,
    checks: SchemaChecks,
  ): Promise<void> {
    const headers = headersOf(operation, this.options);
    const { path, init, text } = writeRequest(operation, planned, headers);
    this.sent++;
    const response = await this.app.request(path, init);
    await attempts.add(operation, text, response, planned.expected);
    // Authentication comes before validation.
    const isRefused = operation.isProtected && response.status === 401;
    const isExpected = failingStatuses(operation, this.options).includes(response.status);
    const { outcome } = planned.expected;
    if (isRefused && !isExpected && outcome === "accepted" && [...headers].length > 0) {
      this.#add(operation, "status 401 with the headers that were given", text);
    }
    const expected = isRefused || isExpected ? { outcome: "open" } as const : planned.expected;
    const { responses } = operation;
    for (const problem of await answerProblems(response, responses, expected, checks)) {
      this.#add(operation, problem, `${text} (${planned.about})`);
    }
  }

  #addFailed({ operation, statuses, request }: Tried): void {
    const { options } = this;
    const name = `${operation.key}${this.#suffix}`;
    this.failing.push(name);
    const isKnown = [...this.violations.values()].some((one) => one.operation === name);
    if (isKnown || options.failing?.some((one) => isNamed(operation, one))) return;
    const expected = failingStatuses(operation, options);
    // Without credentials, only 401 can be verified.
    const hasHeaders = [...headersOf(operation, options)].length > 0;
    if (operation.isProtected && !hasHeaders) expected.push(401);
    if ([...statuses.keys()].every((status) => expected.includes(status))) return;
    const texts = [...statuses].map(([status, times]) => `${status} (${times})`).join(", ");
    const problem =
      `no valid request was answered with a 2xx or 3xx, but with ${texts}: give ids that exist by 'values', ` +
      "credentials by 'headers', or name it in 'failing'";
    this.#add(operation, problem, request);
  }

  #add({ key }: Operation, problem: string, request: string): void {
    const operation = `${key}${this.#suffix}`;
    const id = `${operation} ${problem}`;
    const { times = 0, ...first } = this.violations.get(id) ?? { operation, problem, request };
    this.violations.set(id, { ...first, times: times + 1 });
  }
}

function headersOf(one: Operation, { headers, operationHeaders = {} }: VerifyOptions): Headers {
  const own = Object.entries(operationHeaders).filter(([name]) => isNamed(one, name));
  const all = [headers, ...own.map(([, given]) => given)].flatMap((some) => [...new Headers(some)]);
  return new Headers(Object.fromEntries(all));
}

const WITH_STATUS = /^(.+) (\d{3})$/;

function failingStatuses(operation: Operation, { failing = [] }: VerifyOptions): number[] {
  return failing.flatMap((name) => {
    const [, named = "", status] = WITH_STATUS.exec(name) ?? [];
    return isNamed(operation, named) ? [Number(status)] : [];
  });
}

function headerValues({ parameters }: Operation, headers: Headers): GivenValues {
  return Object.fromEntries(parameters.flatMap(({ in: place, name }) => {
    const value = place === "header" ? headers.get(name) : null;
    return value === null ? [] : [[name, [value]]];
  }));
}

function isNamed({ key, path, operationId }: Operation, name: string): boolean {
  return name === key || name === path || name === operationId;
}

function isIncluded(operation: Operation, { only, except = [] }: VerifyOptions): boolean {
  return (only === undefined || only.some((name) => isNamed(operation, name))) &&
    !except.some((name) => isNamed(operation, name));
}

function rejectUnknownNames(
  operations: readonly Operation[],
  { only = [], except = [], failing = [], operationHeaders = {} }: VerifyOptions,
): void {
  const names = failing.map((name) => WITH_STATUS.exec(name)?.[1] ?? name);
  for (const name of [...only, ...except, ...names, ...Object.keys(operationHeaders)]) {
    if (operations.some((operation) => isNamed(operation, name))) continue;
    throw new TypeError(
      `Cannot verify '${name}': expected one of ${quoted(operations.map(({ key }) => key))}`,
    );
  }
}

function messageOf(violations: readonly Violation[], seed: number): string {
  const lines = violations.map(({ operation, problem, request, times }) => {
    const more = times > 1 ? ` and ${times - 1} more` : "";
    return `\n  ${operation}: ${problem}\n    ${request}${more}`;
  }).join("");
  const count = `${violations.length} violation${violations.length === 1 ? "" : "s"}`;
  return `The application does not match its OpenAPI document: ${count} (seed ${seed})${lines}`;
}
