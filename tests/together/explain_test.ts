import { assertEquals } from "@std/assert";
import type { Handler, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import * as z from "zod";
import {
  type Application,
  binder,
  bootstrap,
  type Extension,
  PostMapping,
  RequestBody,
  RestController,
  Use,
} from "../../mod.ts";
import { apiKey, PreAuthorize, RolesAllowed, security } from "../../src/features/security/mod.ts";
import { functionsText, observing, servedRoute, stepsByPart, stepsOf } from "../../src/web/mod.ts";
import { workspace } from "../e2e/command_line.ts";

const seen: string[] = [];

function seeing(step: string): MiddlewareHandler {
  return async (_, next) => {
    seen.push(step);
    await next();
  };
}

function sees(step: string): boolean {
  seen.push(step);
  return true;
}

const Numbers = z.array(z.number()).refine(() => sees("returns"));

@RestController()
class Numbered {
  @PostMapping(
    { path: "/numbers", consumes: "application/json", returns: Numbers, maxBodySize: 100 },
    RequestBody(z.array(z.number())),
    binder(() => sees("binders")),
  )
  @Use(seeing("@Use()"))
  @RolesAllowed("admin")
  @PreAuthorize(() => sees("@PreAuthorize"))
  post(numbers: number[], _seen: boolean) {
    sees("handler");
    return numbers;
  }
}

@RestController()
class Plain {
  @PostMapping("/plain", RequestBody())
  post() {}
}

const observed: Extension = () => ({
  observe: observing(() => ({
    around: (_, run) => {
      seen.push("observers");
      return run();
    },
  })),
});

async function started(middleware: readonly MiddlewareHandler[] = []): Promise<Application> {
  const key = apiKey({
    verify: () => {
      seen.push("access");
      return { name: "ada", roles: ["admin"] };
    },
  });
  const secured = security({ schemes: { key }, middleware: [seeing("security()")] });
  return await bootstrap({ components: [Numbered], middleware, extensions: [observed, secured] });
}

Deno.test("stepsOf + names the steps in the order in which a request passes them", async () => {
  await using app = await started([seeing("middleware")]);
  seen.length = 0;
  const headers = { "Content-Type": "application/json", "X-API-Key": "k" };
  const response = await app.request("/numbers", { method: "POST", headers, body: "[1]" });
  assertEquals([response.status, await response.json()], [200, [1]]);
  const route = app.routeTable.find(({ path }) => path === "/numbers")!;
  const steps = Object.keys(stepsOf(servedRoute(route), { middleware: "seeing" }));
  assertEquals(seen, steps.filter((step) => seen.includes(step)));
  // Steps that code of the application cannot see.
  const others = new Set(steps).difference(new Set(seen));
  assertEquals([...others], ["host", "Content-Type", "body", "answer", "Cache-Control"]);
});

/** The members of a plan for the lane that other plans do not have. */
const OF_LANE = ["method", "readsBody", "maxBodyBytes", "showsRequest", "notFound"];

type Planned = Handler & { readonly plans?: readonly { readonly plan: object }[] };

Deno.test("stepsByPart + has each part of a plan", async () => {
  await using app = await bootstrap({ components: [Plain] });
  const handlers = app.hono.routes.map(({ handler }) => handler as Planned);
  const [{ plan }] = handlers.flatMap(({ plans = [] }) => plans) as [{ plan: object }];
  const [route] = app.routeTable;
  const parts = Object.keys(stepsByPart(servedRoute(route!), {}));
  assertEquals(new Set(Object.keys(plan)), new Set([...parts, ...OF_LANE]));
});

Deno.test("functionsText + says which middleware of Hono has its like on the fast path", () => {
  const own = async function audit() {};
  assertEquals(
    functionsText([cors(), secureHeaders(), own, () => {}]),
    "cors() (faster: 'server.cors'), secureHeaders() (faster: 'server.headers'), audit, a function without a name",
  );
});

const LIBRARY = new URL("../../mod.ts", import.meta.url).href;
const FEATURES = new URL("../../src/features/", import.meta.url).href;

const ORDERS = `
import * as irori from "${LIBRARY}";
import { Pageable } from "${FEATURES}paging/mod.ts";
import * as guard from "${FEATURES}security/mod.ts";
import { cors } from "hono/cors";
import * as z from "zod";

class Quota {
  async handle(_, next) {
    await next();
  }
}
const Isolated = irori.binder(() => 1);
function isOwner() {
  return true;
}

export const given = { schemes: { key: guard.apiKey({ verify: () => undefined }) }, middleware: [Quota] };
export const access = guard.security(given);

@irori.RestController()
export class Orders {
  @irori.GetMapping({ path: "/orders", returns: z.array(z.string()), version: "1" }, Pageable({ sort: ["id"] }))
  @guard.PermitAll()
  all() {}

  @irori.PostMapping(
    { path: "/orders", consumes: "application/json", status: irori.HttpStatus.CREATED, maxBodySize: 5000 },
    irori.RequestBody(),
    irori.RequestHeader("X-Lang", { required: false }),
    guard.CurrentUser(),
  )
  @guard.RolesAllowed("admin", "editor")
  @guard.PreAuthorize(isOwner)
  @irori.Use(Quota, cors())
  create() {}

  @irori.GetMapping({ path: "/orders/{id}", produces: ["text/csv", "text/plain"] }, irori.PathVariable("id"), Isolated)
  get() {}

  @irori.DeleteMapping({ path: "/orders/{id}", status: irori.HttpStatus.NO_CONTENT }, irori.PathVariable("id"))
  @guard.PermitAll()
  remove() {}

  @irori.GetMapping("/ping")
  @guard.PermitAll()
  ping() {}
}
`;

const CONFIG = `
component-scan: ./src
server:
  api-version:
    header: X-API-Version
    supported: [1, 2]
    deprecated: [{ version: 1, since: 2026-01-31 }]
`;

const APPLICATION = `
import { secureHeaders } from "hono/secure-headers";
async function audit(_, next) {
  await next();
}
export const application = { middleware: [secureHeaders(), audit], extensions: [] };
`;

Deno.test("cli routes --explain + prints the steps of each route", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "src/orders.ts": ORDERS,
  });
  const { code, stdout, stderr } = await space.run("routes", "--explain");
  assertEquals([code, stderr], [
    0,
    "warning: export the options of bootstrap() to see its middleware\n",
  ]);
  assertEquals(`\n${stdout}`, STEPS);
});

