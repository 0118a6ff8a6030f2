/** WebSockets behind middleware: `/app/{kind}` behind that of the application, `/route/{kind}` behind that of a route. */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import {
  type BootstrapOptions,
  GetMapping,
  type HttpRequest,
  RestController,
  Use,
} from "@irori/irori";
import { webSocket } from "@irori/irori/websocket";

const KINDS: Readonly<Record<string, MiddlewareHandler>> = {
  cors: cors({ origin: "*" }),
  secure: secureHeaders(),
  before: async (context, next) => {
    context.header("X-Added", "before");
    await next();
  },
  after: async (context, next) => {
    await next();
    context.header("X-Added", "after");
  },
  changed: async (context, next) => {
    await next();
    context.res.headers.set("X-Added", "changed");
  },
  replaced: async (context, next) => {
    await next();
    const { res } = context;
    context.res = new Response(res.body, {
      status: res.status,
      headers: { "X-Added": "replaced" },
    });
  },
  cookies: async (context, next) => {
    await next();
    context.res.headers.append("Set-Cookie", "a=1");
    context.header("Set-Cookie", "b=2", { append: true });
  },
  own: async (context, next) => {
    await next();
    const { headers } = context.res;
    context.res = undefined;
    context.res = new Response(null, { status: 101, headers });
  },
  refused: async (context, next) => {
    await next();
    context.res = new Response("refused", { status: 403 });
  },
  throws: async (_, next) => {
    await next();
    throw new Error("after the upgrade");
  },
};

const below = (place: string): MiddlewareHandler => async (context, next) => {
  const [, start, kind = ""] = context.req.path.split("/");
  return start === place ? await KINDS[kind]?.(context, next) : await next();
};

@RestController()
class UpgradedController {
  @GetMapping("/app/{kind}")
  ofApplication(request: HttpRequest) {
    return welcome(request);
  }

  @GetMapping("/route/{kind}")
  @Use(below("route"))
  ofRoute(request: HttpRequest) {
    return welcome(request);
  }
}

const welcome = (request: HttpRequest) =>
  webSocket(request, {
    open(socket) {
      console.log(`opened ${request.path}`);
      socket.send(`welcome by ${socket.protocol}`);
    },
    message: () => console.log(`message at ${request.path}`),
    close: () => console.log(`closed ${request.path}`),
  });

export const UPGRADED: BootstrapOptions = {
  components: [UpgradedController],
  middleware: [below("app")],
};
