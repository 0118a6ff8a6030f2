import type { Context, Hono } from "hono";
import { HttpRequest, type Serving, withNosniff } from "../../http/mod.ts";
import { declaresBody } from "../../runtime/web.ts";
import type { FailureResponder, Responder } from "../answer/chain.ts";
import { ACCEPTED, formatOf, unsupportedType } from "../bind/body.ts";
import { limitBody } from "../bind/body_limit.ts";
import { allow, methodNotAllowed, optionsResponse } from "../path/methods.ts";
import type { Guard } from "./guarded.ts";
import type { FailureLog, HttpMethod } from "../types.ts";

/** @internal */
export interface Endpoint {
  /** The method it answers; HEAD is answered by that of GET. */
  readonly method: HttpMethod;
  /** A path as Hono writes it: `/actuator/metrics/:name`. */
  readonly path: string;
  /** Errors are handled like those of handlers. */
  readonly respond: Responder;
  /** Whether it is a health probe, which is public unless configured otherwise. */
  readonly isProbe?: true;
}

interface Environment {
  readonly fail: FailureResponder;
  readonly maxBodyBytes: number;
  readonly serving?: Serving;
  readonly guard?: Guard;
  readonly log: FailureLog;
}

/** 405 and OPTIONS (RFC 9110, 15.5.6 and 9.3.7). Only JSON: other sites need a preflight for it. */
export function registerEndpoints(
  hono: Hono,
  endpoints: readonly Endpoint[],
  environment: Environment,
): void {
  const { fail, guard, log } = environment;
  for (const [path, group] of Map.groupBy(endpoints, ({ path }) => path)) {
    for (const { method, respond, isProbe } of group) {
      const check = guard?.pathCheck(path, log, isProbe);
      hono.on([method], path, async (context) => {
        try {
          if (check) await check(context);
          if (method !== "GET") await takeBody(context, environment);
          const response = withNosniff(await respond(context));
          return guard?.withNoStore(context, response) ?? response;
        } catch (error) {
          return await fail(context, error);
        }
      });
    }
    const allowed = allow(group.map(({ method }) => method));
    hono.all(
      path,
      (context: Context) =>
        context.req.method === "OPTIONS"
          ? optionsResponse(allowed)
          : fail(context, methodNotAllowed(context.req, allowed)),
    );
  }
}

/** @throws {HttpError} 415 for a body of another type than JSON, or of none; 400, 408, 413 */
async function takeBody(context: Context, { maxBodyBytes, serving }: Environment): Promise<void> {
  const { headers } = context.req.raw;
  const contentType = headers.get("content-type");
  const hasBody = declaresBody((name) => headers.get(name));
  // Pages of other sites can send a body without a type.
  if ((hasBody || contentType !== null) && formatOf(contentType ?? "") !== "json") {
    throw unsupportedType(contentType, ACCEPTED.json);
  }
  const refusal = limitBody(context, maxBodyBytes);
  if (refusal) throw refusal;
  if (hasBody) await new HttpRequest(context, undefined, serving).bytes();
}
