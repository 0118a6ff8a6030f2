import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isSchema, pointerOf } from "../../schema/mod.ts";
import { followedBy } from "../../text/mod.ts";
import { type Bind, type Binder, binderOf, type Exchange, refuseDeclared } from "./binder.ts";
import { BindingError, schemaCheck } from "./binding_error.ts";
import { NO_BODY, type RawFormat } from "./body.ts";

/** @internal */
export interface BodyOptions {
  /** `false` gives `undefined` for an empty body. @default true */
  readonly required?: boolean;
}

/** Reads the whole body and validates it; `readerOf` gives the reader for the media types of a route. */
export function bodyBinder<T>(
  place: "body" | "form",
  readerOf: (consumes: readonly string[]) => (exchange: Exchange) => unknown,
  type: StandardSchemaV1 | RawFormat | undefined,
  { required = true }: BodyOptions,
): Binder<T> {
  if (type !== undefined && !isSchema(type) && !RAW.includes(type)) {
    refuseDeclared("the body", `${SCHEMA}, or the word "text", "bytes" or "stream"`, type);
  }
  const validated = isSchema(type)
    ? schemaCheck(type, () => INVALID, (issue) => ({ pointer: pointerOf(issue) }))
    : (body: unknown) => body;
  const check = (sent: unknown): unknown => {
    if (sent === NO_BODY && !required) return undefined;
    // A form without fields has no bytes.
    const body = sent === NO_BODY && place === "form" ? {} : sent;
    if (body === NO_BODY) throw new BindingError(400, INVALID, [MISSING]);
    return validated(body);
  };
  return binderOf({
    input: { in: place, required, list: false, type },
    compile({ consumes }): Bind {
      const read = readerOf(consumes);
      return (exchange) => followedBy(read(exchange), check);
    },
  });
}

const RAW: readonly unknown[] = ["text", "bytes", "stream"];

export const SCHEMA = "a Standard Schema such as z.object({ … }), a class made with Model(schema)";

const INVALID = "The request body is not valid";
const MISSING = { pointer: "", message: "a body is required and none was sent" };
