import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  discard,
  isBodiless,
  isProblemDetail,
  isResponse,
  isUpgrade,
  ResponseEntity,
} from "../../http/mod.ts";
import { modelSchema, pointerOf, validatorOf, vendorOf } from "../../schema/mod.ts";
import { isThenable, printable } from "../../text/mod.ts";
import { plainData } from "../answer/plain_data.ts";
import type { Exchange } from "../bind/binder.ts";
import type { ServedRoute } from "./served_route.ts";

type Invoke = (exchange: Exchange) => unknown;

/**
 * Passes every 2xx body through the schema of `returns`, except that of a `Response`, which must not be read here. The
 * `TypeError` of a mismatch names route and pointers, but no value.
 */
export function checked(route: ServedRoute, invoke: Invoke): Invoke {
  const check = answerCheck(route);
  if (check === undefined) return invoke;
  return (exchange) => {
    const value = invoke(exchange);
    return isThenable(value) ? Promise.resolve(value).then(check) : check(value);
  };
}

/** Checks responses of error handlers too; `status` is that of values which are not a `ResponseEntity`. */
export function answerCheck(
  route: ServedRoute,
  status: number = route.status ?? 200,
): ((value: unknown) => unknown) | undefined {
  const { returns } = route;
  if (returns === undefined) return undefined;
  // The output becomes JSON, which needs no instances.
  const schema = modelSchema(returns) ?? returns;
  const validate = validatorOf(schema);
  const keepsInstances = !MAKERS.has(vendorOf(schema));
  const isChecked = status < 300 && !isBodiless(status);
  const pass = (body: unknown): unknown => {
    const result = validate(keepsInstances ? plainData(body) : body);
    if (isThenable(result)) {
      return Promise.resolve(result).then((result) => accept(route, body, result));
    }
    return accept(route, body, result);
  };
  return (value) => {
    if (typeof value !== "object" || value === null) return isChecked ? pass(value) : value;
    if (value instanceof ResponseEntity) return checkEntity(route, value, pass);
    if (!isChecked || isResponse(value) || isUpgrade(value)) return value;
    // A problem has its own status, like an entity.
    return isProblemDetail(value) && value.status >= 300 ? value : pass(value);
  };
}

/** Vendors whose output is a new object with the known keys only. */
const MAKERS = new Set(["zod", "valibot"]);

export function takesNothing(returns: StandardSchemaV1): boolean {
  try {
    const result = validatorOf(modelSchema(returns) ?? returns)(undefined);
    if (result instanceof Promise) result.catch(() => {});
    return !(result instanceof Promise) && !result.issues && result.value === undefined;
  } catch {
    return false;
  }
}

function checkEntity(
  route: ServedRoute,
  entity: ResponseEntity,
  pass: (body: unknown) => unknown,
): unknown {
  const status = entity.status.value;
  if (status >= 300 || isBodiless(status)) return entity;
  if (isProblemDetail(entity.body)) {
    const { status: meant } = entity.body;
    throw refused(
      route,
      `problem details with the status ${meant} cannot be the body of a response with the status ${status}`,
    );
  }
  const body = pass(entity.body);
  return isThenable(body)
    ? Promise.resolve(body).then((body) => entity["~withBody"](body))
    : entity["~withBody"](body);
}

function accept(
  route: ServedRoute,
  body: unknown,
  result: StandardSchemaV1.Result<unknown>,
): unknown {
  if (!result.issues) return result.value;
  discard(body);
  // Messages may contain values, and names of a dictionary may come from a client, so that they are escaped.
  const pointers = [...new Set(result.issues.map((issue) => printable(pointerOf(issue))))];
  const listed = pointers.slice(0, MAX_POINTERS).map((pointer) => `'${pointer}'`).join(", ");
  const more = pointers.length > MAX_POINTERS ? ` and ${pointers.length - MAX_POINTERS} more` : "";
  throw refused(
    route,
    `it does not match the schema of 'returns' at ${listed}${more}`,
  );
}

function refused({ type, handler, method, path }: ServedRoute, reason: string): TypeError {
  return new TypeError(
    `Cannot send what '${type.name}.${handler}' returned (${method} ${path}): ${reason}`,
  );
}

const MAX_POINTERS = 10;
