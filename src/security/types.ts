import type { HttpRequest } from "../http/mod.ts";
import type { Config } from "../config/mod.ts";

/** Somebody who has proved who they are. Users of one's own have more fields. */
export interface Principal {
  /** Of the user or client. */
  readonly name: string;
  /** What `@RolesAllowed` asks for. @default none */
  readonly roles?: readonly string[];
}

/**
 * A way in which clients prove who they are. A class of one's own is a bean: it may have `@Autowired` fields, and needs no
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
   * Finds out who sends a request; must not read its body.
   *
   * @returns `undefined` where the request has no credentials for this scheme
   * @throws {BadCredentialsError} for those that are wrong, which is answered with 401, as `undefined` is
   * @throws {AuthenticationUnavailableError} when it cannot be found out, which is answered with 503
   */
  authenticate(request: HttpRequest): Principal | undefined | Promise<Principal | undefined>;
  /** What `WWW-Authenticate` says (RFC 9110, 11.6.1). @default the name of the scheme */
  readonly challenge?: string;
  /** All roles that it can give; with those of all schemes, other ones in annotations are errors at startup. */
  readonly roles?: readonly string[];
  /** The Security Scheme Object of the OpenAPI document (OpenAPI 3.1, 4.8.27). */
  readonly openApi?: Readonly<Record<string, unknown>>;
}

/** A scheme of this library, before the configuration is read: what `jwt()`, `basic()` and `apiKey()` give. */
export interface SchemeFactory {
  /** Makes it, while the application starts; where `isDescribed`, it is only described, and needs no secrets. */
  readonly "~scheme": (
    config: Config,
    name: string,
    isDescribed: boolean,
  ) => Promise<AuthenticationScheme>;
}

/** A scheme, and what it is called. */
export interface NamedScheme {
  readonly name: string;
  readonly scheme: AuthenticationScheme;
}

/** The class of a scheme of one's own. */
export type SchemeClass = new () => AuthenticationScheme;

/** Who may call what has no annotations. */
export type PathRule = "permitAll" | "authenticated" | {
  /** Of which one suffices. */
  readonly roles: readonly string[];
};

/** Options of `security`. */
export interface SecurityOptions {
  /** By name, in the order in which they are tried. The OpenAPI document has the same names. */
  readonly schemes: Readonly<Record<string, SchemeFactory | SchemeClass>>;
  /** Who may call what says nothing. @default "authenticated" */
  readonly default?: "authenticated" | "permitAll";
  /**
   * Who may call endpoints of extensions and what is mounted on the Hono app, by whole path, `/**` at the end included:
   * `{ "/openapi.json": "permitAll", "/actuator/**": { roles: ["ops"] } }`. The longest one counts.
   */
  readonly paths?: Readonly<Record<string, PathRule>>;
  /** Says to clients what their credentials are for, in `WWW-Authenticate` (RFC 9110, 11.5). @default "application" */
  readonly realm?: string;
}

/** Somebody whom `jwt` has found, unless its option `user` makes somebody else of the claims. */
export interface JwtPrincipal extends Principal {
  /** Of whom there are roles, maybe none. */
  readonly roles: readonly string[];
  /** All that the token says. */
  readonly claims: Claims;
}

/** What a token says, which a signature vouches for (RFC 7519, 4). */
export type Claims = Readonly<Record<string, unknown>>;

/** Options of `jwt`. The key is one of `jwksUri`, `secret` and `publicKey`. */
export interface JwtOptions {
  /** Who has to have made the token: its claim `iss`. */
  readonly issuer: string | readonly string[];
  /** Whom the token has to be for: one of its claim `aud`. */
  readonly audience: string | readonly string[];
  /** Where the issuer publishes its keys (RFC 7517, 5); fetched when the first token comes. */
  readonly jwksUri?: string | URL;
  /** Shared with the issuer, for HMAC: at least as many bytes as the hash has (RFC 7518, 3.2). */
  readonly secret?: string | Uint8Array;
  /** Of the issuer: PEM (SPKI), or a JSON Web Key. */
  readonly publicKey?: string | Claims;
  /**
   * Types of tokens that are taken, by their header `typ`; one has to be there then (RFC 9068, 4).
   *
   * @default none, "JWT" or "at+jwt": no ID tokens or others that say what they are
   */
  readonly typ?: string | readonly string[];
  /** Those that are taken. @default HS256 with a secret, else those with public keys: RS, PS, ES, EdDSA */
  readonly algorithms?: readonly string[];
  /** Seconds by which clocks may differ, at most 600. @default 60 */
  readonly clockTolerance?: number;
  /** Claim that names the user: a text without control characters. @default "sub" */
  readonly name?: string;
  /**
   * Where the roles are: a path such as `realm_access.roles` to a list or one text, or a function. A text is one role, but
   * of `scope` and `scp` a list with blanks (RFC 8693, 4.2).
   *
   * @default "roles"
   */
  readonly roles?: string | ((claims: Claims) => readonly string[]);
  /** All roles that tokens can give; with those of all schemes, other ones in annotations are errors at startup. */
  readonly knownRoles?: readonly string[];
  /** Makes users of one's own; `undefined` refuses the token. */
  readonly user?: (claims: Claims) => Principal | undefined | Promise<Principal | undefined>;
  /** Seconds between two fetches for keys that are not known, and after one that failed. @default 30, and 5 after a failure */
  readonly cooldown?: number;
  /** Seconds for which fetched keys are taken. @default 600 */
  readonly cacheMaxAge?: number;
  /** Seconds that a fetch may take. @default 5 */
  readonly timeout?: number;
}

/** Options of `basic`: users, or a function that knows them. */
export interface BasicOptions {
  /** With their passwords, which belong into the configuration. */
  readonly users?: readonly (Principal & { readonly password: string })[];
  /** Compares in constant time what it compares by itself. */
  readonly verify?: (
    name: string,
    password: string,
  ) => Principal | undefined | Promise<Principal | undefined>;
  /** All roles that `verify` can give. */
  readonly knownRoles?: readonly string[];
}

/** Options of `apiKey`: keys, or a function that knows them. */
export interface ApiKeyOptions {
  /** Where it is sent. One in a query stands in the logs of proxies. @default "header" */
  readonly in?: "header" | "query" | "cookie";
  /** Of the header, parameter or cookie. @default "X-API-Key" */
  readonly name?: string;
  /** With those whom they belong to; keys belong into the configuration. */
  readonly keys?: readonly (Principal & { readonly key: string })[];
  /** Compares in constant time what it compares by itself. */
  readonly verify?: (key: string) => Principal | undefined | Promise<Principal | undefined>;
  /** All roles that `verify` can give. */
  readonly knownRoles?: readonly string[];
}
