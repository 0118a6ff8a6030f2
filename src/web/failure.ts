import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import {
  HttpError,
  HttpRequest,
  HttpStatus,
  markFixed,
  problem,
  PROBLEM_JSON,
  render,
  ResponseEntity,
  type Serving,
} from "../http/mod.ts";
import { BindingError } from "./binding_error.ts";
import type { FailureResponder } from "./chain.ts";
import { commit } from "./prepared_headers.ts";
import { requestIdOf } from "./request_id.ts";
import { isStreaming } from "./streaming.ts";
import { RoutingError } from "./routing_error.ts";
import type { ErrorController } from "./types.ts";

/** Where failures go that are the application's fault and not the client's. */
export type FailureLog = (message: string, error: unknown) => void;

/**
 * The one way of everything that fails: its status, then the error controller, or a problem (RFC 9457) where
 * there is none. What is unexpected is logged, once, and tells the client nothing.
 */
export function failureResponder(
  controller: ErrorController | undefined,
  log: FailureLog,
  serving?: Serving,
): FailureResponder {
  return (context, error) => {
    context.error = error instanceof Error ? error : new Error(String(error), { cause: error });
    const request = new HttpRequest(context, undefined, serving);
    const { status, headers } = describe(error);
    const base = ResponseEntity.status(status);
    for (const [name, value] of headers) base.withHeader(name, value);
    if (status.value >= 500) {
      const id = requestIdOf(context);
      base.withHeader("X-Request-Id", id);
      log(`Cannot answer ${request.method} ${request.path} (request ${id})`, error);
    }
    if (controller === undefined) return finish(context, problemOf(base, status, error, request));
    const visible = error instanceof RoutingError ? undefined : error;
    return fill(controller, request, base, status, visible)
      .then(() => finish(context, base))
      .catch((failure) => {
        log(`Cannot let the error controller answer ${request.method} ${request.path}`, failure);
        const response = new Response("Internal Server Error", { status: 500, headers: PLAIN });
        return commit(context, response);
      });
  };
}

const PLAIN = { "content-type": "text/plain;charset=UTF-8", "x-content-type-options": "nosniff" };

/** Async, so that what the controller throws at once is a rejection too. */
async function fill(
  controller: ErrorController,
  ...parameters: Parameters<ErrorController["handleError"]>
): Promise<void> {
  await controller.handleError(...parameters);
}

function finish(context: Context, entity: ResponseEntity): Response {
  const response = render(entity);
  response.headers.set("x-content-type-options", "nosniff");
  if (!isStreaming(entity)) markFixed(response, false);
  return commit(context, response);
}

function describe(error: unknown): {
  readonly status: HttpStatus;
  readonly headers: Iterable<readonly [string, string]>;
} {
  if (error instanceof HttpError) {
    return { status: error.status, headers: Object.entries(error.headers) };
  }
  if (!(error instanceof HTTPException)) {
    return { status: HttpStatus.INTERNAL_SERVER_ERROR, headers: [] };
  }
  const headers = new Headers(error.res?.headers);
  // They describe the body of its response, which is not the one that is sent.
  headers.delete("content-type");
  headers.delete("content-length");
  return { status: HttpStatus.of(error.status), headers };
}

function problemOf(
  entity: ResponseEntity,
  status: HttpStatus,
  error: unknown,
  request: HttpRequest,
): ResponseEntity {
  const told = error instanceof HttpError || error instanceof HTTPException;
  const detail = told && error.message !== "" ? error.message : undefined;
  const errors = error instanceof BindingError ? error.errors : undefined;
  const body = problem(status, { detail, instance: request.path, errors });
  return entity.withJson(body).withHeader("Content-Type", PROBLEM_JSON);
}
