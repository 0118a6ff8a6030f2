import { isRecord } from "../contract/reader.ts";
import { isJson, shortened } from "../../text/mod.ts";
import type { Body, Operation } from "./operation.ts";
import type { Planned } from "./requests.ts";

/** Writes a request by the document, with each style at its default (OpenAPI 3.1, 4.8.12.2). */
export function writeRequest(operation: Operation, planned: Planned, given: HeadersInit) {
  const { method, path } = operation;
  const target = targetOf(path, planned);
  const headers = headersOf(operation, planned, given);
  const body = writeBody(planned.body, operation.body);
  // `fetch` writes the boundary of a form.
  if (planned.body && !(body instanceof FormData)) headers.set("content-type", planned.body.type);
  return {
    path: target,
    init: { method, headers, body },
    text: shortened([method, target, ...(typeof body === "string" ? [body] : [])].join(" "), 200),
  };
}

function targetOf(path: string, { parameters }: Planned): string {
  const query = new URLSearchParams();
  let target = path;
  for (const [{ in: place, name }, value] of parameters) {
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(sentText(value)));
    if (place !== "query") continue;
    for (const [key, text] of pairsOf(name, value)) query.append(key, text);
  }
  return query.size > 0 ? `${target}?${query}` : target;
}

function headersOf({ parameters }: Operation, planned: Planned, given: HeadersInit): Headers {
  const headers = new Headers(given);
  const cookies = new Map(
    (headers.get("cookie") ?? "").split(/;\s*/).filter((pair) => pair !== "")
      .map((pair) => [pair.split("=", 1)[0]!, pair]),
  );
  for (const parameter of parameters) {
    const { in: place, name, required } = parameter;
    const isSent = planned.parameters.has(parameter);
    if (!isSent && !required) continue;
    const text = sentText(planned.parameters.get(parameter));
    if (place === "cookie") {
      cookies.delete(name);
      if (isSent) cookies.set(name, `${name}=${text}`);
    } else if (place === "header") {
      if (isSent) headers.set(name, text);
      else headers.delete(name);
    }
  }
  if (cookies.size > 0) headers.set("cookie", [...cookies.values()].join("; "));
  else headers.delete("cookie");
  if (planned.accept !== undefined) headers.set("accept", planned.accept);
  return headers;
}

function writeBody(sent: Planned["body"], body: Body | undefined): BodyInit | undefined {
  if (!sent) return undefined;
  const { type, value, isRaw } = sent;
  if (value instanceof Blob) return value;
  if (!isRaw && isJson(type)) return JSON.stringify(value);
  if (isRaw || !isRecord(value)) return String(value);
  const pairs = Object.entries(value);
  if (type.includes("urlencoded")) {
    return new URLSearchParams(pairs.flatMap(([name, one]) => pairsOf(name, one))).toString();
  }
  if (!type.startsWith("multipart/")) return String(value);
  const form = new FormData();
  for (const [name, one] of pairs) {
    for (const item of [one].flat()) form.append(name, partOf(name, item, body));
  }
  return form;
}

function partOf(name: string, value: unknown, body: Body | undefined): string | Blob {
  if (value instanceof Blob) return value;
  if (body?.jsonParts.has(name)) {
    return new Blob([JSON.stringify(value)], { type: "application/json" });
  }
  const type = body?.fileParts.get(name);
  if (type === undefined) return sentText(value);
  // The limits of a file count bytes, so each character has to be one byte.
  return new File([sentText(value).replace(/[^\x20-\x7e]/gu, "~")], name, { type });
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.map((item) => [name, sentText(item)]);
  if (!isRecord(value)) return [[name, sentText(value)]];
  return Object.entries(value).flatMap(([field, inner]) => pairsOf(field, inner));
}

function sentText(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : String(value);
}
