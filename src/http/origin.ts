import type { HttpRequest } from "./request.ts";

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
