import type { StandardSchemaV1 } from "@standard-schema/spec";
import { listFields } from "../../schema/mod.ts";
import { essence } from "../../text/mod.ts";
import type { Binder, Exchange } from "./binder.ts";
import { type BodyFormat, formatOf, type RawFormat, readBody, readRaw } from "./body.ts";
import { bodyBinder, type BodyOptions } from "./body_binder.ts";
import type { Absent, ModelClass } from "./value_type.ts";

/**
 * Binds the body: JSON (`application/json`, `+json`), or a form if the `consumes` of the mapping names one, as pages of other
 * sites can send forms without a preflight. A missing, malformed or invalid body gets 400 with an entry for each issue,
 * another type 415, a body larger than `server.max-body-size` 413.
 *
 * `"text"`, `"bytes"` and `"stream"` accept any type unless the mapping has `consumes`: as UTF-8 text, a `Uint8Array`, or a
 * `ReadableStream`, whose size is limited, too.
 *
 * @param type a Standard Schema, a class made with `Model(schema)`, or one of the words; without it the value is `unknown`
 */
export function RequestBody<W extends RawFormat, const O extends BodyOptions = BodyOptions>(
  type: W,
  options?: O,
): Binder<RawBodies[W] | Absent<O>>;
/** Validates JSON with the schema of a model, whose instance it gives. */
export function RequestBody<C extends ModelClass, const O extends BodyOptions = BodyOptions>(
  type: C,
  options?: O,
): Binder<InstanceType<C> | Absent<O>>;
/** Validates JSON with a schema. */
export function RequestBody<S extends StandardSchemaV1, const O extends BodyOptions = BodyOptions>(
  type: S,
  options?: O,
): Binder<StandardSchemaV1.InferOutput<S> | Absent<O>>;
/** Accepts any JSON. */
export function RequestBody(type?: undefined, options?: BodyOptions): Binder<unknown>;
export function RequestBody(
  type?: StandardSchemaV1 | RawFormat,
  options: BodyOptions = {},
): Binder<unknown> {
  const readerOf = (consumes: readonly string[]) => {
    if (typeof type === "string") return (exchange: Exchange) => readRaw(exchange, type);
    const named = new Set(consumes.map((type) => formatOf(essence(type))));
    const isForm = named.has("form");
    // Without a type that can be read, it is JSON.
    const formats = FORMATS.filter((one) => one === "json" && !isForm || named.has(one));
    const isList = type && isForm ? listFields(type) : undefined;
    return (exchange: Exchange) => readBody(exchange, formats, isList);
  };
  return bodyBinder("body", readerOf, type, options);
}

/** @internal */
interface RawBodies {
  /** The body as UTF-8 text. */
  readonly text: string;
  /** The body as it was sent. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The body as it arrives. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
}

const FORMATS: readonly BodyFormat[] = ["json", "form"];
