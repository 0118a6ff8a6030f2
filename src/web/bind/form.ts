import { HttpError, type Received } from "../../http/mod.ts";
import type { Exchange } from "./binder.ts";
import { decoded, malformed, textOfBody } from "./binding_error.ts";
import { eachPair } from "./query.ts";

export type Form = ReadonlyMap<string, readonly (string | File)[]>;

/** Once for each request; counts parts first, as parsers may take quadratic time. @throws {HttpError} 400, 413 */
export function readForm(exchange: Exchange): Promise<Form> {
  const form = forms.get(exchange) ?? parse(exchange);
  forms.set(exchange, form);
  return form;
}

const forms = new WeakMap<Exchange, Promise<Form>>();

async function parse(exchange: Exchange): Promise<Form> {
  const { parts: { maxFormFields }, context } = exchange;
  const cache = context.req.bodyCache as { formData?: Promise<FormData> };
  // A form that middleware has parsed is no longer available as bytes.
  const data = await (cache.formData ?? parseBytes(exchange));
  const fields = [...data];
  if (fields.length > maxFormFields) throw tooMany(maxFormFields);
  // For handlers that read it with Hono.
  cache.formData ??= Promise.resolve(data);
  const groups = [...Map.groupBy(fields, ([name]) => name)];
  return new Map(groups.map(([name, sent]) => [name, sent.map(([, one]) => withPlainName(one))]));
}

async function parseBytes(exchange: Exchange): Promise<FormData> {
  const { parts: { maxFormFields }, request } = exchange;
  const bytes = await request.bytes();
  const type = request.header("Content-Type") ?? "";
  if (!/^\s*multipart\//i.test(type)) return parseUrlEncoded(bytes, maxFormFields);
  if (hasMoreParts(bytes, boundaryOf(type), maxFormFields)) throw tooMany(maxFormFields);
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch (cause) {
    throw malformed("The request body is not a well-formed form", cause);
  }
}

function parseUrlEncoded(bytes: Received, maxFields: number): FormData {
  const text = textOfBody(bytes);
  const data = new FormData();
  let count = 0;
  eachPair(text, 0, text.length, (name, value) => {
    if (++count > maxFields) throw tooMany(maxFields);
    data.append(name, decoded({ in: "form", name }, value));
  });
  return data;
}

/** Whether the delimiter of parts (RFC 2046, 5.1.1) stands there for more parts than `max`. */
function hasMoreParts(bytes: Uint8Array, boundary: string, max: number): boolean {
  const delimiter = new TextEncoder().encode(`\n--${boundary}`);
  let count = 1; // The first stands at the head of the body, the last closes it.
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (!delimiter.every((byte, index) => bytes[at + index] === byte)) continue;
    if (++count > max + 1) return true;
  }
  return false;
}

const LINE_FEED = 0x0a;

function withPlainName(value: string | File): string | File {
  if (typeof value === "string") return value;
  // Bun leaves out an empty name, which browsers send if no file was chosen.
  const name = plainFileName((value as { readonly name?: string }).name ?? "");
  if (name === value.name) return value;
  return new File([value], name, { type: value.type, lastModified: value.lastModified });
}

export function tooMany(maxFields: number): HttpError {
  return new HttpError(400, `The form has more than ${maxFields} fields`);
}

export function boundaryOf(contentType: string): string {
  const [, quoted, token = ""] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  return quoted ?? token;
}

/** File names come from the client: folders, which could lead elsewhere, and control characters are removed. */
export function plainFileName(given: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  const last = given.replace(/[\0-\x1f\x7f]/g, "").replace(/^.*[\\/]/s, "");
  return last === "." || last === ".." ? "" : last;
}
