import { essence, isJson, isReadWhole } from "../text/media_type.ts";
import { ProblemError } from "./errors.ts";

/** The value of an answer; the response itself where it is a stream or bytes. @throws {ProblemError} for an error */
export async function readAnswer(request: string, response: Response): Promise<unknown> {
  const type = essence(response.headers.get("content-type") ?? "");
  // No type comes with no body.
  if (response.ok && type !== "" && !isReadWhole(type)) return response;
  const text = await response.text();
  const body = isJson(type) ? parse(text) : text === "" && type === "" ? undefined : text;
  if (response.ok) return body;
  throw new ProblemError(request, response, body);
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
