import { decodeUtf8, type Received } from "../../http/mod.ts";
import { BindingError } from "./binding_error.ts";

/** The text of a body. @throws {BindingError} 400 when it is not UTF-8 */
export function textOfBody(bytes: Received): string {
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    throw malformed("The request body is not UTF-8", cause);
  }
}

/** The refusal of a body that is not what its type says. */
export function malformed(message: string, cause: unknown): BindingError {
  return new BindingError(400, message, [{ pointer: "", message }], { cause });
}
