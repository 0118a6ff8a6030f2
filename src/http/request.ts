import type { Context } from "hono";
import { parse } from "hono/utils/cookie";
import { getQueryParam, getQueryParams } from "hono/utils/url";
import { peerOf, shortestIpv6 } from "../runtime/web.ts";
import { HttpError } from "./error.ts";
import { parseJson } from "./json.ts";
import { brokenOff, decodeUtf8, receive, type Received } from "./receive.ts";
import { asked, originalOf, type Serving } from "./serving.ts";
import { behindProxies } from "./trusted_proxies.ts";

/** @internal */
export interface RequestSource {
  /** Created when it is needed: the rest may be known without it. */
  readonly context: Context;
  readonly method?: string;
  /** The URL, or its path and query. */
  readonly target?: string;
  header?(name: string): string | null;
  variable?(name: string): string | undefined;
}

/** A request as handlers see it. Every handler may take one as its last parameter. */
export class HttpRequest {
  readonly #source: RequestSource;
  #isContextSeen = false;
  readonly #variable?: (name: string) => string | undefined;
  readonly #serving?: Serving;
  #signal?: AbortSignal;
  #clientAddress?: string;

  /**
   * @param source Hono's context of the request, or what creates it when it is needed
   * @param variable reads a path variable, decoded
   * @param serving the server, where there is one
   */
  constructor(
    source: Context | RequestSource,
    variable?: (name: string) => string | undefined,
    serving?: Serving,
  ) {
    this.#source = "req" in source ? { context: source } : source;
    this.#serving = serving;
    this.#variable = variable;
  }

