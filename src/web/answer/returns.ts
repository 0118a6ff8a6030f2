import type { StandardSchemaV1 } from "@standard-schema/spec";
import { discard, isBodiless, isProblemDetail, ResponseEntity, valueKind } from "../../http/mod.ts";
import { modelSchema, pointerOf, validateNow, validatorOf, vendorOf } from "../../schema/mod.ts";
import { followedBy, printable } from "../../text/mod.ts";
import { plainData } from "./plain_data.ts";
import type { Route } from "../types.ts";

interface Returning extends Pick<Route, "method" | "path" | "handler" | "status"> {
  readonly type: { readonly name: string };
  readonly returns?: StandardSchemaV1;
}

/**
 * Passes every 2xx body through the schema of `returns`, except that of a `Response`, which must not be read here. The
 * `TypeError` of a mismatch names route and pointers, but no value.
 */
export function checkAnswers<E>(
  route: Returning,
  invoke: (exchange: E) => unknown,
): (exchange: E) => unknown {
  const check = answerCheck(route.returns, sourceOf(route), route.status);
  return check === undefined ? invoke : (exchange) => followedBy(invoke(exchange), check);
}

/** `'Users.get' returned (GET /users)` */
export function sourceOf({ type, handler, method, path }: Returning): string {
  return `'${type.name}.${handler}' returned (${method} ${path})`;
}

/**
 * Checks responses of error handlers too.
 *
 * @param status of values which are not a `ResponseEntity`
 * @param isAny whether the schema is that of all statuses
 */
export function answerCheck(
  returns: StandardSchemaV1 | undefined,
  source: string,
  status: number = 200,
  isAny: boolean = false,
): ((value: unknown) => unknown) | undefined {
  if (returns === undefined) return undefined;
  // The output becomes JSON, which needs no instances.
  const schema = modelSchema(returns) ?? returns;
  const validate = validatorOf(schema);
  const keepsInstances = !MAKERS.has(vendorOf(schema));
  const isOf = (status: number) => !isBodiless(status) && (isAny || status < 300);
  const pass = (body: unknown): unknown => {
    const result = validate(keepsInstances ? plainData(body) : body);
    return followedBy(result, (result) => accept(source, body, result));
  };
  return (value) => {
    if (value instanceof ResponseEntity) {
      return isOf(value.status.value) ? checkEntity(source, value, pass) : value;
    }
    const isOwn = valueKind(value).isComplete && !(isProblemDetail(value) && value.status < 300);
    return isOwn || !isOf(status) ? value : pass(value);
  };
}

/** Vendors whose output is a new object with the known keys only. */
const MAKERS = new Set(["zod", "valibot"]);

export function takesNothing(returns: StandardSchemaV1): boolean {
  try {
    const result = validateNow(modelSchema(returns) ?? returns, undefined, "returns");
    return !result.issues && result.value === undefined;
  } catch {
    return false;
  }
}

function checkEntity(
  source: string,
  entity: ResponseEntity,
  pass: (body: unknown) => unknown,
): unknown {
  const status = entity.status.value;
  if (isProblemDetail(entity.body)) {
    const { status: meant } = entity.body;
    if (status >= 300) return entity;
    const body = `problem details with the status ${meant} cannot be the body of a response`;
    throw unsendable(source, `${body} with the status ${status}`);
  }
  return followedBy(pass(entity.body), (body) => entity["~withBody"](body));
}

function accept(
  source: string,
  body: unknown,
  result: StandardSchemaV1.Result<unknown>,
): unknown {
  if (!result.issues) return result.value;
  discard(body);
  // Messages may contain values, and names of a dictionary may come from a client, so that they are escaped.
  const pointers = [...new Set(result.issues.map((issue) => printable(pointerOf(issue))))];
  const listed = pointers.slice(0, MAX_POINTERS).map((pointer) => `'${pointer}'`).join(", ");
  const more = pointers.length > MAX_POINTERS ? ` and ${pointers.length - MAX_POINTERS} more` : "";
  throw unsendable(source, `it does not match the schema of 'returns' at ${listed}${more}`);
}

function unsendable(source: string, reason: string): TypeError {
  return new TypeError(`Cannot send what ${source}: ${reason}`);
}

const MAX_POINTERS = 10;