const STEPS = `
GET     /orders       orders.all()     permitAll                               version 1, deprecated  not on the fast path: responses announce the deprecation
  host           checked
  version        1
  observers      those of extensions, if there are any
  access         permitAll
  binders        query parameter 'page' 'size' 'sort'
  handler        orders.all()
  returns        checked by its schema
  answer         status 200, objects as JSON
  headers        Link, Deprecation
POST    /orders       orders.create()  roles admin, editor, and @PreAuthorize                         not on the fast path: @Use() adds middleware
  host           checked
  Content-Type   application/json
  observers      those of extensions, if there are any
  body           at most 5000 bytes
  @Use()         Quota, cors() (faster: 'server.cors')
  access         admin or editor
  security()     its middleware
  binders        body, request header 'X-Lang', user
  @PreAuthorize  isOwner
  handler        orders.create()
  answer         status 201, objects as JSON
  Cache-Control  no-store for users
DELETE  /orders/{id}  orders.remove()  permitAll                                                      not on the fast path: responses with status 204 have no body
  host           checked
  observers      those of extensions, if there are any
  body           at most 'server.max-body-size' bytes
  access         permitAll
  binders        path variable 'id'
  handler        orders.remove()
  answer         status 204, no body
GET     /orders/{id}  orders.get()     authenticated                                                  not on the fast path: security() adds middleware
  host           checked
  Accept         text/csv or text/plain
  observers      those of extensions, if there are any
  access         authenticated
  security()     its middleware
  binders        path variable 'id', custom binder
  handler        orders.get()
  answer         status 200, text/csv or text/plain
  Cache-Control  no-store for users
GET     /ping         orders.ping()    permitAll                                                      fast path
  host           checked
  observers      those of extensions, if there are any
  access         permitAll
  handler        orders.ping()
  answer         status 200, objects as JSON
`;

Deno.test("cli routes --explain + reads the middleware of exported options of bootstrap()", async () => {
  await using space = await workspace({
    "config/application.yml": CONFIG,
    "src/orders.ts": ORDERS,
    "src/application.ts": APPLICATION,
  });
  const { code, stdout, stderr } = await space.run("routes", "--explain", "--json");
  assertEquals([code, stderr.includes("warning")], [0, false]);
  const { routes } = JSON.parse(stdout) as { routes: readonly Record<string, unknown>[] };
  const why = "middleware of the application runs for all requests";
  assertEquals(routes.map(({ path, fastPath, slowBecause }) => [path, fastPath, slowBecause]), [
    ["/orders", false, `responses announce the deprecation; ${why}`],
    ["/orders", false, `@Use() adds middleware; ${why}`],
    ["/orders/{id}", false, `responses with status 204 have no body; ${why}`],
    ["/orders/{id}", false, `security() adds middleware; ${why}`],
    ["/ping", false, why],
  ]);
  assertEquals(routes.at(-1)!.steps, {
    host: "checked",
    middleware: "secureHeaders() (faster: 'server.headers'), audit",
    observers: "those of extensions, if there are any",
    access: "permitAll",
    handler: "orders.ping()",
    answer: "status 200, objects as JSON",
  });
});
