import { markFixed, NOSNIFF, plainResponse, replaceRequest } from "../../http/mod.ts";
import { rememberLast } from "../../text/mod.ts";
import { METHODS } from "../../web/mod.ts";

/**
 * Makes what stands before the routes: a request whose `Host` is more than host and port chooses no route (RFC 9112,
 * 3.2), and what asks for the server itself is answered by it: `OPTIONS *`, `CONNECT` (RFC 9110, 9.3.6 and 9.3.7).
 */
export function admission() {
  const acceptsHost = rememberLast(isHost);
  const admit = (request: Request) => {
    const { method } = request;
    const host = request.headers.get("host");
    if (host === null && request.url.startsWith("/")) {
      // HTTP/1.0 may do without `Host`: Bun gives the path alone then.
      return replaceRequest(request, new Request(`http://localhost${request.url}`, request));
    }
    if (host !== null && !acceptsHost(host)) {
      return plainResponse(400, "The field 'Host' is not a host with an optional port");
    }
    if (method === "CONNECT") return plainResponse(501);
    const isServers = method === "OPTIONS" && /^https?:\/\/[^/?#]*\/\*$/.test(request.url);
    if (!isServers) return request;
    const headers = { Allow: METHODS.join(", "), ...NOSNIFF };
    return markFixed(new Response(null, { status: 204, headers }), true);
  };
  return Object.assign(admit, { acceptsHost });
}

/** The syntax of the authority of a URL, without user and password; a port may be empty (RFC 3986, 3.2.3). */
function isHost(host: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i.test(host) && URL.canParse(`http://${host}/`);
}
