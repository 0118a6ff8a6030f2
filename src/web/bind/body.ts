import { HttpError, parseJson, type Received } from "../../http/mod.ts";
import { isJson } from "../../text/mod.ts";
import type { Exchange } from "./binder.ts";
import { malformed, textOfBody } from "./binding_error.ts";
import { type Form, readForm } from "./form.ts";

export type BodyFormat = "json" | "form";

export const NO_BODY: unique symbol = Symbol("no body");

/** A repeated form field is a list; `NO_BODY` without a body. Sync if the body has arrived. @throws {HttpError} 400, 413, 415 */
export function readBody(
  exchange: Exchange,
  formats: readonly BodyFormat[],
  isList: (name: string) => boolean = () => false,
): unknown {
  const contentType = exchange.header("content-type");
  const format = contentType === null ? undefined : formatOf(contentType);
  if (format === undefined || !formats.includes(format)) {
    return refuseType(exchange, contentType, formats);
  }
  return format === "json"
    ? exchange.receive(jsonOf)
    : readForm(exchange).then((form) => fieldsOf(form, isList));
}

/** @internal */
export type RawFormat = "text" | "bytes" | "stream";

export async function readRaw({ request }: Exchange, format: RawFormat): Promise<unknown> {
  if (format === "stream") return request.stream() ?? NO_BODY;
  const parameters = (request.header("Content-Type") ?? "").split(";").slice(1);
  if (format === "text" && !parameters.every(isUtf8)) {
    throw new HttpError(415, "Cannot read a body in this charset: expected UTF-8");
  }
  const bytes = await request.bytes();
  if (bytes.byteLength === 0) return NO_BODY;
  return format === "bytes" ? bytes : textOfBody(bytes);
}

/** @throws {HttpError} 415 when the body is not a form, 400 when it is malformed, 413 */
export async function readFormOnly(exchange: Exchange): Promise<Form> {
  const contentType = exchange.header("content-type");
  if (contentType !== null && formatOf(contentType) === "form") return await readForm(exchange);
  await refuseType(exchange, contentType, ["form"]);
  return new Map();
}

export const ACCEPTED: { readonly [F in BodyFormat | "multipart"]: string } = {
  json: "application/json, application/*+json",
  form: "application/x-www-form-urlencoded, multipart/form-data",
  multipart: "multipart/form-data",
};

export function formatOf(contentType: string): BodyFormat | undefined {
  if (contentType === "application/json") return "json";
  const [type = "", ...parameters] = contentType.split(";");
  switch (type.trim().toLowerCase()) {
    case "application/x-www-form-urlencoded":
    case "multipart/form-data":
      return "form";
  }
  return isJson(type) && parameters.every(isUtf8) ? "json" : undefined;
}

/** JSON is UTF-8 (RFC 8259, 8.1); any other charset is rejected. */
function isUtf8(parameter: string): boolean {
  const [name = "", value = ""] = parameter.split("=");
  return name.trim().toLowerCase() !== "charset" ||
    /^"?(?:utf-?8|us-ascii)"?$/i.test(value.trim());
}

function jsonOf(bytes: Received): unknown {
  if (bytes.byteLength === 0) return NO_BODY;
  const text = textOfBody(bytes);
  try {
    return parseJson(text);
  } catch (cause) {
    throw malformed("The request body is not well-formed JSON", cause);
  }
}

function fieldsOf(form: Form, isList: (name: string) => boolean): unknown {
  if (form.size === 0) return NO_BODY;
  const fields: Record<string, unknown> = {};
  for (const [name, values] of form) {
    if (name !== "__proto__") fields[name] = values.length > 1 || isList(name) ? values : values[0];
  }
  return fields;
}

/** A request without a type may have no body, which the binder accepts or rejects. */
async function refuseType(
  { request }: Exchange,
  contentType: string | null,
  formats: readonly BodyFormat[],
): Promise<unknown> {
  if (contentType === null) {
    const bytes = await request.bytes();
    if (bytes.byteLength === 0) return NO_BODY;
  }
  throw unsupportedType(contentType, formats.map((format) => ACCEPTED[format]).join(", "));
}

export function unsupportedType(contentType: string | null, accepted: string): HttpError {
  const found = contentType === null ? "none" : `'${contentType}'`;
  return new HttpError(
    415,
    `Cannot read a body of this type: expected ${accepted}, found ${found}`,
    { headers: { Accept: accepted } },
  );
}
