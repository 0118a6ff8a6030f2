import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Binder } from "../binder.ts";
import type { ModelClass } from "../value_type.ts";
import { bodyBinder, type BodyOptions, type OptionalBody } from "./_body_binder.ts";

/**
 * Binds the body: JSON (`application/json`, `+json`) or a form, as its `Content-Type` says (reference, 4.1).
 * A body that is required and empty, malformed, or fails its schema is answered with 400 and one entry for
 * each issue; another type with 415; one that is larger than `server.max-body-size` with 413.
 *
 * @param type a Standard Schema, or a class made with `Model(schema)`; without it the value is `unknown`
 */
export function RequestBody<C extends ModelClass, const O extends BodyOptions = BodyOptions>(
  type: C,
  options?: O,
): Binder<InstanceType<C> | OptionalBody<O>>;
/** With a type or options. */
export function RequestBody<S extends StandardSchemaV1, const O extends BodyOptions = BodyOptions>(
  type: S,
  options?: O,
): Binder<StandardSchemaV1.InferOutput<S> | OptionalBody<O>>;
/** With a type or options. */
export function RequestBody(type?: undefined, options?: BodyOptions): Binder<unknown>;
export function RequestBody(
  type?: StandardSchemaV1,
  options: BodyOptions = {},
): Binder<unknown> {
  return bodyBinder("body", ["json", "form"], type, options);
}
