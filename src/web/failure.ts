import {
  abortedBy,
  HttpError,
  HttpRequest,
  HttpStatus,
  isAborted,
  isHopByHop,
  markFixed,
  plainResponse,
  problem,
  render,
  ResponseEntity,
  type Serving,
  withNosniff,
} from "../http/mod.ts";
import { BindingError } from "./binding_error.ts";
import type { FailureResponder } from "./chain.ts";
import { commit } from "./prepared_headers.ts";
import { requestIdOf } from "./request_id.ts";
import { isStreaming } from "./streaming.ts";
import { RoutingError } from "./routing_error.ts";
import type { ErrorController } from "./types.ts";

/**
 * Where failures go that are the application's fault and not the client's.
 *
 * @internal
 */
export type FailureLog = (message: string, error: unknown) => void;

/**
 * The one way of everything that fails: its status, then the error controller, or a problem (RFC 9457) where there is
 * none. What is answered as a failure of the server is logged, once, and tells the client nothing; a domain error that
 * the error controller answers as the client's (4xx) is not.
 */
export function failureResponder(
  controller: ErrorController | undefined,
  log: FailureLog,
  serving?: Serving,
): FailureResponder {
  return (context, thrown) => {
    const request = new HttpRequest(context, undefined, serving);
    const error = isAborted(thrown, () => request.signal)
      ? abortedBy(request.signal, thrown)
      : thrown;
    context.error = error instanceof Error ? error : new Error(String(error), { cause: error });
    const report = (message: string, failure: unknown, id?: string) =>
      log(`${message} ${request.method} ${request.path}${id ? ` (request ${id})` : ""}`, failure);
    try {
      const { status, headers } = describe(error);
      const base = ResponseEntity.status(status);
      for (const [name, value] of headers) base.withHeader(name, value);
      const id = status.value < 500 ? undefined : requestIdOf(context);
      if (id !== undefined) base.withHeader(REQUEST_ID, id);
      const finish = () => {
        const response = withNosniff(render(base));
        // There is nothing else that could be asked for.
        if (base.status.value === 426) response.headers.set("Upgrade", "websocket");
        if (!isStreaming(base)) markFixed(response, false);
        if (base.status.value >= 500) report("Cannot answer", error, id);
        // Nothing is logged that it could lead to.
        else if (id !== undefined) response.headers.delete(REQUEST_ID);
        return commit(context, response);
      };
      if (controller === undefined) {
        base.withJson(problemOf(status, error, request));
        return finish();
      }
      const visible = error instanceof RoutingError ? undefined : error;
      return fill(controller, request, base, status, visible).then(finish).catch((failure) => {
        if (status.value >= 500) report("Cannot answer", error, id);
        report("Cannot let the error controller answer", failure);
        return commit(context, plainFailure());
      });
    } catch (failure) {
      report("Cannot answer", error);
      report("Cannot describe what failed at", failure);
      return plainFailure();
    }
  };
}

const REQUEST_ID = "X-Request-Id";

/** Not taken for ours alone: what was prepared is added to it. */
function plainFailure(): Response {
  return markFixed(plainResponse(500), false);
}

/** Async, so that what the controller throws at once is a rejection too. */
async function fill(
  controller: ErrorController,
  ...parameters: Parameters<ErrorController["handleError"]>
): Promise<void> {
  await controller.handleError(...parameters);
}

interface Described {
  readonly status: HttpStatus;
  readonly headers: Iterable<readonly [string, string]>;
}

function describe(error: unknown): Described {
  if (error instanceof HttpError) {
    return { status: HttpStatus.of(error.status.value), headers: Object.entries(error.headers) };
  }
  // One that stands for no failure, such as HTTPException(200), is a mistake of who threw it.
  if (!isHttpException(error) || error.status < 400) {
    return { status: HttpStatus.INTERNAL_SERVER_ERROR, headers: [] };
  }
  return {
    status: HttpStatus.of(error.status),
    headers: [...error.res?.headers ?? []].filter(([name]) =>
      !isHopByHop(name) && !NOT_OF_THE_ANSWER.test(name)
    ),
  };
}

/** Fields that describe the body of the exception's own response. */
const NOT_OF_THE_ANSWER = /^(?:content-(?:type|length|encoding)|__proto__)$/;

/** What Hono's middleware throws: known by its shape, as it may come of another copy of Hono. */
interface HttpException extends Error {
  readonly status: number;
  readonly res?: Response;
}

function isHttpException(error: unknown): error is HttpException {
  return error instanceof Error && "getResponse" in error &&
    typeof error.getResponse === "function" && "status" in error &&
    Number.isInteger(error.status);
}

function problemOf(
  status: HttpStatus,
  error: unknown,
  request: HttpRequest,
): ReturnType<typeof problem> {
  const told = error instanceof HttpError || isHttpException(error);
  const detail = told && error.message !== "" ? error.message : undefined;
  const errors = error instanceof BindingError ? error.errors : undefined;
  return problem(status, { detail, instance: request.path, errors });
}
