import { IDEMPOTENCY_KEY } from "../../text/media_type.ts";
import type { FormEntry } from "./_multipart.ts";
import type { OperationContract } from "./types.ts";

export async function requestOf(
  base: string,
  { method, path, parameters, headers: own = {}, events }: OperationContract,
  args: readonly unknown[],
  headers: Headers,
) {
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  const parts: Draft = {
    headers,
    variables: new Map(),
    query: new URLSearchParams(),
    form: [],
    cookies: [],
    kinds: new Set(),
  };
  if (!headers.has("accept")) {
    headers.set("accept", events ? "text/event-stream" : "application/json, */*;q=0.8");
  }
  parameters.forEach(({ in: place, name = "" }, index) => {
    const value = args[index] === undefined ? newKey(place, name, headers) : args[index];
    // Texts cannot be null.
    if (value === undefined || value === null && !/body|part/.test(place)) return;
    parts.kinds.add(place);
    WRITERS[place]?.(parts, name, value);
  });
  const cookies = [headers.get("cookie"), ...parts.cookies].filter(Boolean);
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  const search = parts.query.size > 0 ? `?${parts.query}` : "";
  const url = `${base}${fill(path, parts.variables)}${search}`;
  const body = await encodeBody(parts);
  return {
    url,
    method,
    headers,
    body,
    duplex: body instanceof ReadableStream ? "half" : undefined,
  };
}

/** For a call without an `Idempotency-Key`, the same in all attempts. */
function newKey(place: string, name: string, headers: Headers): string | undefined {
  const isKey = place === "header" && IDEMPOTENCY_KEY.test(name) && !headers.has(name);
  // Pages without TLS have no `randomUUID()`.
  return isKey ? crypto.getRandomValues(new Uint32Array(4)).join("-") : undefined;
}

interface Draft {
  readonly headers: Headers;
  readonly variables: Map<string, string>;
  readonly query: URLSearchParams;
  readonly form: FormEntry[];
  readonly cookies: string[];
  readonly kinds: Set<string>;
  body?: BodyInit;
}

/** Write a value to its place; what is sent nowhere (`custom`) has none. */
const WRITERS: Readonly<Record<string, (parts: Draft, name: string, value: unknown) => void>> = {
  path: ({ variables }, name, value) => void variables.set(name, sentText(value)),
  query({ query }, name, value) {
    for (const [key, text] of namedTexts(name, value)) query.append(key, text);
  },
  header: ({ headers }, name, value) => headers.set(name, listed(name, value).join(",")),
  cookie: ({ cookies }, name, value) =>
    void cookies.push(`${name}=${encodeURIComponent(listed(name, value).join(","))}`),
  form: ({ form }, name, value) => void form.push(...namedTexts(name, value)),
  part({ form }, name, value) {
    for (const part of Array.isArray(value) ? value : [value]) {
      form.push(
        fileEntry(name, part) ??
          [name, new Blob([jsonText(part)], { type: "application/json" }), "blob"],
      );
    }
  },
  multipart(parts, name, value) {
    parts.kinds.add("part");
    const named = name ? { [name]: value } : value as object;
    const fields = value instanceof FormData ? [...value] : Object.entries(named);
    for (const [name, field] of fields) {
      for (const one of [field].flat()) {
        if (one != null) parts.form.push(fileEntry(name, one) ?? [name, sentText(one)]);
      }
    }
  },
  raw(parts, _, value) {
    parts.body = value as BodyInit;
  },
  body(parts, _, value) {
    parts.body = jsonText(value);
    if (!parts.headers.has("content-type")) parts.headers.set("content-type", "application/json");
  },
};

/** A file, with a name also where its runtime would send none; `undefined` for other values. */
function fileEntry(name: string, value: unknown): FormEntry | undefined {
  if (value instanceof ReadableStream) return [name, { stream: () => value }, "blob"];
  const file = value as Partial<File> | null;
  if (typeof file?.stream === "function") return [name, value as Blob, file.name ?? "blob"];
}

/** A form with parts is multipart, one of texts alone is not; `fetch` writes the type of either. */
async function encodeBody({ headers, form, kinds, body }: Draft): Promise<BodyInit | undefined> {
  if (!kinds.has("part")) {
    return kinds.has("form")
      ? new URLSearchParams(form as readonly FormEntry[] as [string, string][])
      : body;
  }
  if (form.every(([, value]) => typeof value === "string" || value instanceof Blob)) {
    const data = new FormData();
    for (const entry of form) data.append(...entry as [string, Blob, string]);
    return data;
  }
  const { boundary, stream } = (await import("./_multipart.ts")).multipartOf(form);
  headers.set("content-type", `multipart/form-data; boundary=${boundary}`);
  return stream;
}

/** Variables are encoded whole; one that takes the rest of a path keeps its slashes and brings the first. */
function fill(path: string, variables: ReadonlyMap<string, string>): string {
  return path.replace(/(\/?)\{(\*?)([^{}]+)\}/g, (_, slash, rest, name) => {
    const text = variables.get(name) ?? "";
    const segments = rest === "" ? [text] : text.split("/");
    // An URL without them is another one (WHATWG URL, 4.4).
    if (segments.some((one) => one === "." || one === "..") || rest === "" && text === "") {
      throw new TypeError(
        `Cannot send the path variable '${name}': '${text}' would change the path '${path}'`,
      );
    }
    if (!rest) return slash + encodeURIComponent(text);
    const encoded = text.split("/").map(encodeURIComponent).join("/");
    return encoded === "" || encoded.startsWith("/") ? encoded : slash + encoded;
  });
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, inner) => typeof inner === "bigint" ? String(inner) : inner);
}

function namedTexts(name: string, value: unknown): readonly (readonly [string, string])[] {
  const fields = name
    ? [[name, sentTexts(value)] as const]
    : Object.entries(value as object).map(([key, field]) => [key, sentTexts(field)] as const);
  return fields.flatMap(([key, texts]) => texts.map((text) => [key, text] as const));
}

/** The server splits a header and a cookie at their commas. */
function listed(name: string, value: unknown): readonly string[] {
  const texts = sentTexts(value);
  if (Array.isArray(value) && texts.some((text) => text.includes(","))) {
    throw new TypeError(
      `Cannot send the list '${name}': a value contains a comma, which separates values`,
    );
  }
  return texts;
}

function sentTexts(value: unknown): readonly string[] {
  return [value].flat().flatMap((one) => one ?? []).map(sentText);
}

function sentText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
