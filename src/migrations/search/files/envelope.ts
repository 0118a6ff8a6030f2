import { encodePath, hasLines, isRepeatSafe, requestName } from "../cluster/request.ts";
import { compact } from "../json/_slices.ts";
import { elementsOf, type JsonFile, member } from "../json/json.ts";
import type { SearchMigration, SearchRequest } from "../types.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const MAX_REQUEST_LINE = 4096;

/** The request of an envelope (reference 2.6): an object with `method` and `path`. @throws {InvalidFilesError} */
export function readEnvelope(
  json: JsonFile,
): Pick<SearchMigration, "kind" | "resource" | "request" | "repeatSafe"> | undefined {
  const { members } = json;
  if (!member(members, "method") && !member(members, "path")) return undefined;
  const [method, target] = [textAt(json, "method"), textAt(json, "path")];
  const verb = method.data.toUpperCase();
  if (!METHODS.includes(verb)) {
    json.refuse(method.offset, `Expected one of ${METHODS.join(", ")}, found '${method.data}'`);
  }
  json.refuseIf(pathProblem(target.data), target.offset);
  const request = requestOf(json, verb, encodePath(target.data));
  const resource = member(members, "name") ? textAt(json, "name").data : requestName(request);
  return { kind: "request", resource, request, repeatSafe: isRepeatSafe(request) };
}

function textAt(json: JsonFile, name: string): { readonly data: string; readonly offset: number } {
  const value = member(json.members, name);
  if (value?.kind === "string") return { data: value.data as string, offset: value.offset };
  const message = `A request needs a string '${name}', found `;
  if (value) json.refuse(value.offset, `${message}a ${value.kind}`);
  json.refuseWithout({ string: [name] }, `${message}none`);
}

function requestOf(json: JsonFile, method: string, path: string): SearchRequest {
  const value = member(json.members, "body");
  if (!value || value.kind === "null") return { method, path };
  const lines = hasLines({ path });
  const contentType = lines ? "application/x-ndjson" : undefined;
  if (value.kind === "number" || value.kind === "boolean") {
    json.refuse(
      value.offset,
      `Expected an object, an array or a string as body, found a ${value.kind}`,
    );
  }
  const body = value.kind === "string"
    ? value.data as string
    : lines && value.kind === "array"
    ? elementsOf(json.text, value).map(({ source }) => `${compact(source)}\n`).join("")
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
