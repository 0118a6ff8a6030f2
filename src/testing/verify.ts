import type { Application } from "../app/mod.ts";
import { SchemaReader } from "../contract/reader.ts";
import { type DocumentOptions, documentVersions, openApiDocument } from "../openapi/mod.ts";
import { quoted } from "../text/mod.ts";
import { apiVersionsOf, servedRoute } from "../web/mod.ts";
import { answerProblems } from "./answers.ts";
import { Attempts, type FailedOperation } from "./attempts.ts";
import { type Operation, operationsOf } from "./operation.ts";
import { Random } from "./random.ts";
import { NoSample, type Planned, Requests } from "./requests.ts";
import { type GivenValues, Samples } from "./samples.ts";
import { type SchemaChecks, schemaChecks } from "./schema_checks.ts";
import { writeRequest } from "./write_request.ts";

/** Options of `verify`. The document is told what `openApi()` is told; without `apiVersion` those of all versions are. */
export interface VerifyOptions extends DocumentOptions {
  /** The same seed sends the same requests. @default 1 */
  readonly seed?: number;
  /** Valid requests for each operation; what is invalid about it is tried once each. @default 20 */
  readonly runs?: number;
  /** Sent with each request, such as `Authorization`: what is protected answers 401 without them. */
  readonly headers?: HeadersInit;
  /** Sent with one operation, over `headers`: `{ "DELETE /users/{id}": { Authorization: "Bearer admin" } }`. */
  readonly operationHeaders?: Readonly<Record<string, HeadersInit>>;
  /** Only these operations: `GET /users/{id}`, `/users/{id}` for all methods, or an operation's id. @default all */
  readonly only?: readonly string[];
  /** All but these. @default none */
  readonly except?: readonly string[];
  /**
   * Values to send for parameters and fields by name, and for bodies by operation: ids that exist, texts that no schema
   * describes. They are sent where they fit the schema. `{ id: [1, 2], "POST /users": [{ name: "Ada" }] }`
   */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /**
   * Operations that answer no request with a 2xx or 3xx in this test, such as one whose backend is not there. Any other
   * that does so is a violation: what was never seen to work is not verified. With a status, `POST /orders 409`, valid
   * requests may be answered with that one, and with no other. @default none
   */
  readonly failing?: readonly string[];
}

/** What was tried. */
export interface VerifyReport {
  /** Of the requests. */
  readonly seed: number;
  /** Of the document, as many as were asked for. */
  readonly operations: number;
  /** All that were sent. */
  readonly requests: number;
  /** Those that did not work: of `failing`, and what is protected where no `headers` were given. `GET /users/{id}`. */
  readonly failing: readonly string[];
}

/** One way in which an operation does not keep to the document. */
export interface Violation {
  /** Such as `GET /users/{id}`. */
  readonly operation: string;
  /** What is wrong. */
  readonly problem: string;
  /** The first request that showed it. */
  readonly request: string;
  /** How many did. */
  readonly times: number;
}

/** An application that does not do what its OpenAPI document says. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
  /** As of `node:assert`, so that test runners take it for a failed assertion. */
  readonly code = "ERR_ASSERTION";

  /** Lists the violations. */
  constructor(
    /** What was found. */
    readonly violations: readonly Violation[],
    /** With which it is found again. */
    readonly seed: number,
  ) {
    super(messageOf(violations, seed));
  }
}

/**
 * Sends generated requests to every operation of the application's OpenAPI document, without a port: valid ones, ones at
 * the limits, and invalid ones. Fails on a status that the operation does not declare (`default` stands for the body
 * of errors, and declares no status), on a body or content type that is not the declared one, fields that are not
 * named included, on an operation with `security` that answers without credentials, on a 2xx for what the document calls
 * invalid, and on a refusal of what it calls valid. Fails as well on an operation that never gives a 2xx or 3xx to a valid
 * request, of which nothing else was seen: ids that exist are taken from `values`, from examples of schemas, and from what
 * other operations answer (`Location`, the `id` of items). What is protected may answer 401 to requests without
 * `headers`, and is listed.
 *
 * It changes data, as its requests do: give it an application of its own.
 *
 * ```ts ignore
 * await using app = await testApplication({ root: import.meta.dirname });
 * await verify(app, { values: { id: [1, 2] } });
 * ```
 *
 * @throws {VerificationError} with the list of what was found, and the seed
 * @throws {PackageNotFoundError} when `@cfworker/json-schema` is not installed
 * @throws {ApiVersionError} when there is no document of `apiVersion`
 * @throws {TypeError} when `only`, `except`, `failing` or `operationHeaders` name no operation
 */
