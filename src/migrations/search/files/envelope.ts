import { encodePath, hasLines, isRepeatSafe, requestName } from "../cluster/request.ts";
import { compact } from "../json/_slices.ts";
import { type JsonValue, member } from "../json/json.ts";
import type { Classified, SearchRequest } from "../types.ts";
import type { JsonFile, MissingMembers } from "./json_file.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const MAX_REQUEST_LINE = 4096;

/** The request of an envelope (reference 2.6): an object with `method` and `path`. @throws {InvalidFilesError} */
export function readEnvelope(json: JsonFile): Classified | MissingMembers | undefined {
  const [method, target] = ["method", "path"].map((name) => member(json.members, name));
  if (!method && !target) return undefined;
  if (!method) return missing("method");
  const word = stringIn(json, "method", method);
  if (!target) return missing("path");
  const path = stringIn(json, "path", target);
  const verb = word.toUpperCase();
  if (!METHODS.includes(verb)) {
    json.refuse(method.offset, `Expected one of ${METHODS.join(", ")}, found '${word}'`);
  }
  json.refuseIf(pathProblem(path), target.offset);
  const request = requestOf(json, verb, encodePath(path));
  const name = member(json.members, "name");
  const resource = name ? stringIn(json, "name", name) : requestName(request);
  return { kind: "request", resource, request, repeatSafe: isRepeatSafe(request) };
}

/** Whether a file writes out its request: otherwise its name or its content decides which one it is. */
export function isEnvelope({ kind }: Pick<Classified, "kind">): boolean {
  return kind === "request";
}

function missing(name: string): MissingMembers {
  return { expected: { string: [name] }, message: `${needOf(name)}, found none` };
}

function stringIn(json: JsonFile, name: string, { kind, data, offset }: JsonValue): string {
  if (kind !== "string") json.refuse(offset, `${needOf(name)}, found a ${kind}`);
  return String(data);
}

function needOf(name: string): string {
  return `A request needs a string '${name}'`;
}

function requestOf(json: JsonFile, method: string, path: string): SearchRequest {
  const value = member(json.members, "body");
  if (!value || value.kind === "null") return { method, path };
  const lines = hasLines({ path });
  const contentType = lines ? "application/x-ndjson" : undefined;
  if (value.kind === "number" || value.kind === "boolean") {
    const message = `Expected an object, an array or a string as body, found a ${value.kind}`;
    json.refuse(value.offset, message);
  }
  const body = value.kind === "string"
    ? value.data as string
    : lines && value.kind === "array"
    ? value.elements.map(({ source }) => `${compact(source)}\n`).join("")
    : value.source;
  if (method !== "GET" && method !== "HEAD") {
    return { method, path, body, ...(contentType && { contentType }) };
  }
  // fetch cannot send a body with GET; clusters accept it as parameters.
  const source = `source=${encodeURIComponent(compact(body))}`;
  const type = `source_content_type=${encodeURIComponent(contentType ?? "application/json")}`;
  const long = `${path}${path.includes("?") ? "&" : "?"}${source}&${type}`;
  if (`${method} ${long} HTTP/1.1`.length > MAX_REQUEST_LINE) {
    const advice = "use POST, which the same endpoints accept";
    json.refuse(value.offset, `The body is too long for a ${method} request: ${advice}`);
  }
  return { method, path: long };
}

/** Why a path is rejected: it has to stay on the host, below the base path of the connection. */
function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/")) return `Expected a path that starts with '/', found '${path}'`;
  if (path.startsWith("//")) return `The path '${path}' would lead to another host`;
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  if (/[\u0000-\u0020\\#\u007f]/.test(path)) {
    return `The path '${path}' has a character that must be percent-encoded`;
  }
  if (/(?:^|\/)(?:\.|%2e){1,2}(?=\/|\?|$)/i.test(path.split("?")[0]!)) {
    return `The path '${path}' has a segment '.' or '..'`;
  }
}
