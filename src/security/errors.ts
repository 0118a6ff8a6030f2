import { brand, HttpError } from "../http/mod.ts";

/** Credentials that are wrong: answered with 401. Its message goes to nobody but the log, at the level `DEBUG`. */
export class BadCredentialsError extends Error {
  static {
    brand(this, "BadCredentialsError");
  }

  override readonly name = "BadCredentialsError";

  /**
   * @param message why they are; never the credentials
   * @param description for the client, where there is one to tell (RFC 6750, 3)
   */
  constructor(message: string, readonly description?: string) {
    super(message);
  }
}

/** Nobody can say who asks, as somebody who would know cannot be reached: answered with 503. */
export class AuthenticationUnavailableError extends HttpError {
  static {
    brand(this, "AuthenticationUnavailableError");
  }

  override readonly name = "AuthenticationUnavailableError";

  /**
   * @param message who cannot be reached, and why
   * @param retryAfter seconds after which another request is worth it
   */
  constructor(message: string, retryAfter?: number) {
    super(503, message, {
      headers: retryAfter === undefined ? {} : { "Retry-After": String(Math.ceil(retryAfter)) },
    });
    // One line in a log: where it was thrown says nothing that the message does not.
    this.stack = `${this.name}: ${message}`;
    for (const key of ["Deno.customInspect", "nodejs.util.inspect.custom"]) {
      Object.defineProperty(this, Symbol.for(key), { value: () => this.stack });
    }
  }
}
