import { brand } from "./brand.ts";

/** In each line a code, its phrase, and those of the codes that follow it. The constants are named by the phrases. */
const REGISTERED =
  `100 Continue,Switching Protocols,Processing,Early Hints,Upload Resumption Supported
200 OK,Created,Accepted,Non-Authoritative Information,No Content,Reset Content,Partial Content
207 Multi-Status,Already Reported
226 IM Used
300 Multiple Choices,Moved Permanently,Found,See Other,Not Modified,Use Proxy
307 Temporary Redirect,Permanent Redirect
400 Bad Request,Unauthorized,Payment Required,Forbidden,Not Found,Method Not Allowed
406 Not Acceptable,Proxy Authentication Required,Request Timeout,Conflict,Gone,Length Required
412 Precondition Failed,Content Too Large,URI Too Long,Unsupported Media Type
416 Range Not Satisfiable,Expectation Failed,I'm a teapot
421 Misdirected Request,Unprocessable Content,Locked,Failed Dependency,Too Early,Upgrade Required
428 Precondition Required,Too Many Requests
431 Request Header Fields Too Large
451 Unavailable For Legal Reasons
500 Internal Server Error,Not Implemented,Bad Gateway,Service Unavailable,Gateway Timeout
505 HTTP Version Not Supported,Variant Also Negotiates,Insufficient Storage,Loop Detected
510 Not Extended,Network Authentication Required`;

/**
 * A status of a response: its code and the text that goes with it. The constants are the registered ones
 * (IANA HTTP Status Code Registry, RFC 9110).
 */
export class HttpStatus {
  static readonly #byCode: Map<number, HttpStatus> = new Map();

  /** 100 Continue. */
  declare static readonly CONTINUE: HttpStatus;
  /** 101 Switching Protocols. */
  declare static readonly SWITCHING_PROTOCOLS: HttpStatus;
  /** 102 Processing. */
  declare static readonly PROCESSING: HttpStatus;
  /** 103 Early Hints. */
  declare static readonly EARLY_HINTS: HttpStatus;
  /** 104 Upload Resumption Supported. */
  declare static readonly UPLOAD_RESUMPTION_SUPPORTED: HttpStatus;
  /** 200 OK. */
  declare static readonly OK: HttpStatus;
  /** 201 Created. */
  declare static readonly CREATED: HttpStatus;
  /** 202 Accepted. */
  declare static readonly ACCEPTED: HttpStatus;
  /** 203 Non-Authoritative Information. */
  declare static readonly NON_AUTHORITATIVE_INFORMATION: HttpStatus;
  /** 204 No Content. */
  declare static readonly NO_CONTENT: HttpStatus;
  /** 205 Reset Content. */
  declare static readonly RESET_CONTENT: HttpStatus;
  /** 206 Partial Content. */
  declare static readonly PARTIAL_CONTENT: HttpStatus;
  /** 207 Multi-Status. */
  declare static readonly MULTI_STATUS: HttpStatus;
  /** 208 Already Reported. */
  declare static readonly ALREADY_REPORTED: HttpStatus;
  /** 226 IM Used. */
  declare static readonly IM_USED: HttpStatus;
  /** 300 Multiple Choices. */
  declare static readonly MULTIPLE_CHOICES: HttpStatus;
  /** 301 Moved Permanently. */
  declare static readonly MOVED_PERMANENTLY: HttpStatus;
  /** 302 Found. */
  declare static readonly FOUND: HttpStatus;
  /** 303 See Other. */
  declare static readonly SEE_OTHER: HttpStatus;
  /** 304 Not Modified. */
  declare static readonly NOT_MODIFIED: HttpStatus;
  /** 305 Use Proxy. */
  declare static readonly USE_PROXY: HttpStatus;
  /** 307 Temporary Redirect. */
  declare static readonly TEMPORARY_REDIRECT: HttpStatus;
  /** 308 Permanent Redirect. */
  declare static readonly PERMANENT_REDIRECT: HttpStatus;
  /** 400 Bad Request. */
  declare static readonly BAD_REQUEST: HttpStatus;
  /** 401 Unauthorized. */
  declare static readonly UNAUTHORIZED: HttpStatus;
  /** 402 Payment Required. */
  declare static readonly PAYMENT_REQUIRED: HttpStatus;
  /** 403 Forbidden. */
  declare static readonly FORBIDDEN: HttpStatus;
  /** 404 Not Found. */
  declare static readonly NOT_FOUND: HttpStatus;
  /** 405 Method Not Allowed. */
  declare static readonly METHOD_NOT_ALLOWED: HttpStatus;
  /** 406 Not Acceptable. */
  declare static readonly NOT_ACCEPTABLE: HttpStatus;
  /** 407 Proxy Authentication Required. */
  declare static readonly PROXY_AUTHENTICATION_REQUIRED: HttpStatus;
  /** 408 Request Timeout. */
  declare static readonly REQUEST_TIMEOUT: HttpStatus;
  /** 409 Conflict. */
  declare static readonly CONFLICT: HttpStatus;
  /** 410 Gone. */
  declare static readonly GONE: HttpStatus;
  /** 411 Length Required. */
  declare static readonly LENGTH_REQUIRED: HttpStatus;
  /** 412 Precondition Failed. */
  declare static readonly PRECONDITION_FAILED: HttpStatus;
  /** 413 Content Too Large. */
  declare static readonly CONTENT_TOO_LARGE: HttpStatus;
  /** 414 URI Too Long. */
  declare static readonly URI_TOO_LONG: HttpStatus;
  /** 415 Unsupported Media Type. */
  declare static readonly UNSUPPORTED_MEDIA_TYPE: HttpStatus;
  /** 416 Range Not Satisfiable. */
  declare static readonly RANGE_NOT_SATISFIABLE: HttpStatus;
  /** 417 Expectation Failed. */
  declare static readonly EXPECTATION_FAILED: HttpStatus;
  /** 418 I'm a teapot. */
  declare static readonly IM_A_TEAPOT: HttpStatus;
  /** 421 Misdirected Request. */
  declare static readonly MISDIRECTED_REQUEST: HttpStatus;
  /** "Unprocessable Entity" before RFC 9110, which is the name that factories and constants keep. */
  declare static readonly UNPROCESSABLE_ENTITY: HttpStatus;
  /** 423 Locked. */
  declare static readonly LOCKED: HttpStatus;
  /** 424 Failed Dependency. */
  declare static readonly FAILED_DEPENDENCY: HttpStatus;
  /** 425 Too Early. */
  declare static readonly TOO_EARLY: HttpStatus;
  /** 426 Upgrade Required. */
  declare static readonly UPGRADE_REQUIRED: HttpStatus;
  /** 428 Precondition Required. */
  declare static readonly PRECONDITION_REQUIRED: HttpStatus;
  /** 429 Too Many Requests. */
  declare static readonly TOO_MANY_REQUESTS: HttpStatus;
  /** 431 Request Header Fields Too Large. */
  declare static readonly REQUEST_HEADER_FIELDS_TOO_LARGE: HttpStatus;
  /** 451 Unavailable For Legal Reasons. */
  declare static readonly UNAVAILABLE_FOR_LEGAL_REASONS: HttpStatus;
  /** 500 Internal Server Error. */
  declare static readonly INTERNAL_SERVER_ERROR: HttpStatus;
  /** 501 Not Implemented. */
  declare static readonly NOT_IMPLEMENTED: HttpStatus;
  /** 502 Bad Gateway. */
  declare static readonly BAD_GATEWAY: HttpStatus;
  /** 503 Service Unavailable. */
  declare static readonly SERVICE_UNAVAILABLE: HttpStatus;
  /** 504 Gateway Timeout. */
  declare static readonly GATEWAY_TIMEOUT: HttpStatus;
  /** 505 HTTP Version Not Supported. */
  declare static readonly HTTP_VERSION_NOT_SUPPORTED: HttpStatus;
  /** 506 Variant Also Negotiates. */
  declare static readonly VARIANT_ALSO_NEGOTIATES: HttpStatus;
  /** 507 Insufficient Storage. */
  declare static readonly INSUFFICIENT_STORAGE: HttpStatus;
  /** 508 Loop Detected. */
  declare static readonly LOOP_DETECTED: HttpStatus;
  /** 510 Not Extended. */
  declare static readonly NOT_EXTENDED: HttpStatus;
  /** 511 Network Authentication Required. */
  declare static readonly NETWORK_AUTHENTICATION_REQUIRED: HttpStatus;

