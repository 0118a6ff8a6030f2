import type { Row } from "../transactions/own_tables.ts";

/** Of one response, and not of the effect. */
const LEFT_OUT = new Set(["set-cookie", "date", "x-request-id", "content-length", "connection"]);
const CHUNK = 0x8000;

/** What of a response is stored; the body in base64. @throws {TypeError} for a larger one */
export async function storedResponse(
  response: Response,
  maxBytes: number,
): Promise<{ readonly status: number; readonly headers: string; readonly body: string | null }> {
  const { status, headers } = response;
  const bytes = response.body && new Uint8Array(await response.clone().arrayBuffer());
  if (bytes && bytes.length > maxBytes) {
    throw new TypeError(
      `Cannot store a response of ${bytes.length} bytes for 'Idempotency-Key': expected at most ${maxBytes}, the ` +
        "'maxResponseSize' of idempotency()",
    );
  }
  const kept = [...headers].filter(([name]) => !LEFT_OUT.has(name));
  return { status, headers: JSON.stringify(kept), body: bytes && base64(bytes) };
}

export function replayOf({ status, headers, body }: Row): Response {
  const bytes = body === null
    ? null
    : Uint8Array.from(atob(`${body}`), (char) => char.charCodeAt(0));
  const all = new Headers(JSON.parse(`${headers}`));
  all.set("Idempotency-Replayed", "true");
  if (bytes) all.set("Content-Length", `${bytes.length}`);
  return new Response(bytes, { status: Number(status), headers: all });
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(text);
}
