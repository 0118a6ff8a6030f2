import { isPieceSource, isPlain, isResponse, ResponseEntity } from "../http/mod.ts";

/** Whether what a handler returned may still be made while it is sent. */
export function isStreaming(value: unknown): boolean {
  if (isPlain(value)) return false;
  if (value instanceof ResponseEntity) return isStreaming(value.body);
  return value instanceof ReadableStream || isResponse(value) || isPieceSource(value);
}
