import { isHandshake } from "../../http/mod.ts";
import { elementsOf } from "../../text/mod.ts";
import { checkOptions } from "./_accounts.ts";
import { authorizationOf, READERS, type TokenSource } from "./_credentials.ts";
import { BEARER, tokenOf } from "./challenges.ts";
import { requireSameOrigin } from "./same_origin.ts";
import type { JwtOptions, TokenPlace } from "./types.ts";

/** The reader of all places, and the Security Scheme Object of the first. @throws {TypeError} */
export function placesOf(options: JwtOptions, scheme: string): TokenSource {
  const { from = "header", cookie, query } = options;
  const names = typeof from === "string" ? [from] : from;
  if (names.length === 0 || !names.every((name) => Object.hasOwn(PLACES, name))) {
    throw new TypeError(`expected 'from' to be of ${Object.keys(PLACES).join(", ")}`);
  }
  if (options.scheme !== undefined && !names.includes("header")) {
    throw new TypeError(`'scheme' needs from: "header"`);
  }
  for (const [name, given] of Object.entries({ cookie, query })) {
    if (given === undefined) continue;
    if (!names.includes(name as TokenPlace)) throw new TypeError(`'${name}' needs from: "${name}"`);
    checkOptions<{ name?: string; origins?: unknown }>(
      given,
      name === "cookie" ? ["name", "origins"] : ["name"],
    );
  }
  const places = names.map((name) => PLACES[name](options, scheme));
  const read: TokenSource["read"] = (request) => {
    for (const { read } of places) {
      const token = read(request);
      if (token !== undefined) return token;
    }
  };
  return { read, openApi: places[0]!.openApi };
}

const PLACES: Readonly<
  Record<TokenPlace, (options: JwtOptions, scheme: string) => TokenSource>
> = {
  header: (_, scheme) => authorizationOf(scheme),
  cookie({ cookie: { name = "__Host-token", origins = [] } = {} }) {
    const invalid = origins.find((origin) => {
      const { origin: parsed } = URL.parse(origin) ?? {};
      // Applications on phones have schemes that the standard does not know.
      return parsed === "null" ? !/^[a-z][\w+.-]*:\/\/[\w.-]+$/.test(origin) : parsed !== origin;
    });
    if (invalid !== undefined) {
      throw new TypeError(
        `expected 'cookie.origins' such as 'https://app.example', found '${invalid}'`,
      );
    }
    return {
      read(request) {
        const token = READERS.cookie(request, name);
        if (!token) return undefined;
        requireSameOrigin(request, origins);
        return wellFormed(token);
      },
      openApi: { type: "apiKey", in: "cookie", name },
    };
  },
  query: ({ query: { name = "access_token" } = {} }) => ({
    read(request) {
      const token = READERS.query(request, name);
      if (!token) return undefined;
      // The page's own links and images would carry the token to other sites.
      request.context.header("Referrer-Policy", "no-referrer");
      return wellFormed(token);
    },
    openApi: { type: "apiKey", in: "query", name },
  }),
  subprotocol: () => ({
    read(request) {
      if (!isHandshake(request)) return undefined;
      const offered = elementsOf(request.header(PROTOCOLS));
      const at = offered.indexOf("bearer");
      if (at < 0) return undefined;
      const token = offered[at + 1] ?? "";
      // The server answers the first one, and would repeat the token.
      return offered.indexOf(token) > 0 ? wellFormed(token) : "";
    },
    openApi: { type: "apiKey", in: "header", name: PROTOCOLS },
  }),
};

const PROTOCOLS = "Sec-WebSocket-Protocol";

function wellFormed(token: string): string | undefined {
  return tokenOf(`${BEARER} ${token}`);
}
