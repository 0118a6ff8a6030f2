import type { Context } from "hono";
import {
  abortedBy,
  declaredProblem,
  hasLeft,
  HttpError,
  type HttpRequest,
  HttpStatus,
  isBrokenOff,
  isHopByHop,
  isStreaming,
  isStructure,
  markFixed,
  plainResponse,
  problem,
  type ProblemDetail,
  render,
  ResponseEntity,
  type Serving,
  statusOfClass,
  withAppendedHeader,
} from "../../http/mod.ts";
import { errorOf, isJson, isXml } from "../../text/mod.ts";
import { answerer, commit, type FailureResponder } from "../answer/chain.ts";
import { BindingError } from "../bind/binding_error.ts";
import { requestIdOf } from "../bind/request_id.ts";
import type { ErrorHandler, ErrorHandlers } from "../declare/metadata.ts";
import { isHttpException } from "../errors.ts";
import { RoutingError } from "../path/methods.ts";
import type { ErrorController, FailureLevel, FailureLog } from "../types.ts";

export interface FailureOptions {
  readonly places?: readonly ErrorHandlers[];
  readonly controller?: ErrorController;
  readonly log: FailureLog;
  readonly serving?: Serving;
  /** Validates the 2xx responses of error handlers, if the route is known. */
  readonly check?: (value: unknown) => unknown;
  readonly produces?: readonly string[];
  readonly requestOf: (context: Context) => HttpRequest;
}

/** By the handlers of the class, the error controller, or a problem (RFC 9457). Logs each 5xx once. */
export function failureResponder(options: FailureOptions): FailureResponder {
  return (context, thrown) => new Failure(options, context, thrown).respond();
}

type Described = ReturnType<typeof statusAndHeaders>;

class Failure {
  readonly #request: HttpRequest;
  /** Replaced by an abort error when the client has left: later errors only follow from that. */
  #error: unknown;

  constructor(
    readonly options: FailureOptions,
    readonly context: Context,
    readonly thrown: unknown,
  ) {
    this.#error = thrown;
    this.#request = options.requestOf(context);
  }

  respond(): Response | Promise<Response> {
    try {
      let described = statusAndHeaders(this.thrown);
      // Reading the signal is expensive.
      const isLeft = described.status.value >= 500 && this.#hasLeft(this.thrown);
      if (isLeft) {
        this.#error = abortedBy(this.#request.signal, this.thrown);
        described = statusAndHeaders(this.#error);
      }
      const error = this.#error;
      this.context.error = errorOf(error);
      // At shutdown the client is still waiting.
      if (isLeft && described.status.value < 500 || isBrokenOff(error)) {
        const what = "The client disconnected before the response to";
        this.#log("DEBUG", (request) => `${what} ${request}`, this.thrown);
      }
      const handlers = isLeft
        ? []
        : this.options.places?.flatMap((place) => place(error) ?? []) ?? [];
      return handlers.length === 0
        ? this.#respondWithout(described)
        : this.#respondBy(handlers, described).catch((failure) => this.#plain(failure));
    } catch (failure) {
      return this.#plain(failure);
    }
  }

  async #respondBy(handlers: readonly ErrorHandler[], described: Described): Promise<Response> {
    const { serving, controller, check, produces = [] } = this.options;
    const types = produces.filter((type) => isJson(type) || isXml(type));
    let isBroken = false;
    for (const { label, handle, status: { value: status } = described.status } of handlers) {
      try {
        const handled = await handle(this.#error, this.#request);
        const value = check ? await check(handled) : handled;
        const answer = answerer({ produces: isStructure(value) ? types : [], status }, serving);
        const answered = await answer(this.context, value);
        // Headers of the error (`Allow`, `WWW-Authenticate`) belong to its status (RFC 9110).
        const isOfError = answered.status === described.status.value;
        const response = isOfError ? withMissing(answered, described.headers) : answered;
        return this.#finishHandled(response, isStreaming(value), label);
      } catch (failure) {
        // Throwing the same error passes it on.
        if (failure === this.#error) continue;
        isBroken = true;
        const level = this.#hasLeft(failure) ? "DEBUG" : "ERROR";
        this.#log(level, (request) => `${label} cannot handle what failed at ${request}`, failure);
      }
    }
    if (!isBroken || controller) return await this.#respondWithout(described);
    if (described.status.value >= 500) this.#logUnanswered();
    return commit(this.context, plainFailure());
  }

  #respondWithout({ status, headers }: Described): Response | Promise<Response> {
    const { controller } = this.options;
    const entity = ResponseEntity.status(status);
    for (const [name, value] of headers) entity.withHeader(name, value);
    const id = status.value < 500 ? undefined : requestIdOf(this.context);
    if (id !== undefined) entity.withHeader(REQUEST_ID, id);
    if (controller) return this.#respondByController(controller, entity, id);
    entity.withJson(this.#problem(status));
    return this.#finish(render(entity), false, undefined, id);
  }

  #problem(status: HttpStatus): ProblemDetail {
    const error = this.#error;
    const { path: instance } = this.#request;
    const isTold = error instanceof HttpError || isHttpException(error) ||
      statusOfClass(error) !== undefined;
    const detail = isTold && (error as Error).message || undefined;
    const errors = error instanceof BindingError ? error.errors : undefined;
    return declaredProblem(error, instance) ?? problem(status, { detail, instance, errors });
  }

  async #respondByController(
    controller: ErrorController,
    entity: ResponseEntity,
    id?: string,
  ): Promise<Response> {
    const { status } = entity;
    const visible = this.#error instanceof RoutingError ? undefined : this.#error;
    try {
      await controller.handleError(this.#request, entity, status, visible);
      const answer = await this.options.check?.(entity) ?? entity;
      return this.#finish(render(answer), isStreaming(answer), id && "The error controller", id);
    } catch (failure) {
      if (status.value >= 500) this.#logUnanswered(id);
      const what = "Cannot let the error controller answer";
      this.#log("ERROR", (request) => `${what} ${request}`, failure);
      return commit(this.context, plainFailure());
    }
  }

  #finish(response: Response, isStreaming: boolean, answeredBy?: string, id?: string): Response {
    const { status } = response;
    // The id would refer to no log line.
    if (status < 500 && id !== undefined) response.headers.delete(REQUEST_ID);
    if (status >= 500) this.#logUnanswered(id);
    else if (answeredBy !== undefined) {
      const message = (request: string) => `${answeredBy} answered ${request} with ${status}`;
      this.#log("DEBUG", message, this.#error);
    }
    // WebSocket is the only supported upgrade.
    if (status === 426) response = withMissing(response, [["Upgrade", "websocket"]]);
    if (!isStreaming) markFixed(response, false);
    return commit(this.context, response);
  }

