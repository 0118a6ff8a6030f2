import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Binder } from "../binder.ts";
import { type BodyFormat, formatOf } from "../body.ts";
import { essence } from "../media_type.ts";
import type { ModelClass } from "../value_type.ts";
import { bodyBinder, type BodyOptions, type OptionalBody } from "./_body_binder.ts";

/**
 * Binds the body: JSON (`application/json`, `+json`; reference, 4.1), or a form where the mapping's `consumes` names
 * one, as a page of another site could send that without being asked for its origin. A body that is required and empty,
 * malformed, or fails its schema is answered with 400 and one entry for each issue; another type with 415; one that is
 * larger than `server.max-body-size` with 413.
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
  return bodyBinder("body", formatsOf, type, options);
}

function formatsOf(consumes: readonly string[]): readonly BodyFormat[] {
  const named = new Set(consumes.map((type) => formatOf(essence(type))));
  if (!named.has("form")) return ["json"];
  return named.has("json") ? ["json", "form"] : ["form"];
}
