import type { IncomingMessage } from "node:http";
import { rememberLast } from "../../../text/mod.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** `URL` leaves these targets unchanged, except for dot segments. */
export const PLAIN_TARGET: RegExp = /^\/[\w\-.~!$&()*+,;=:@/?%[\]]*$/;

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/**
 * Makes the function that gives the origin of a request; `undefined` for one that is not plain, and for other code to
 * judge: another form of its target, what a URL writes otherwise, methods that are rare.
 */
export function directOrigins(): (incoming: IncomingMessage) => string | undefined {
  const knownOrigin = rememberLast(originOf);
  return ({ method = "", url = "", headers: { host } }) => {
    const isPlain = METHODS.has(method) && PLAIN_TARGET.test(url) && !DOT_SEGMENT.test(url);
    return isPlain ? knownOrigin(host) : undefined;
  };
}

export function originOf(host = ""): string | undefined {
  const origin = `http://${host}`;
  return URL.canParse(origin) && new URL(origin).origin === origin ? origin : undefined;
}

/** Rewrites a target of which no `Request` can be made. */
export function rewriteTarget(incoming: IncomingMessage): void {
  if (incoming.url === "*" && incoming.method === "OPTIONS") incoming.url = "/*";
  // A target with credentials, or a scheme in capitals, is taken by its path.
  if (incoming.url?.[0] !== "/") {
    incoming.url = incoming.url?.replace(
      /^(https?:\/\/)(?:[^/?#]*@)?/i,
      (_, scheme) => scheme.toLowerCase(),
    );
  }
}