  // The constants are made of the phrases: two lists would double the size in a bundle. All names at once,
  // as this is run by every start.
  static {
    brand(this, "HttpStatus");
    const names = REGISTERED.toUpperCase().replace("'", "")
      .replace("PROCESSABLE CONTENT", "PROCESSABLE ENTITY").replace(/[ -]/g, "_").split("\n");
    const constants = HttpStatus as unknown as Record<string, HttpStatus>;
    REGISTERED.split("\n").forEach((line, index) => {
      const named = names[index]!.slice(4).split(",");
      line.slice(4).split(",").forEach((phrase, next) => {
        constants[named[next]!] = new HttpStatus(parseInt(line) + next, phrase);
      });
    });
  }

  private constructor(
    readonly value: number,
    readonly reasonPhrase: string,
  ) {
    HttpStatus.#byCode.set(value, this);
  }

  /**
   * The status of a code; always the same object for the same code.
   *
   * @throws {RangeError} when it is no integer from 100 to 599
   */
  static of(code: number): HttpStatus {
    const known = HttpStatus.#byCode.get(code);
    if (known) return known;
    if (!Number.isInteger(code) || code < 100 || code > 599) {
      throw new RangeError(`Expected a status code from 100 to 599, found '${code}'`);
    }
    return new HttpStatus(code, "");
  }

  /** The code, 100 to 599. */
  getValue(): number {
    return this.value;
  }

  /** The text that goes with the code, empty for a code that is not registered. */
  getReasonPhrase(): string {
    return this.reasonPhrase;
  }

  /** The code and its text: `404 Not Found`. */
  toString(): string {
    return `${this.value} ${this.reasonPhrase}`.trim();
  }
}

/** Refuses a code, or what was given in another order; scripts are not told by the compiler. @throws {TypeError} */
export function requireStatus(status: HttpStatus): void {
  if (typeof status?.value === "number") return;
  throw new TypeError(`Expected a status such as HttpStatus.NOT_FOUND, found '${status}'`);
}
