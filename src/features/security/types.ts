import type { HttpRequest } from "../../http/mod.ts";
import type { Config } from "../../config/mod.ts";
import type { MiddlewareSource } from "../../web/mod.ts";

/** An authenticated user or client. Custom principals have more fields. */
export interface Principal {
  /** Name of the user or client. */
  readonly name: string;
  /** Roles, as `@RolesAllowed` requires them. @default none */
  readonly roles?: readonly string[];
}

/**
 * Authenticates requests. A custom scheme class is a bean: it may have `@Autowired` fields, and needs no
 * stereotype.
 *
 * ```ts ignore
 * class SessionScheme implements AuthenticationScheme {
 *   @Autowired(Sessions) private readonly sessions!: Sessions;
 *
 *   async authenticate(request: HttpRequest) {
 *     const id = request.cookie("session");
 *     return id === undefined ? undefined : await this.sessions.userOf(id);
 *   }
 * }
 * ```
 */
export interface AuthenticationScheme {
  /**
   * Authenticates a request; must not read its body.
   *
   * @returns `undefined` if the request has no credentials for this scheme
   * @throws {BadCredentialsError} if the credentials are invalid: 401, as for `undefined`
   * @throws {AuthenticationUnavailableError} if they cannot be verified now: 503
   */
  authenticate(request: HttpRequest): Principal | undefined | Promise<Principal | undefined>;
  /** Challenge (RFC 9110, 11.6.1), parameters after a space, but not `realm`, an option. @default the name of the scheme */
  readonly challenge?: string;
  /** All roles that this scheme grants. If every scheme lists its roles, an unknown role in an annotation fails at startup. */
  readonly roles?: readonly string[];
  /** The Security Scheme Object of the OpenAPI document (OpenAPI 3.1, 4.8.27). */
  readonly openApi?: Readonly<Record<string, unknown>>;
}

/** A scheme of this library before the configuration is read, as `jwt()`, `basic()` and `apiKey()` return it. */
export interface SchemeFactory {
  /** Creates the scheme at startup; with `isDescribed` only for a document, without secrets. */
  readonly "~scheme": (
    config: Config,
    name: string,
    isDescribed: boolean,
  ) => Promise<AuthenticationScheme>;
}

export interface NamedScheme {
  readonly name: string;
  readonly scheme: AuthenticationScheme;
}

/** The class of a custom scheme. */
export type SchemeClass = new () => AuthenticationScheme;

/** Access to paths without annotations. */
export type PathRule = "permitAll" | "authenticated" | {
  /** One of these roles is required. */
  readonly roles: readonly string[];
};

/** Options of `security`. */
export interface SecurityOptions {
  /** Schemes by name, in the order in which they are tried. The OpenAPI document uses the same names. */
  readonly schemes: Readonly<Record<string, SchemeFactory | SchemeClass>>;
  /** Access to routes without an annotation. @default "authenticated" */
  readonly default?: "authenticated" | "permitAll";
  /**
   * Access to endpoints of extensions and to mounted Hono apps, by whole path, `/**` at the end included:
   * `{ "/openapi.json": "permitAll", "/actuator/**": { roles: ["ops"] } }`. The longest match applies.
   */
  readonly paths?: Readonly<Record<string, PathRule>>;
  /**
   * Runs after authentication and the check of roles, before parameters are bound, for every route that authenticates: with
   * the user by `currentUser(context)`, such as for rate limits. Middleware of mounted apps runs after authentication anyway.
   */
  readonly middleware?: readonly MiddlewareSource[];
  /** Protection space in `WWW-Authenticate` (RFC 9110, 11.5). @default "application" */
  readonly realm?: string;
}

/** The principal of a token, unless the option `user` of `jwt` creates another one. */
export interface JwtPrincipal extends Principal {
  /** Roles of the token; may be empty. */
  readonly roles: readonly string[];
  /** All claims of the token. */
  readonly claims: Claims;
}

/** The signed claims of a token (RFC 7519, 4). */
export type Claims = Readonly<Record<string, unknown>>;

/** Where a token is sent: as a bearer token, in a cookie, in the query, or beside the subprotocol of a WebSocket. */
export type TokenPlace = "header" | "cookie" | "query" | "subprotocol";

