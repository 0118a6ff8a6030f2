import { essence, isEventStream, isJson, isXml } from "../text/media_type.ts";
import { ProblemError } from "./errors.ts";

/** The value of an answer; the response itself where it is a stream or bytes. @throws {ProblemError} for an error */
export async function readAnswer(request: string, response: Response): Promise<unknown> {
  const type = essence(response.headers.get("content-type") ?? "");
  if (response.ok && !isReadWhole(type)) return response;
  const text = await response.text();
  const body = isJson(type) ? parse(text) : text === "" && type === "" ? undefined : text;
  if (response.ok) return body;
  throw new ProblemError(request, response, body);
}

/** No type comes with no body. */
function isReadWhole(type: string): boolean {
  if (isEventStream(type)) return false;
  const isDocument = type.startsWith("application/") && isXml(type);
  return type === "" || type.startsWith("text/") || isJson(type) || isDocument;
}

/** Proxies answer errors with texts of their own, whatever they call them. */
function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