export async function verify(
  app: Pick<Application, "routes" | "request">,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const { seed = 1, apiVersion } = options;
  const documents = documentVersions(app.routes, apiVersion)
    .map((apiVersion) => describe(app.routes, { ...options, apiVersion }));
  const operations = documents.flatMap(({ operations }) => operations);
  rejectUnknownNames(operations, options);
  const verification = new Verification(app, options);
  for (const document of documents) await verification.run(document, documents.length > 1);
  const { violations, sent, failing } = verification;
  if (violations.size > 0) throw new VerificationError([...violations.values()], seed);
  const count = operations.filter((operation) => isIncluded(operation, options)).length;
  return { seed, operations: count, requests: sent, failing };
}

/** A document, with the version of the API where each version has its own. */
interface Described {
  readonly reader: SchemaReader;
  readonly operations: readonly Operation[];
  readonly apiVersion?: string;
}

function describe(routes: Application["routes"], options: VerifyOptions): Described {
  const reader = new SchemaReader(openApiDocument(routes, { title: "", version: "" }, options));
  const header = apiVersionsOf(routes.map(servedRoute))?.headerName;
  return { reader, operations: operationsOf(reader, header), apiVersion: options.apiVersion };
}

class Verification {
  readonly violations = new Map<string, Violation>();
  readonly failing: string[] = [];
  sent = 0;
  /** Added to the names of operations where there are several documents. */
  #suffix = "";

  constructor(
    readonly app: Pick<Application, "request">,
    readonly options: VerifyOptions,
  ) {}

  async run({ reader, operations, apiVersion }: Described, isOneOfMany: boolean): Promise<void> {
    const { options } = this;
    this.#suffix = isOneOfMany ? ` of version ${apiVersion}` : "";
    const checks = await schemaChecks(reader);
    const requests = new Requests(reader, checks);
    const attempts = new Attempts(
      operations.filter((operation) => isIncluded(operation, options)),
      options.values ?? {},
    );
    for (const { operation, values, isAgain } of attempts.all()) {
      const random = new Random(options.seed ?? 1, operation.key);
      const given = { ...headerValues(operation, headersOf(operation, options)), ...values };
      const samples = new Samples(reader, checks.fits, random, given);
      let isTriedWithout = !operation.isProtected;
      for await (const planned of requests.of(operation, samples, options.runs ?? 20, isAgain)) {
        if (planned instanceof NoSample) {
          this.#add(operation, planned.message, "none was sent");
          continue;
        }
        if (!isTriedWithout) await this.#sendWithoutHeaders(operation, planned);
        isTriedWithout = true;
        await this.#send(operation, planned, attempts, reader, checks);
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
    reader: SchemaReader,
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
    for (const problem of await answerProblems(response, responses, expected, reader, checks)) {
      this.#add(operation, problem, `${text} (${planned.about})`);
    }
  }

  #addFailed({ operation, statuses, request }: FailedOperation): void {
    const { options } = this;
    const name = `${operation.key}${this.#suffix}`;
    this.failing.push(name);
    // Another violation may be the cause.
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

/** The statuses that `failing` names for an operation. */
function failingStatuses(operation: Operation, { failing = [] }: VerifyOptions): number[] {
  return failing.flatMap((name) => {
    const [, named = "", status] = WITH_STATUS.exec(name) ?? [];
    return isNamed(operation, named) ? [Number(status)] : [];
  });
}

/** The given headers as values for parameters of the document. */
function headerValues({ parameters }: Operation, headers: Headers): GivenValues {
  return Object.fromEntries(parameters.flatMap(({ in: place, name }) => {
    const value = place === "header" ? headers.get(name) : null;
    return value === null ? [] : [[name, [value]]];
  }));
}

function isNamed({ key, path, id }: Operation, name: string): boolean {
  return name === key || name === path || name === id;
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
      `Cannot verify '${name}': expected ${quoted(operations.map(({ key }) => key))}`,
    );
  }
}

function messageOf(violations: readonly Violation[], seed: number): string {
  const lines = violations.map(({ operation, problem, request, times }) => {
    const more = times > 1 ? ` and ${times - 1} more` : "";
    return `  ${operation}: ${problem}\n    ${request}${more}`;
  });
  const count = `${violations.length} violation${violations.length === 1 ? "" : "s"}`;
  return `The application does not keep to its OpenAPI document: ${count} (seed ${seed})\n${
    lines.join("\n")
  }`;
}
