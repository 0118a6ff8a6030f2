import { markFixed, NOSNIFF, plainResponse, replaceRequest } from "../http/mod.ts";
import { directTarget } from "../runtime/mod.ts";
import { METHODS } from "../web/mod.ts";

/**
 * Makes what stands before the routes: a request whose `Host` is more than host and port chooses no route (RFC 9112,
 * 3.2), nor does one whose target makes no URL; and what asks for the server itself is answered by it: `OPTIONS *`,
 * `CONNECT` (RFC 9110, 9.3.6 and 9.3.7).
 *
 * @returns a function that gives the request to be routed, or its answer
 */
export function admission(): (request: Request) => Request | Response {
  // Most requests name the same host, and checking one takes longer than comparing it.
  let known: string | undefined;
  const hasUrl = urlCheck();
  return (request) => {
    const { method } = request;
    const host = request.headers.get("host");
    if (host === null && request.url.startsWith("/")) return withBase(request);
    if (host !== null && host !== known) {
      if (!isHost(host)) return plainResponse(400, "The field 'Host' is no host with a port");
      known = host;
    }
    // Its target is an authority alone.
    if (method === "CONNECT") return plainResponse(501);
    if (!hasUrl(request)) return plainResponse(400, "The target of the request is no URL");
    const isServers = method === "OPTIONS" && /^https?:\/\/[^/?#]*\/\*$/.test(request.url);
    return isServers ? serverOptions() : request;
  };
}

/** Makes the check whether the URL of a request is one: Deno gives a target with a host of its own as it was sent. */
function urlCheck(): (request: Request) => boolean {
  // Scheme and authority, behind which anything may follow.
  let known: string | undefined;
  return (request) => {
    if (directTarget(request) !== undefined) return true;
    const { url } = request;
    if (known !== undefined && url.startsWith(known)) return true;
    if (!URL.canParse(url)) return false;
    known = /^[^/]*\/\/[^/\\]+\//.exec(url)?.[0];
    return true;
  };
}

/** What the authority of a URL may be, without user and password; a port may be empty (RFC 3986, 3.2.3). */
function isHost(host: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i.test(host) && URL.canParse(`http://${host}/`);
}

/** HTTP/1.0 may do without `Host`: Bun gives the path alone then. */
function withBase(request: Request): Request {
  return replaceRequest(request, new Request(`http://localhost${request.url}`, request));
}

function serverOptions(): Response {
  const headers = { Allow: METHODS.join(", "), ...NOSNIFF };
  return markFixed(new Response(null, { status: 204, headers }), true);
}
