import { within } from "../../src/runtime/mod.ts";
import { Talk } from "./talk.ts";

/** The contents of clients' Close frames: nothing, or a code in two bytes, and perhaps a reason. */
const CLOSING: readonly string[] = ["", "\x03\xe8", "\x03\xe9", "\x0b\xb8gone", "\x13\x87"];

/** @returns the Close frames of clients that the conformance application does not answer by the same */
export async function unansweredCloseFrames(base: string): Promise<readonly string[]> {
  const unanswered: string[] = [];
  for (const content of CLOSING) {
    const found = await closedBy(base, content);
    if (found !== content) unanswered.push(`expected '${content}', found '${found}'`);
  }
  return unanswered;
}

/** @returns what the Close frame contains that answers the one of a client (RFC 6455, 5.5.1) */
async function closedBy(base: string, content: string): Promise<string> {
  const { host } = new URL(base);
  const fields = [
    ...[`Host: ${host}`, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const talk = new Talk(base, ["GET /socket HTTP/1.1", ...fields, "\r\n"].join("\r\n"));
  try {
    await talk.until("\r\n\r\n");
    // Masked with zeros.
    talk.send(`\x88${String.fromCharCode(0x80 + content.length)}\0\0\0\0${content}`, "latin1");
    await within(talk.until("\x88"), 5000, undefined);
    const [, frame = "none"] = talk.answer.split("\r\n\r\n\x88");
    return frame.slice(1, 3) === content.slice(0, 2) ? content : frame;
  } finally {
    talk.leave();
  }
}
