/**
 * Serves two applications twice on Node: as they are, and with middleware, which asks for a `Request` of each. They are
 * the conformance application, and one whose handlers ask for more of their request. `GET /written` of the second tells
 * how many answers were written by `@hono/node-server` so far.
 */
import { ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import {
  bootstrap,
  GetMapping,
  type HttpRequest,
  PostMapping,
  RequestBody,
  RestController,
} from "@irori/irori";
import { conformanceApp } from "../../conformance/app.ts";

let byPackage = 0;
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...parameters: unknown[]) {
  if (/[\\/]@hono[\\/]node-server[\\/]/.test(new Error().stack ?? "")) byPackage++;
  return writeHead.apply(this, parameters as never);
} as typeof writeHead;

const count: MiddlewareHandler = async (context, next) => {
  if (context.req.path === "/written") return context.text(`${byPackage}`);
  await next();
};

const SHARED = new Headers({ "X-Own": "1", "Content-Length": "6" });

@RestController()
class OpenedController {
  @GetMapping("/headers")
  headers(request: HttpRequest) {
    request.headers.set("X-Set", "1");
    request.headers.delete("Host");
    const { headers } = request.raw;
    return [headers.get("x-set"), headers.get("host"), [...headers.keys()].includes("x-set")];
  }

  @PostMapping("/used", RequestBody("text"))
  async used(text: string, { raw }: HttpRequest) {
    const ways = [() => raw.text(), () => raw.clone().text(), () => new Request(raw).text()];
    const failures = ways.map(async (way) => await way());
    return [
      text,
      raw.bodyUsed,
      ...(await Promise.allSettled(failures)).map(({ status }) => status),
    ];
  }

  @PostMapping("/forwarded")
  async forwarded({ raw }: HttpRequest) {
    const copy = new Request(new Request(raw.url, raw), { headers: { "X-A": "b" } });
    return [copy.method, copy.headers.get("x-a"), await copy.text(), raw instanceof Request];
  }

  @PostMapping("/copied")
  async copied({ raw }: HttpRequest) {
    const copy = new Request(raw, { headers: { "X-A": "b" } });
    class Signed extends Request {}
    const isOne = copy instanceof Request && raw.constructor === Request &&
      !(copy instanceof Signed) && !(raw instanceof Signed);
    return [copy.method, copy.headers.get("x-a"), await copy.text(), isOne, raw.bodyUsed];
  }

  @GetMapping("/text")
  text() {
    return new Response("a text", { headers: SHARED });
  }

  @PostMapping("/stream", RequestBody("stream", { required: false }))
  stream(body: ReadableStream | undefined) {
    return body === undefined;
  }

  @PostMapping("/slow")
  async slow(request: HttpRequest) {
    const ways = [
      () => request.bytes(),
      () => request.text(),
      () => request.context.req.text(),
    ];
    const failures: unknown[] = [];
    for (const way of ways) await way().catch((error) => failures.push(error.status?.value));
    return failures;
  }

  @PostMapping("/forgets")
  forgets(request: HttpRequest) {
    void request.text();
    void request.json();
    return "answered";
  }
}

/** Another server of the process puts its own `Request` in the place of ours. */
async function replaceRequests(): Promise<void> {
  const { getRequestListener } = await import("@hono/node-server");
  getRequestListener(() => new Response());
}

const opened = {
  components: [OpenedController],
  config: { server: { port: 0, address: "127.0.0.1", "request-timeout": 1 } },
};
const pass: MiddlewareHandler = async (context, next) => {
  await next();
  context.header("X-Behind", "\xe4");
};
const servers = [
  await conformanceApp(),
  await conformanceApp({ middleware: [count] }),
  await bootstrap(opened),
  await bootstrap({ ...opened, middleware: [pass] }),
];
const urls = [];
servers[3]!.hono.get("/replace", async (context) => {
  await replaceRequests();
  return context.text(`${context.req.raw instanceof Request}`);
});
servers[3]!.hono.get("/again", (context) => context.text(new Request(context.req.raw).method));
servers[3]!.hono.post("/consumed", async (context, next) => {
  await next();
  await context.res.text();
}, (context) => context.text("a text"));
for (const { hono } of servers.slice(2)) {
  hono.get("/mounted", () => new Response("mounted", { headers: { "X-Own": "1" } }));
}
for (const server of servers) urls.push((await server.listen()).url);
console.log(`url ${urls.join(" ")}`);
