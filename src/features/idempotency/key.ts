import { hexOf } from "../../text/mod.ts";
import type { Exchange } from "../../web/mod.ts";

/**
 * The value of `Idempotency-Key`: a string of structured fields (RFC 9651, 3.3.3), or a text without quotes.
 *
 * @returns `undefined` for what is neither, and above 255 characters
 */
export function parseKey(field: string): string | undefined {
  if (field.length > 255) return undefined;
  const quoted = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/.exec(field.trim())?.[1];
  return quoted?.replace(/\\(.)/g, "$1") ?? /^[!#-~]+$/.exec(field.trim())?.[0];
}

/** A request with a key, which the binder hands over to the decorated method. */
export class KeyedRequest {
  constructor(
    readonly exchange: Exchange,
    readonly key: string,
    readonly user: string | null,
  ) {}

  /** Names the effect: the same key of another user, or for another resource, is another one. */
  id(): Promise<string> {
    const { method, path } = this.exchange.context.req;
    return hash(JSON.stringify([this.user, method, path, this.key]));
  }

  /** What has to be the same when the request is sent again: the query and the body. */
  async payload(): Promise<string> {
    const { request, context } = this.exchange;
    const body = await request.bytes().catch((cause) => {
      throw cause instanceof TypeError ? streamed(cause) : cause;
    });
    return await hash(`${new URL(context.req.url).search}\n`, body);
  }
}

export function streamed(cause?: unknown): TypeError {
  const message =
    "Cannot compare a request that is sent again: its body is read as a stream; read it as a whole";
  return new TypeError(message, { cause });
}

async function hash(...parts: readonly BlobPart[]): Promise<string> {
  const bytes = await new Blob([...parts]).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return hexOf(digest);
}
