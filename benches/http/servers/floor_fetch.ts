import { Hono } from "hono";
import { byText, handlers } from "./bare_fetch_app.ts";
import { serve } from "./serve.ts";

/**
 * The least that a server must do to keep our contract where a runtime takes a `fetch` function, as little of it as can
 * be, one step after the other: 1 Hono's router, which applications may extend; 2 `Host`; 3 the fields of responses; 4
 * UTF-8 of bodies, strictly; 5 requests in flight, for a shutdown.
 */
const STEP = Number((globalThis as unknown as Environment).process.env.STEP ?? 5);

interface Environment {
  readonly process: { readonly env: Readonly<Record<string, string | undefined>> };
}

const headers: [string, string][] = [
  ["Content-Type", "application/json"],
  ["X-Content-Type-Options", "nosniff"],
];
const OK = { status: 200, headers };
const DECODER = new TextDecoder("utf-8", { fatal: true });

const own = handlers({
  json(value, status = 200) {
    if (STEP < 3) return Response.json(value, { status });
    return new Response(JSON.stringify(value), status === 200 ? OK : { status, headers });
  },
  read: STEP < 4
    ? (request) => request.json()
    : async (request) => JSON.parse(DECODER.decode(await request.arrayBuffer())),
});
const { search, user, profile, create, order, none } = own;
const answer = STEP < 1 ? byText(own) : byRouter;

type Handler = (request: Request, text: string) => Response | Promise<Response>;
const { router } = new Hono();
const routes: readonly [method: string, path: string, handler: Handler][] = [
  ["GET", "/users/search", search],
  ["GET", "/users/:p1", user],
  ["GET", "/profiles/:p1", profile],
  ["POST", "/users", create],
  ["POST", "/orders", order],
];
for (const [method, path, handler] of routes) router.add(method, path, handler as never);
const SEGMENT = /^(?!\.\.?$)[\w.~-]+$/;

function byRouter(request: Request): Response | Promise<Response> {
  const { method, url } = request;
  const start = url.indexOf("/", 8);
  const end = url.indexOf("?", start);
  const path = end < 0 ? url.slice(start) : url.slice(start, end);
  const [found, stash] = router.match(method, path);
  const [handler, variables] = found[0] ?? [];
  if (handler === undefined) return none();
  const at = (variables as { readonly p1?: number | string }).p1;
  const text = stash === undefined ? at as string : stash[at as number];
  if (text !== undefined && !SEGMENT.test(text)) return none();
  return (handler as unknown as Handler)(request, text ?? "");
}

let known: string | null = null;
let inFlight = 0;

serve((request) => {
  if (STEP >= 2) {
    const host = request.headers.get("host");
    if (host !== known) {
      if (host === null || new URL(`http://${host}`).host !== host) return none();
      known = host;
    }
  }
  if (STEP < 5) return answer(request);
  inFlight++;
  const response = answer(request);
  if (response instanceof Response) {
    inFlight--;
    return response;
  }
  return response.finally(() => inFlight--);
});
