import type { Context } from "hono";
import { getCookie } from "hono/cookie";

/** A request as handlers see it. Every handler may take one as its last parameter. */
export class HttpRequest {
  /** Hono's context: `env`, `executionCtx`, `get`. */
  readonly context: Context;
  readonly #variable: (name: string) => string | undefined;

  /**
   * @param context Hono's context of the request
   * @param variable reads a path variable, decoded
   */
  constructor(context: Context, variable?: (name: string) => string | undefined) {
    this.context = context;
    this.#variable = variable ?? ((name) => context.req.param(name));
  }

  /** The `Request` itself. */
  get raw(): Request {
    return this.context.req.raw;
  }

  /** `GET`, `POST`, …; `HEAD` in a GET handler that answers a HEAD request. */
  get method(): string {
    return this.context.req.method;
  }

  /** The whole URL. */
  get url(): string {
    return this.context.req.url;
  }

  /** The path of the URL, encoded as it was sent. */
  get path(): string {
    return new URL(this.raw.url).pathname;
  }

  get headers(): Headers {
    return this.raw.headers;
  }

  /** Aborted when the client leaves. */
  get signal(): AbortSignal {
    return this.raw.signal;
  }

  /** A header by its name in any case. */
  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined;
  }

  /** The first value of a query parameter. */
  query(name: string): string | undefined {
    return this.context.req.query(name);
  }

  /** Every value of a query parameter, in order. */
  queryAll(name: string): readonly string[] {
    return this.context.req.queries(name) ?? [];
  }

  /** A cookie, decoded. */
  cookie(name: string): string | undefined {
    return getCookie(this.context, name);
  }

  /** A variable of the path, decoded. */
  pathVariable(name: string): string | undefined {
    return this.#variable(name);
  }

  /** The body, parsed as JSON. @throws {SyntaxError} when it is none */
  json<T = unknown>(): Promise<T> {
    return this.context.req.json();
  }

  /** The body as text. The three ways to read it may follow each other. */
  text(): Promise<string> {
    return this.context.req.text();
  }

  /** The body as bytes. */
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.context.req.arrayBuffer());
  }
}
