import { BindingError } from "../web/mod.ts";

export function malformed(reason: string, cause?: unknown): BindingError {
  const message = `The request body is not a well-formed form: ${reason}`;
  return new BindingError(400, message, [{ pointer: "", message }], { cause });
}
