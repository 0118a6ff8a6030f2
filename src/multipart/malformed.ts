import { BindingError } from "../web/mod.ts";

/** The refusal of a body that is no well-formed form, `reason` ending the sentence. */
export function malformed(reason: string, cause?: unknown): BindingError {
  const message = `The request body is no well-formed form: ${reason}`;
  return new BindingError(400, message, [{ pointer: "", message }], { cause });
}