  get #context(): Context {
    return this.#source.context;
  }

  /** Hono's context: `env`, `executionCtx`, `get`, `header`. */
  get context(): Context {
    this.#isContextSeen = true;
    return this.#context;
  }

  /** Whether other code was given {@linkcode context}, and may have prepared headers there. */
  get isContextSeen(): boolean {
    return this.#isContextSeen;
  }

  /** The `Request` itself. */
  get raw(): Request {
    return this.#context.req.raw;
  }

  /** `GET`, `POST`, …; `HEAD` in a GET handler that answers a HEAD request. */
  get method(): string {
    return this.#source.method ?? this.#context.req.method;
  }

  /** The whole URL, normalized (WHATWG URL): without dot segments and default ports, the host in small letters. */
  get url(): string {
    const { url } = this.#context.req;
    return URL.parse(url)?.href ?? url;
  }

  /** The path of the URL, encoded as it was sent. */
  get path(): string {
    return new URL(this.#context.req.url).pathname;
  }

  /** Headers by name, to be read: whether they can be changed depends on the runtime. */
  get headers(): Headers {
    return this.#context.req.raw.headers;
  }

  /**
   * Aborted when the client leaves; under `listen()` also when the server ends: at once for an event stream, for
   * everything else when `server.shutdown-timeout` is over.
   */
  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    const { raw } = this.#context.req;
    const original = originalOf(raw);
    asked.add(original);
    return this.#signal = this.#serving?.signal?.(original) ?? raw.signal;
  }

  /**
   * The address of the client: of the other side of the connection or, where that is one of `server.trusted-proxies`,
   * what the field of `server.forwarded-header` says; `undefined` without a connection, as in `app.request()`, and where it is
   * asked for the first time after the answer was sent.
   */
  get clientAddress(): string | undefined {
    return this.#clientAddress ??= clientAddress(this.#context);
  }

  /** A header by its name in any case. */
  header(name: string): string | undefined {
    const source = this.#source;
    return (source.header ? source.header(name) : this.headers.get(name)) ?? undefined;
  }

  /** The first value of a query parameter. */
  query(name: string): string | undefined {
    return getQueryParam(this.#target, name) as string | undefined;
  }

  /** Every value of a query parameter, in order. */
  queryAll(name: string): readonly string[] {
    return getQueryParams(this.#target, name) as string[] | undefined ?? [];
  }

  /** A URL: Hono searches for the query behind its scheme, and misses that of a short path. */
  get #target(): string {
    return (this.#source.target ?? this.#context.req.url).replace(/^\//, "http://h/");
  }

  /** A cookie, decoded. */
  cookie(name: string): string | undefined {
    return parse(this.header("Cookie") ?? "", name)[name];
  }

  /** A variable of the path, decoded. */
  pathVariable(name: string): string | undefined {
    if (this.#variable) return this.#variable(name);
    return this.#source.variable ? this.#source.variable(name) : this.#context.req.param(name);
  }

  /**
   * The body, parsed as JSON, without keys `__proto__`.
   *
   * @throws {HttpError} 400 when it is none, not UTF-8, or nested more than 1,000 levels deep; 408, 413, 503
   */
  json<T = unknown>(): Promise<T> {
    return this.#read((bytes) => {
      const text = decoded(bytes);
      return orRefuse("well-formed JSON", () => parseJson(text) as T);
    });
  }

  /** The body as text. The three ways to read it may follow each other. @throws {HttpError} 400 when it is not UTF-8; 408, 413, 503 */
  text(): Promise<string> {
    return this.#read(decoded);
  }

  /** The body as it was sent, a copy for each call. @throws {HttpError} 400 when the client broke off before its end; 408, 413, 503 */
  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#read((bytes) =>
      new Uint8Array(ArrayBuffer.isView(bytes) ? bytes : bytes.slice(0))
    );
  }

  /** The bytes are what is kept: a text that was kept would have lost what is no UTF-8. */
  #read<T>(use: (bytes: Received) => T): Promise<T> {
    const read = new Promise<T>((resolve) => {
      resolve(receive(this.#context.req, use, this.#serving));
    });
    // A handler that does not wait for it must not end the process.
    read.catch(() => {});
    return read;
  }

  /**
   * The body as it arrives; `null` where there is none. Reading it fails with an {@linkcode HttpError}: 400 when the
   * client breaks off, 413 when it is too large, 503 when the server does not wait any longer.
   */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    const { body } = this.#context.req.raw;
    // Some runtimes have an empty one then.
    if (body === null || this.header("Content-Length") === "0") return null;
    // A body that is kept already cannot be read from the connection again.
    const isKept = Object.keys(this.#context.req.bodyCache).length > 0;
    const serving = this.#serving;
    const failed = (cause: unknown) => brokenOff(cause, this.#context.req.raw, serving);
    let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
    return new ReadableStream({
      pull: async (controller) => {
        reader ??= isKept
          ? new Blob([await this.bytes()]).stream().getReader()
          : (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
        const reading = reader.read();
        const { done, value } = await (serving?.untilCut?.(reading) ?? reading).catch(failed);
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader?.cancel(reason),
    }, { highWaterMark: 0 });
  }
}

function decoded(bytes: Received): string {
  return orRefuse("UTF-8", () => decodeUtf8(bytes));
}

/** @throws {HttpError} 400 */
function orRefuse<T>(expected: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new HttpError(400, `The request body is not ${expected}`, { cause });
  }
}

function clientAddress(context: Context): string | undefined {
  const peer = peerOf(originalOf(context.req.raw), context.env)?.replace(/%.*$/, "");
  return peer && behindProxies(shortestIpv6(peer) ?? peer, context);
}

/**
 * Whether an `Origin` (RFC 6454, 7) has the host and port of the request. Its scheme is not compared: behind a proxy
 * that ends TLS, the request has another one than the page.
 */
export function isOwnOrigin(request: HttpRequest, origin: string): boolean {
  const { protocol, host } = URL.parse(origin) ?? {};
  if (!host) return false;
  const own = request.header("Host") ?? new URL(request.url).host;
  return URL.parse(`${protocol}//${own}`)?.host === host;
}

/** Whether a request asks for a WebSocket (RFC 6455, 4.2.1). */
export function isHandshake(request: HttpRequest): boolean {
  return request.header("Upgrade")?.toLowerCase() === "websocket";
}
