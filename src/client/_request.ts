import type { OperationContract } from "./types.ts";

/** The request that stands for a call of the method with these arguments. */
export function requestOf(
  base: string,
  { method, path, parameters, headers: own = {} }: OperationContract,
  args: readonly unknown[],
  headers: Headers,
): Request {
  const query = new URLSearchParams();
  const form = new FormData();
  const variables = new Map<string, string>();
  const cookies: string[] = [];
  let body: BodyInit | undefined;
  let isForm = false;
  let isMultipart = false;
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  if (!headers.has("accept")) headers.set("accept", "application/json, */*;q=0.8");
  parameters.forEach(({ in: place, name = "" }, index) => {
    const value = args[index];
    if (value === undefined) return;
    if (place === "path") variables.set(name, textOf(value));
    if (place === "query") {
      for (const [key, texts] of namedTexts(name, value)) {
        for (const text of texts) query.append(key, text);
      }
    }
    if (place === "header") headers.set(name, listed(name, value, "header").join(","));
    if (place === "cookie") cookies.push(`${name}=${encodeURIComponent(textOf(value))}`);
    if (place === "raw") body = value as BodyInit;
    if (place === "body") {
      body = JSON.stringify(value, (_, inner) => typeof inner === "bigint" ? String(inner) : inner);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
    }
    if (place === "form") {
      isForm = true;
      for (const [key, texts] of namedTexts(name, value)) {
        for (const text of texts) form.append(key, text);
      }
    }
    if (place === "part") {
      isMultipart = true;
      const parts = Array.isArray(value) ? value : [value];
      for (const part of parts) form.append(name, part instanceof Blob ? part : jsonPart(part));
    }
  });
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  if (isMultipart) body = form;
  else if (isForm) body = new URLSearchParams([...form] as [string, string][]);
  const search = query.size > 0 ? `?${query}` : "";
  return new Request(`${base}${fill(path, variables)}${search}`, { method, headers, body });
}

/** Variables are encoded whole; one that takes the rest of a path keeps its slashes and brings the first. */
function fill(path: string, variables: ReadonlyMap<string, string>): string {
  return path.replace(/(\/?)\{(\*?)([^{}]+)\}/g, (_, slash, rest, name) => {
    const text = variables.get(name) ?? "";
    const segments = rest === "" ? [text] : text.split("/");
    // An URL without them is another one (WHATWG URL, 4.4).
    if (segments.some((one) => one === "." || one === "..") || rest === "" && text === "") {
      throw new TypeError(
        `Cannot send the path variable '${name}': '${text}' would be another path than '${path}'`,
      );
    }
    if (rest === "") return slash + encodeURIComponent(text);
    const encoded = text.split("/").map(encodeURIComponent).join("/");
    return encoded === "" || encoded.startsWith("/") ? encoded : slash + encoded;
  });
}

function jsonPart(value: unknown): Blob {
  return new Blob([JSON.stringify(value)], { type: "application/json" });
}

/** Texts by their names; without a name the value is an object of all of them. */
function namedTexts(
  name: string,
  value: unknown,
): readonly (readonly [string, readonly string[]])[] {
  if (name !== "") return [[name, listed(name, value)]];
  return Object.entries(value as object).filter(([, field]) => field !== undefined)
    .map(([key, field]) => [key, textsOf(field)]);
}

/** The server parts one text at its commas; several values are sent apart, but for those of a header. */
function listed(name: string, value: unknown, place?: "header"): readonly string[] {
  const texts = textsOf(value);
  const isParted = Array.isArray(value) && (place === "header" || texts.length === 1);
  if (isParted && texts.some((text) => text.includes(","))) {
    throw new TypeError(`Cannot send the list '${name}': a value has a comma, which parts values`);
  }
  return texts;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
