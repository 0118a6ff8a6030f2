import type { secureHeaders } from "hono/secure-headers";
import type { Asked } from "../../web/mod.ts";

/** Options of CORS, as those of `cors()` of Hono. */
export interface CorsOptions {
  /**
   * Whose pages may read answers: `"*"` for all, origins such as `https://shop.example`, or a function that gives the
   * origin to allow, and nothing for none. It gets `""` for a request without an origin, and answers at once, without a
   * promise; what it throws is logged and allows nothing.
   *
   * @default "*"
   */
  readonly origin?:
    | string
    | readonly string[]
    | ((origin: string, request: Asked) => string | null | undefined);
  /** Methods that preflights allow. @default GET, HEAD, PUT, POST, DELETE, PATCH, QUERY */
  readonly allowMethods?:
    | readonly string[]
    | ((origin: string, request: Asked) => readonly string[]);
  /** Header fields of requests that preflights allow. @default those that the preflight asks for */
  readonly allowHeaders?: readonly string[];
  /** Seconds for which browsers keep the answer to a preflight. */
  readonly maxAge?: number;
  /** Whether pages may send cookies and HTTP authentication of the browser. @default false */
  readonly credentials?: boolean;
  /** Header fields of answers that pages may read. */
  readonly exposeHeaders?: readonly string[];
}

/** CORS for the paths of a pattern. */
export interface CorsPath extends CorsOptions {
  /** A pattern such as `/api/public/**`, without `server.context-path`; of several the most specific one counts. */
  readonly path: string;
}

/** CORS of an application. */
export interface ApplicationCors extends CorsOptions {
  /** Other options for some paths. Without options beside it, there is no CORS elsewhere. */
  readonly paths?: readonly CorsPath[];
}

/** Options of `secureHeaders()` of Hono, without functions: each field on, off, or with a value of its own. */
export type SecurityHeaders = NonNullable<Parameters<typeof secureHeaders>[0]>;

/** Options of {@linkcode browser}. */
export interface BrowserOptions {
  /** CORS; `true` for the defaults. @default what `server.cors` says */
  readonly cors?: boolean | ApplicationCors;
  /** Security headers; `true` for the defaults. @default what `server.headers` says */
  readonly headers?: boolean | SecurityHeaders;
}

/** Refuses the value of an option. */
export type Refuse = (option: string, message: string) => never;