/** Options of `jwt` and `issueToken`. The key that verifies is one of `jwksUri`, `secret` and `publicKey`. */
export interface JwtOptions {
  /** Required issuer: the claim `iss`. */
  readonly issuer: string | readonly string[];
  /** Required audience: one value of the claim `aud`. */
  readonly audience: string | readonly string[];
  /** URL of the issuer's JSON Web Key Set (RFC 7517, 5); fetched for the first token. */
  readonly jwksUri?: string | URL;
  /** Shared with the issuer, for HMAC: at least as many bytes as the hash has (RFC 7518, 3.2). */
  readonly secret?: string | Uint8Array;
  /** Public key of the issuer: PEM (SPKI), or a JSON Web Key. */
  readonly publicKey?: string | Claims;
  /** Key with which `issueToken` signs, unless it has `secret`: PEM (PKCS #8), or a JSON Web Key. */
  readonly privateKey?: string | Claims;
  /** Header `kid` of issued tokens (RFC 7515, 4.1.4). @default that of a `privateKey` as JSON Web Key */
  readonly keyId?: string;
  /**
   * Where tokens are sent; the first place that has one counts. `"header"` is `Authorization: Bearer …` (RFC 6750, 2.1),
   * `"subprotocol"` the one after `bearer` in the handshake of a WebSocket, which must not be the first.
   *
   * @default "header"
   */
  readonly from?: TokenPlace | readonly TokenPlace[];
  /** Name of the scheme in `Authorization`, in any case: `"Token"` for `Authorization: Token …`. @default "Bearer" */
  readonly scheme?: string;
  /**
   * Browsers send cookies with requests of other sites, too: handshakes and all methods but GET, HEAD and OPTIONS need
   * the application's own origin, by `Sec-Fetch-Site` or else `Origin`.
   */
  readonly cookie?: {
    /** @default "__Host-token", which browsers take only with `Secure` and `Path=/` (RFC 6265bis, 4.1.3.2) */
    readonly name?: string;
    /** Other origins whose pages may send the cookie, such as `https://app.example`. @default none */
    readonly origins?: readonly string[];
  };
  /** The token in the query, which proxies and other instrumentation may log. */
  readonly query?: {
    /** @default "access_token" (RFC 6750, 2.3) */
    readonly name?: string;
  };
  /**
   * Accepted values of the header `typ`, which is then required (RFC 9068, 4).
   *
   * @default no `typ`, "JWT" or "at+jwt": no ID tokens or other typed tokens
   */
  readonly typ?: string | readonly string[];
  /** Accepted algorithms. @default HS256 with a secret, else those with public keys: RS, PS, ES, EdDSA */
  readonly algorithms?: readonly string[];
  /** Tolerated clock difference in seconds, at most 600. @default 60 */
  readonly clockTolerance?: number;
  /** Claim that names the user: a text without control characters. @default "sub" */
  readonly name?: string;
  /**
   * Path of the roles, such as `realm_access.roles`, to a list or one text, or a function. A text is one role, but
   * for `scope` and `scp` a space-separated list (RFC 8693, 4.2).
   *
   * @default "roles"
   */
  readonly roles?: string | ((claims: Claims) => readonly string[]);
  /** All roles that tokens grant. If every scheme lists its roles, an unknown role in an annotation fails at startup. */
  readonly knownRoles?: readonly string[];
  /** Creates a custom principal; `undefined` rejects the token. */
  readonly user?: (claims: Claims) => Principal | undefined | Promise<Principal | undefined>;
  /** Minimum seconds between two fetches of keys. @default 30, and 5 after a failure */
  readonly cooldown?: number;
  /** Seconds for which fetched keys are cached. @default 600 */
  readonly cacheMaxAge?: number;
  /** Timeout of a fetch in seconds. @default 5 */
  readonly timeout?: number;
}

/** Options of `basic`: either `users` or `verify`. */
export interface BasicOptions {
  /** Users with their passwords, which belong in the configuration. */
  readonly users?: readonly (Principal & { readonly password: string })[];
  /** Must compare secrets in constant time. */
  readonly verify?: (
    name: string,
    password: string,
  ) => Principal | undefined | Promise<Principal | undefined>;
  /** All roles that `verify` grants. */
  readonly knownRoles?: readonly string[];
}

/** Options of `apiKey`: either `keys` or `verify`. */
export interface ApiKeyOptions {
  /** Where the key is sent. Proxies log a key in a query. @default "header" */
  readonly in?: "header" | "query" | "cookie";
  /** Name of the header, parameter or cookie. @default "X-API-Key" */
  readonly name?: string;
  /** Keys with their owners; keys belong in the configuration. */
  readonly keys?: readonly (Principal & { readonly key: string })[];
  /** Must compare secrets in constant time. */
  readonly verify?: (key: string) => Principal | undefined | Promise<Principal | undefined>;
  /** All roles that `verify` grants. */
  readonly knownRoles?: readonly string[];
}
