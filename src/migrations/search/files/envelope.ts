import { compact } from "../json/_slices.ts";
import { elementsOf, invalid, type JsonObject, type JsonValue, member } from "../json/json.ts";
import { encodePath, hasLines } from "../cluster/request.ts";
import type { SearchFile, SearchRequest } from "../types.ts";

/** An explicit request (reference 2.6). */
export interface Envelope {
  readonly request: SearchRequest;
  readonly name?: string;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/** What servers take of a request line by default. */
const MAX_REQUEST_LINE = 4096;

/**
 * The request of an envelope: an object with `method` and `path`.
 *
 * @returns `undefined` for an object with neither
 * @throws {InvalidFilesError} for one without the other, and for values that make no request
 */
export function readEnvelope(file: SearchFile, json: JsonObject): Envelope | undefined {
  const method = member(json.members, "method");
  const path = member(json.members, "path");
  if (!method && !path) return undefined;
  const text = (value: JsonValue | undefined, name: string): string => {
    if (value?.kind === "string") return value.data as string;
    const found = value ? `found a ${value.kind}` : "found none";
    const offset = value?.offset ?? 0;
    throw invalid(file, json.text, offset, `A request needs a text '${name}', ${found}`);
  };
  const verb = text(method, "method").toUpperCase();
  if (!METHODS.includes(verb)) {
    const message = `Expected one of ${METHODS.join(", ")}, found '${text(method, "method")}'`;
    throw invalid(file, json.text, method!.offset, message);
  }
  const target = text(path, "path");
  const problem = pathProblem(target);
  if (problem) throw invalid(file, json.text, path!.offset, problem);
  const name = member(json.members, "name");
  return {
    request: requestOf(file, json, verb, encodePath(target)),
    ...(name && { name: text(name, "name") }),
  };
}

function requestOf(
  file: SearchFile,
  json: JsonObject,
  method: string,
  path: string,
): SearchRequest {
  const value = member(json.members, "body");
  if (!value || value.kind === "null") return { method, path };
  const lines = hasLines({ path });
  const contentType = lines ? "application/x-ndjson" : undefined;
  if (value.kind === "number" || value.kind === "boolean") {
    const message = `Expected an object, an array or a text as body, found a ${value.kind}`;
    throw invalid(file, json.text, value.offset, message);
  }
  const body = value.kind === "string"
    ? value.data as string
    : lines && value.kind === "array"
    ? elementsOf(json.text, value).map(({ source }) => `${compact(source)}\n`).join("")
    : value.source;
  if (method !== "GET" && method !== "HEAD") {
    return { method, path, body, ...(contentType && { contentType }) };
  }
  // fetch cannot send a body with GET; clusters take it as parameters.
  const source = `source=${encodeURIComponent(compact(body))}`;
  const type = `source_content_type=${encodeURIComponent(contentType ?? "application/json")}`;
  const long = `${path}${path.includes("?") ? "&" : "?"}${source}&${type}`;
  if (`${method} ${long} HTTP/1.1`.length > MAX_REQUEST_LINE) {
    const message =
      `The body is too long for a ${method} request: use POST, which the same endpoints take`;
    throw invalid(file, json.text, value.offset, message);
  }
  return { method, path: long };
}

/** Why a path is refused: it has to stay on the host, below the base path of the connection. */
function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/")) return `Expected a path that starts with '/', found '${path}'`;
  if (path.startsWith("//")) return `The path '${path}' would lead to another host`;
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  if (/[\u0000-\u0020\\#\u007f]/.test(path)) {
    return `The path '${path}' has a character that has to be percent-encoded`;
  }
  if (/(?:^|\/)(?:\.|%2e){1,2}(?=\/|\?|$)/i.test(path.split("?")[0]!)) {
    return `The path '${path}' has a segment of dots`;
  }
}