  #finishHandled(response: Response, isStreaming: boolean, label: string): Response {
    if (response.status < 500) return this.#finish(response, isStreaming, label);
    const id = response.headers.get(REQUEST_ID) ?? requestIdOf(this.context);
    return this.#finish(withMissing(response, [[REQUEST_ID, id]]), isStreaming, label, id);
  }

  #plain(failure: unknown): Response {
    this.#logUnanswered();
    this.#log("ERROR", (request) => `Cannot describe what failed at ${request}`, failure);
    return plainFailure();
  }

  #logUnanswered(id?: string): void {
    const about = id ? ` (request ${id})` : "";
    this.#log("ERROR", (request) => `Cannot answer ${request}${about}`, this.#error);
  }

  #log(level: FailureLevel, message: (request: string) => string, error: unknown): void {
    const { method, path } = this.#request;
    this.options.log(message(`${method} ${path}`), error, level);
  }

  #hasLeft(thrown: unknown): boolean {
    return hasLeft(this.context.req.raw, thrown, this.options.serving);
  }
}

const REQUEST_ID = "X-Request-Id";

function plainFailure(): Response {
  return markFixed(plainResponse(500), false);
}

/** @throws {RangeError} when the class of the error has an invalid status */
function statusAndHeaders(error: unknown) {
  if (error instanceof HttpError) {
    return { status: HttpStatus.of(error.status.value), headers: Object.entries(error.headers) };
  }
  // Throwing a success, such as HTTPException(200), is a programming error.
  if (!isHttpException(error) || error.status < 400) {
    return { status: statusOfClass(error) ?? HttpStatus.INTERNAL_SERVER_ERROR, headers: [] };
  }
  return {
    status: HttpStatus.of(error.status),
    headers: [...error.res?.headers ?? []].filter(([name]) =>
      !isHopByHop(name) && !NOT_OF_THE_ANSWER.test(name)
    ),
  };
}

const NOT_OF_THE_ANSWER = /^(?:content-(?:type|length|encoding)|__proto__)$/;

function withMissing(
  response: Response,
  headers: Iterable<readonly [string, string]>,
): Response {
  const missing = [...headers].filter(([name]) => !response.headers.has(name));
  return missing.reduce((made, [name, value]) => withAppendedHeader(made, name, value), response);
}
