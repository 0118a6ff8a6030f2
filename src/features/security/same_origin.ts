import { type HttpRequest, isHandshake, isOwnOrigin } from "../../http/mod.ts";
import { printable } from "../../text/mod.ts";
import { OriginError } from "./errors.ts";

/**
 * Refuses what a page of another site may have sent, with the cookies of its user (cross-site request forgery): handshakes of
 * WebSockets, and all methods but GET, HEAD and OPTIONS, unless `Sec-Fetch-Site` (Fetch Metadata, 2.1), or without it
 * `Origin`, names the application itself. For custom schemes that read cookies, before they verify them, and for logins.
 *
 * @param origins other origins whose pages may send the request, such as `https://app.example`
 * @throws {HttpError} 403; a custom scheme may throw it, and the next scheme is tried
 */
export function requireSameOrigin(request: HttpRequest, origins: readonly string[] = []): void {
  if (SAFE.includes(request.method) && !isHandshake(request)) return;
  const origin = request.header("origin");
  const site = request.header("sec-fetch-site");
  if (origin !== undefined && origins.includes(origin)) return;
  const isOwn = site === undefined
    ? origin !== undefined && isOwnOrigin(request, origin)
    : site === "same-origin" || site === "none";
  if (isOwn) return;
  const found = [origin && `Origin '${origin}'`, site && `Sec-Fetch-Site '${site}'`]
    .filter(Boolean).join(", ") || "neither Origin nor Sec-Fetch-Site";
  throw new OriginError(
    `expected the application's own origin or an allowed one, found ${
      printable(found).slice(0, 200)
    }`,
  );
}

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE = ["GET", "HEAD", "OPTIONS"];
