import { type CookieOptions, serialize } from "hono/utils/cookie";
import { bodyKindOf, renderBody, typeOfBody } from "./body_kinds.ts";
import { checkOwnHeader } from "./_header.ts";
import { brand } from "./brand.ts";
import { discard, isBodiless, toJson } from "./body.ts";
import { isProblemDetail, PROBLEM_JSON } from "./problem.ts";
import { HttpStatus, requireStatus } from "./status.ts";
import { withAppendedHeader, withHeader } from "./with_header.ts";

/**
 * A response under construction. Static factories start it; every builder method changes and
 * returns the same object.
 *
 * @typeParam T the body; `never` where there is none and the status asks for none (204, 4xx), so that it stands for any
 */
export class ResponseEntity<T = unknown> {
  static {
    brand(this, "ResponseEntity");
  }

  #status: HttpStatus;
  #headers: Headers | undefined;
  #body: unknown;
  #asJson = false;
  /** Whether code has received the headers, and may have set unchecked fields. */
  #areHeadersSeen = false;

  private constructor(status: HttpStatus) {
    this.#status = requireFinal(status);
  }

  /** 200. */
  static ok(): ResponseEntity<undefined> {
    return new ResponseEntity(HttpStatus.OK);
  }

  /** 201 with the header `Location`. @throws {TypeError} when `location` cannot be sent as it is: encode it */
  static created(location: string): ResponseEntity<undefined> {
    return new ResponseEntity<undefined>(HttpStatus.CREATED).withHeader("Location", location);
  }

  /** 202. */
  static accepted(): ResponseEntity<undefined> {
    return new ResponseEntity(HttpStatus.ACCEPTED);
  }

  /** 204. */
  static noContent(): ResponseEntity<never> {
    return new ResponseEntity(HttpStatus.NO_CONTENT);
  }

  /** 400. */
  static badRequest(): ResponseEntity<never> {
    return new ResponseEntity(HttpStatus.BAD_REQUEST);
  }

  /** 401. */
  static unauthorized(): ResponseEntity<never> {
    return new ResponseEntity(HttpStatus.UNAUTHORIZED);
  }

  /** 404. */
  static notFound(): ResponseEntity<never> {
    return new ResponseEntity(HttpStatus.NOT_FOUND);
  }

  /** 422. */
  static unprocessableEntity(): ResponseEntity<never> {
    return new ResponseEntity(HttpStatus.UNPROCESSABLE_ENTITY);
  }

  /** Any status. @throws {RangeError} for 1xx, which no response can end with */
  static status(status: HttpStatus): ResponseEntity<undefined> {
    return new ResponseEntity(status);
  }

  /** The status that was set last. */
  get status(): HttpStatus {
    return this.#status;
  }

  /** The headers so far. */
  get headers(): Headers {
    this.#areHeadersSeen = true;
    return this.#ownHeaders;
  }

  get #ownHeaders(): Headers {
    return this.#headers ??= new Headers();
  }

  /** The body so far, as it was given. */
  get body(): T {
    return this.#body as T;
  }

  /** Sets the body and `Content-Type: application/json`; `application/problem+json` for what `problem()` made. */
  withJson<U>(body: U): ResponseEntity<U> {
    this.#ownHeaders.set("Content-Type", isProblemDetail(body) ? PROBLEM_JSON : "application/json");
    const entity = this.setBody(body === undefined ? null : body) as ResponseEntity<U>;
    this.#asJson = true;
    return entity;
  }

  /** Sets the body and `Content-Type: application/xml`. A text is sent as it is. */
  withXml<U>(body: U): ResponseEntity<U> {
    this.#ownHeaders.set("Content-Type", "application/xml");
    return this.setBody(body === undefined ? null : body) as ResponseEntity<U>;
  }

  /**
   * Appends a header.
   *
   * @throws {TypeError} when the name is no token, when the value contains a control character or one beyond Latin-1, and
   * for what the server sets: `Content-Length`, `Transfer-Encoding`, `Connection`, `Trailer`, `Upgrade`, `Keep-Alive`
   */
  withHeader(name: string, value: string): this {
    checkOwnHeader(name, value);
    // A response has one media type and one address to go to; two would contradict each other.
    if (/^(?:content-type|location)$/i.test(name)) this.#ownHeaders.set(name, value);
    else this.#ownHeaders.append(name, value);
    return this;
  }

  /** Appends a cookie (RFC 6265). @throws {Error} when name, value or options make no cookie */
  withCookie(name: string, value: string, options?: CookieOptions): this {
    return this.withHeader("Set-Cookie", serialize(name, value, { path: "/", ...options }));
  }

  /** Overrides the status by its code. @throws {RangeError} when it is no integer from 200 to 599 */
  withStatusCode(code: number): this {
    this.#status = requireFinal(HttpStatus.of(code));
    return this;
  }

  /** Sets the body and leaves `Content-Type` alone; where there is none, the body's kind decides. */
  setBody<U>(body: U): ResponseEntity<U> {
    this.#body = body;
    this.#asJson = false;
    return this as unknown as ResponseEntity<U>;
  }

  /**
   * A copy with another body; the status, the headers and how the body is written stay.
   *
   * @internal
   */
  "~withBody"<U>(body: U): ResponseEntity<U> {
    const copy = new ResponseEntity<U>(this.#status);
    copy.#headers = this.#headers && new Headers(this.#headers);
    copy.#areHeadersSeen = this.#areHeadersSeen;
    copy.#asJson = this.#asJson;
    copy.#body = body;
    return copy;
  }

  /**
   * The response: without a body and its type for 204, 205 and 304.
   *
   * @throws {TypeError} when the body cannot be written in its media type, or a header was set that cannot be sent
   */
  toResponse(): Response {
    const { value: status } = this.#status;
    const headers = this.#headers;
    if (this.#areHeadersSeen) headers?.forEach((value, name) => checkOwnHeader(name, value));
    if (isBodiless(status)) {
      discard(this.#body);
      const response = new Response(null, { status, headers });
      response.headers.delete("Content-Type");
      return response;
    }
    if (this.#body === undefined) return new Response(null, { status, headers });
    if (this.#asJson) return new Response(toJson(this.#body), { status, headers });
    const type = headers?.get("Content-Type");
    if (type) {
      const body = bodyKindOf(this.#body).encode(this.#body, type);
      const response = new Response(body, { status, headers });
      response.headers.set("Content-Type", typeOfBody(this.#body, type));
      return response;
    }
    let response = renderBody(this.#body, status);
    headers?.forEach((value, name) => {
      const change = name === "set-cookie" ? withAppendedHeader : withHeader;
      response = change(response, name, value);
    });
    return response;
  }
}

function requireFinal(status: HttpStatus): HttpStatus {
  requireStatus(status);
  if (status.value < 200) {
    throw new RangeError(
      `Expected a status from 200 to 599, found '${status}': a 1xx status is not final`,
    );
  }
  // The object of this copy of the library, which others are compared with.
  return HttpStatus.of(status.value);
}
