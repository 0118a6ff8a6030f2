import { isRecord } from "../contract/reader.ts";
import { isJson, shortened } from "../text/mod.ts";
import type { Body, Operation } from "./operation.ts";
import type { Planned } from "./requests.ts";

/** A request as it is sent. */
export interface Written {
  readonly path: string;
  readonly init: RequestInit;
  /** For people: `POST /users {"name":"Ada"}`, without headers that were given. */
  readonly text: string;
}

/** Writes a request as the document says (OpenAPI 3.1, 4.8.12.2: each style at its default). */
export function writeRequest(operation: Operation, planned: Planned, given: HeadersInit): Written {
  const { method } = operation;
  let { path } = operation;
  const query = new URLSearchParams();
  const headers = new Headers(given);
  const leftOut = operation.parameters.filter((parameter) =>
    parameter.required && !planned.parameters.has(parameter)
  );
  for (const { in: place, name } of leftOut) if (place === "header") headers.delete(name);
  const ours = [...leftOut, ...planned.parameters.keys()].filter(({ in: place }) =>
    place === "cookie"
  );
  // Of those that were given the others stay.
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/).filter((pair) =>
    pair !== "" && !ours.some(({ name }) => pair.startsWith(`${name}=`))
  );
  for (const [{ in: place, name }, value] of planned.parameters) {
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(textOf(value)));
    else if (place === "header") headers.set(name, textOf(value));
    else if (place === "cookie") cookies.push(`${name}=${textOf(value)}`);
    else for (const [key, text] of pairsOf(name, value)) query.append(key, text);
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  else headers.delete("cookie");
  if (planned.accept !== undefined) headers.set("accept", planned.accept);
  const body = bodyOf(planned.body, operation.body);
  // The boundary of a form is for `fetch` to write.
  if (planned.body && !(body instanceof FormData)) headers.set("content-type", planned.body.type);
  const target = `${path}${query.size > 0 ? `?${query}` : ""}`;
  return {
    path: target,
    init: { method, headers, ...(body !== undefined && { body }) },
    text: shortened([method, target, ...(typeof body === "string" ? [body] : [])].join(" "), 200),
  };
}

function bodyOf(sent: Planned["body"], body: Body | undefined): BodyInit | undefined {
  if (!sent) return undefined;
  const { type, value, isRaw } = sent;
  if (value instanceof Blob) return value;
  if (isRaw) return String(value);
  if (isJson(type)) return JSON.stringify(value);
  if (isRecord(value) && type.includes("urlencoded")) {
    return new URLSearchParams(Object.entries(value).flatMap(([name, one]) => pairsOf(name, one)))
      .toString();
  }
  if (!isRecord(value) || !type.startsWith("multipart/")) return String(value);
  const form = new FormData();
  for (const [name, one] of Object.entries(value)) {
    for (const item of Array.isArray(one) ? one : [one]) {
      form.append(name, partOf(name, item, body));
    }
  }
  return form;
}

function partOf(name: string, value: unknown, body: Body | undefined): string | Blob {
  if (value instanceof Blob) return value;
  if (body?.jsonParts.has(name)) {
    return new Blob([JSON.stringify(value)], { type: "application/json" });
  }
  const type = body?.fileParts.get(name);
  if (type === undefined) return textOf(value);
  // The limits of a file count bytes, so that each letter is to be one.
  return new File([textOf(value).replace(/[^\x20-\x7e]/gu, "~")], name, { type });
}

/** An item of a list, or a field of an object, is a pair of its own. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.map((item) => [name, textOf(item)]);
  if (!isRecord(value)) return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([field, inner]) => pairsOf(field, inner));
}

function textOf(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : String(value);
}
