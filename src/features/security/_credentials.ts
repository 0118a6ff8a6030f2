import type { HttpRequest } from "../../http/mod.ts";
import { BEARER, tokenOf } from "./challenges.ts";
import { BadCredentialsError } from "./errors.ts";

/** Read one text of a request. @throws {BadCredentialsError} from all but `header`, if it was sent several times */
export const READERS: Readonly<
  Record<"header" | "query" | "cookie", (request: HttpRequest, name: string) => string | undefined>
> = {
  header: (request, name) => request.header(name),
  query: (request, name) => {
    const [first, another] = request.queryAll(name);
    if (another !== undefined) throw sentTwice();
    return first;
  },
  cookie: (request, name) => {
    const sent = request.header("cookie")?.split(";") ?? [];
    // Servers disagree which of two cookies applies (RFC 6265, 4.2.2).
    if (sent.filter((pair) => pair.split("=", 1)[0]?.trim() === name).length > 1) throw sentTwice();
    return request.cookie(name);
  },
};

function sentTwice(): BadCredentialsError {
  return new BadCredentialsError("the credentials were sent more than once");
}

export interface TokenSource {
  /** Empty if it is malformed. @throws {BadCredentialsError} */
  read(request: HttpRequest): string | undefined;
  /** Its Security Scheme Object. */
  readonly openApi: Readonly<Record<string, unknown>>;
}

/** A JSON Web Token in `Authorization`. Generators know no other name than that of bearer tokens for `type: http`. */
export function authorizationOf(scheme: string): TokenSource {
  return {
    read: (request) => tokenOf(request.header("authorization"), scheme),
    openApi: scheme === BEARER ? { type: "http", scheme: "bearer", bearerFormat: "JWT" } : {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: `\`${scheme} <token>\`, with a JSON Web Token`,
    },
  };
}
