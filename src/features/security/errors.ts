import { brand, HttpError } from "../../http/mod.ts";
import { NO_STORE } from "../../runtime/web.ts";

/** Invalid credentials: 401. The message is only logged, at the level `DEBUG`. */
export class BadCredentialsError extends Error {
  static {
    brand(this, "BadCredentialsError");
  }

  override readonly name = "BadCredentialsError";

  /** @param message the reason; never the credentials @param description sent to the client (RFC 6750, 3) */
  constructor(message: string, readonly description?: string) {
    super(message);
  }
}

/** A request that a page of another site may have sent: 403. */
export class OriginError extends HttpError {
  static {
    brand(this, "OriginError");
  }

  constructor(readonly reason: string) {
    super(403, "The origin of the request is not allowed", { headers: NO_STORE });
  }
}

/** Credentials cannot be verified because another service cannot be reached: 503. */
export class AuthenticationUnavailableError extends HttpError {
  static {
    brand(this, "AuthenticationUnavailableError");
  }

  override readonly name = "AuthenticationUnavailableError";

  /** @param message which service cannot be reached, and why @param retryAfter seconds until a retry can succeed */
  constructor(message: string, retryAfter?: number) {
    super(503, message, {
      headers: retryAfter === undefined ? {} : { "Retry-After": String(Math.ceil(retryAfter)) },
    });
    // One line in a log: the stack adds nothing to the message.
    this.stack = `${this.name}: ${message}`;
    for (const key of ["Deno.customInspect", "nodejs.util.inspect.custom"]) {
      Object.defineProperty(this, Symbol.for(key), { value: () => this.stack });
    }
  }
}
