import { assertEquals } from "@std/assert";
import { cors } from "hono/cors";
import { Hono } from "hono";
import { actuator } from "../../../src/features/actuator/mod.ts";
import { openApi } from "../../../src/features/contract/mod.ts";
import {
  Authenticated,
  basic,
  CurrentUser,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
  security,
} from "../../../src/features/security/mod.ts";
import {
  type Application,
  DeleteMapping,
  FormParam,
  GetMapping,
  type HttpRequest,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestMapping,
  RequestPart,
  RestController,
  ServerSentEvent,
  Use,
} from "../../../mod.ts";
import { appOf, Failures } from "../../web/helpers.ts";

const USERS = [
  { name: "ada", password: "engine", roles: ["user"] },
  { name: "root", password: "of all", roles: ["admin", "user"] },
  { name: "guest", password: "guest" },
];

class Base {
  @RolesAllowed("admin")
  @GetMapping("/base/inherited")
  inherited() {
    return "inherited";
  }

  @RolesAllowed("admin")
  @GetMapping("/base/overridden")
  overridden() {
    return "base";
  }

  @RolesAllowed("admin")
  @GetMapping("/base/mapped")
  mapped() {
    return "base";
  }
}

@RestController()
class Sub extends Base {
  override overridden() {
    return "sub";
  }

  // Has no annotation of its own: that of the base stays.
  @GetMapping("/base/mapped-again")
  override mapped() {
    return "sub";
  }
}

@RestController()
@RolesAllowed("admin")
class Admin {
  @GetMapping("/admin")
  all() {
    return "admin";
  }

  @GetMapping("/admin/open")
  @PermitAll()
  open() {
    return "open";
  }

  @GetMapping("/admin/known")
  @Authenticated()
  known() {
    return "known";
  }

  @DeleteMapping("/admin/{id}", PathVariable("id", "int"))
  remove(id: number) {
    return id;
  }
}

@RestController()
@PreAuthorize((user: Principal) => user.name !== "guest")
class Ruled {
  @GetMapping("/ruled")
  all() {
    return "all";
  }

  @GetMapping("/ruled/open")
  @PermitAll()
  open() {
    return "open";
  }

  @PutMapping("/ruled/{id}", PathVariable("id", "int"), RequestBody())
  @PreAuthorize((user: Principal, id: number) => id === user.name.length)
  own(id: number, body: unknown, request: HttpRequest) {
    return { id, body, method: request.method };
  }

  @PostMapping("/ruled/later", RequestBody())
  @PreAuthorize(async (user: Principal, body: unknown) => await Promise.resolve(body) === user.name)
  later(body: unknown) {
    return { body };
  }

  readonly owners: readonly string[] = ["grace", "ada"];

  @GetMapping("/ruled/owned/{id}", PathVariable("id", "int"))
  @PreAuthorize(function (this: Ruled, user: Principal, id: number) {
    return this.owners[id] === user.name;
  })
  owned(id: number) {
    return id;
  }

  @GetMapping("/ruled/truthy")
  // @ts-expect-error a text is no answer
  @PreAuthorize(() => "yes")
  truthy() {
    return "truthy";
  }
}

@RestController()
class Plain {
  handled = 0;

  @GetMapping("/plain")
  plain() {
    this.handled++;
    return "plain";
  }

  @GetMapping("/me", CurrentUser())
  me({ name }: Principal) {
    return name;
  }

  @GetMapping("/maybe", CurrentUser({ required: false }))
  @PermitAll()
  maybe(user: Principal | undefined) {
    return user?.name ?? "anonymous";
  }

  @PostMapping(
    { path: "/plain", consumes: "application/json", produces: "application/json" },
    RequestBody(),
  )
  take(body: unknown) {
    return { body };
  }

  @PostMapping("/form", FormParam("name"))
  form(name: string) {
    return name;
  }

  @PostMapping("/part", RequestPart("file"))
  part(file: File) {
    return file.name;
  }

  @GetMapping("/events")
  async *events() {
    yield await Promise.resolve(new ServerSentEvent({ data: "one" }));
  }

  @GetMapping("/files/{*rest}", PathVariable("rest"))
  files(rest: string) {
    return rest;
  }

  @RequestMapping({ path: "/options", method: "OPTIONS" })
  options() {
    return "explicit";
  }

  @GetMapping("/raw")
  @RolesAllowed("user", "admin")
  raw() {
    return new Response("raw");
  }
}

@RestController()
@Use(cors({ origin: "https://page.example" }))
class Shared {
  @GetMapping("/shared")
  shared() {
    return "shared";
  }
}

const CHALLENGE = 'Basic realm="application", charset="UTF-8"';
const CALLERS = ["", "ada:engine", "root:of all", "guest:guest", "root:wrong"] as const;
const JSON_BODY = { headers: { "Content-Type": "application/json" }, body: '"ada"' };

/** Request, and the statuses for no user, a user, an admin, a user without roles, and wrong credentials. */
const TABLE: readonly [request: string, statuses: string, init?: RequestInit][] = [
  ["GET /plain", "401 200 200 200 401"],
  ["HEAD /plain", "401 200 200 200 401"],
  ["OPTIONS /plain", "204 204 204 204 204"],
  ["DELETE /plain", "405 405 405 405 405"],
  ["TRACED /plain", "405 405 405 405 405"],
  ["GET /nothing", "404 404 404 404 404"],
  ["GET /plain/", "404 404 404 404 404"],
  ["GET //plain", "404 404 404 404 404"],
  ["GET /PLAIN", "404 404 404 404 404"],
  ["GET /%70lain", "401 200 200 200 401"],
  ["GET /x/../plain", "401 200 200 200 401"],
  ["GET /x/%2e%2e/plain", "401 200 200 200 401"],
  ["GET /./plain", "401 200 200 200 401"],
  ["GET /plain?x=/admin/open", "401 200 200 200 401"],
  ["GET /plain;x=1", "404 404 404 404 404"],
  ["GET /plain%2F", "404 404 404 404 404"],
  ["GET /%", "400 400 400 400 400"],
  ["GET /admin", "401 403 200 403 401"],
  ["HEAD /admin", "401 403 200 403 401"],
  ["GET /%61dmin", "401 403 200 403 401"],
  ["GET /admin/open/../../admin", "401 403 200 403 401"],
  ["GET /admin/open", "200 200 200 200 200"],
  ["GET /admin/known", "401 200 200 200 401"],
  ["DELETE /admin/7", "401 403 200 403 401"],
  ["DELETE /admin/x", "401 403 400 403 401"],
  ["GET /base/inherited", "401 403 200 403 401"],
  ["GET /base/overridden", "401 403 200 403 401"],
  ["GET /base/mapped-again", "401 403 200 403 401"],
  ["GET /base/mapped", "404 404 404 404 404"],
  ["GET /raw", "401 200 200 403 401"],
  ["GET /me", "401 200 200 200 401"],
  ["GET /maybe", "200 200 200 200 401"],
  ["GET /events", "401 200 200 200 401"],
  ["GET /files/a/b", "401 200 200 200 401"],
  ["GET /files/..%2F..%2Fadmin", "401 200 200 200 401"],
  ["OPTIONS /options", "401 200 200 200 401"],
  ["GET /ruled", "401 200 200 403 401"],
  ["GET /ruled/open", "200 200 200 200 200"],
  ["GET /ruled/truthy", "401 403 403 403 401"],
  ["GET /ruled/owned/1", "401 200 403 403 401"],
  ["PUT /ruled/3", "401 200 403 403 401", JSON_BODY],
  ["PUT /ruled/4", "401 403 200 403 401", JSON_BODY],
  ["PUT /ruled/x", "401 400 400 400 401", JSON_BODY],
  ["PUT /ruled/3", "401 400 400 400 401", { ...JSON_BODY, body: "{" }],
  ["POST /ruled/later", "401 200 403 403 401", JSON_BODY],
  ["POST /plain", "401 200 200 200 401", JSON_BODY],
  ["POST /plain", "401 400 400 400 401", { ...JSON_BODY, body: "{" }],
  ["POST /plain", "401 413 413 413 401", { ...JSON_BODY, body: `"${"a".repeat(200)}"` }],
  ["POST /plain", "415 415 415 415 415", { body: "text" }],
  ["POST /plain", "406 406 406 406 406", {
    body: '"ada"',
    headers: { "Content-Type": "application/json", Accept: "text/plain" },
  }],
  ["POST /form", "401 200 200 200 401", { body: new URLSearchParams({ name: "x" }) }],
  ["POST /form", "401 400 400 400 401", { body: new URLSearchParams({ other: "x" }) }],
  ["POST /part", "401 415 415 415 401", JSON_BODY],
  ["GET /shared", "401 200 200 200 401"],
  ["OPTIONS /shared", "204 204 204 204 204", {
    headers: { Origin: "https://page.example", "Access-Control-Request-Method": "GET" },
  }],
  ["GET /openapi.json", "401 200 200 200 401"],
  ["HEAD /openapi.json", "401 200 200 200 401"],
  ["POST /openapi.json", "405 405 405 405 405"],
  ["GET /actuator", "401 403 200 403 401"],
  ["GET /actuator/health", "200 200 200 200 200"],
  ["GET /actuator/health/liveness", "200 200 200 200 200"],
  ["GET /actuator/env", "401 403 200 403 401"],
  ["GET /actuator/beans", "401 403 200 403 401"],
  ["GET /actuator/metrics", "401 200 200 200 401"],
  ["GET /actuator/metrics/x", "401 404 404 404 401"],
  ["GET /mounted", "401 200 200 200 401"],
  ["GET /%6Dounted", "401 200 200 200 401"],
  ["OPTIONS /mounted", "401 200 200 200 401", {
    headers: { Origin: "https://page.example", "Access-Control-Request-Method": "GET" },
  }],
  ["GET /app/inner", "401 200 200 200 401"],
  ["POST /app/inner", "401 200 200 200 401"],
  ["GET /app/secret/x", "401 403 200 403 401"],
  ["GET /app//secret/x", "400 400 400 400 400"],
  ["GET /app/%2Fsecret/x", "400 400 400 400 400"],
  ["GET /app/public/x", "200 200 200 200 200"],
  ["GET /app/public/../secret/x", "401 403 200 403 401"],
  ["GET /fetch/anything", "401 200 200 200 401"],
  ["GET /app/used", "401 200 200 200 401"],
];

async function application(): Promise<Application> {
  const app = await appOf([Admin, Plain, Ruled, Shared, Sub], {
    config: {
      server: { "max-body-size": 100 },
      management: { endpoints: { include: ["health", "env", "beans", "metrics"] } },
    },
    extensions: [
      openApi(),
      actuator(),
      security({
        schemes: { password: basic({ users: USERS }) },
        paths: {
          "/actuator/**": { roles: ["admin"] },
          "/actuator": { roles: ["admin"] },
          "/actuator/env": { roles: ["admin"] },
          "/actuator/metrics/**": "authenticated",
          "/app/secret/**": { roles: ["admin"] },
          "/app/public/**": "permitAll",
        },
      }),
    ],
  });
  app.hono.get("/mounted", (context) => context.text("mounted"));
  app.hono.all("/mounted", (context) => context.text("all"));
  app.hono.use("/app/used", async (context, next) => {
    context.header("X-Used", "yes");
    await next();
  });
  const inner = new Hono().all("/*", (context) => context.text(`inner ${context.req.path}`));
  app.hono.route("/app", inner);
  app.hono.mount("/fetch", (request) => new Response(new URL(request.url).pathname));
  return app;
}

Deno.test("security() + answers every request of the table for every caller", async () => {
  await using app = await application();
  const wrong: string[] = [];
  for (const [request, expected, init = {}] of TABLE) {
    const found: number[] = [];
    for (const caller of CALLERS) {
      const [method = "", path = ""] = request.split(" ");
      const headers = new Headers(init.headers);
      if (caller) headers.set("Authorization", `Basic ${btoa(caller)}`);
      const url = `http://localhost${path}`;
      const made = new Request(url, { ...init, method, headers });
      // Deno serves paths as they were sent; those of a Request have no dot segments any more.
      Object.defineProperty(made, "url", { value: url });
      const response = await app.fetch(made);
      await response.body?.cancel();
      found.push(response.status);
      const isProblem = response.headers.get("content-type") === "application/problem+json";
      const challenge = response.headers.get("www-authenticate");
      assertEquals(challenge, response.status === 401 ? CHALLENGE : null, request);
      if (/401|403/.test(String(response.status))) assertEquals(isProblem, true, request);
    }
    if (found.join(" ") !== expected) wrong.push(`${request}: ${found.join(" ")}, not ${expected}`);
  }
  assertEquals(wrong, []);
});

Deno.test("security() + does not reveal the reason of a refusal", async () => {
  await using app = await application();
  const anonymous = await app.request("/admin");
  assertEquals(await anonymous.json(), {
    type: "about:blank",
    title: "Unauthorized",
    status: 401,
    detail: "Authentication is required",
    instance: "/admin",
  });
  const wrong = await app.request("/admin", { headers: { Authorization: `Basic ${btoa("a:b")}` } });
  assertEquals((await wrong.json()).detail, "The credentials are not valid");
  const user = { headers: { Authorization: `Basic ${btoa("ada:engine")}` } };
  const refused = await app.request("/admin", user);
  assertEquals([refused.headers.get("content-type"), (await refused.json()).detail], [
    "application/problem+json",
    "Access is denied",
  ]);
});

Deno.test("security() + reads no body before it is known who asks", async () => {
  await using app = await application();
  for (
    const [path, authorization, status] of [["/plain", "", 401], [
      "/plain",
      "ada:engine",
      200,
    ]] as const
  ) {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new TextEncoder().encode('"x"'));
        controller.close();
      },
    }, { highWaterMark: 0 });
    const headers = new Headers({ "Content-Type": "application/json" });
    if (authorization) headers.set("Authorization", `Basic ${btoa(authorization)}`);
    const init = { method: "POST", headers, body, duplex: "half" };
    const response = await app.fetch(new Request("http://localhost/plain", init as RequestInit));
    assertEquals([path, response.status, pulled > 0], [path, status, status === 200]);
  }
});

Deno.test("security() + says whether a body is too large after it is known who asks, with middleware as well", async () => {
  const seen: string[] = [];
  await using app = await appOf([Plain], {
    config: { server: { "max-body-size": 10 } },
    middleware: [async (context, next) => {
      seen.push(context.req.method);
      await next();
    }],
    extensions: [security({ schemes: { password: basic({ users: USERS }) } })],
  });
  app.hono.post("/mounted", async (context) => context.text(await context.req.text()));
  const send = async (path: string, caller: string) => {
    const headers = new Headers({ "Content-Type": "application/json", "Content-Length": "50" });
    if (caller) headers.set("Authorization", `Basic ${btoa(caller)}`);
    const init = { method: "POST", headers, body: JSON.stringify("a".repeat(48)) };
    return (await app.request(path, init)).status;
  };
  const found = [
    ...[await send("/plain", ""), await send("/plain", "ada:engine")],
    ...[await send("/mounted", ""), await send("/mounted", "ada:engine")],
  ];
  assertEquals([found, seen.length], [[401, 413, 401, 413], 4]);
});

Deno.test("security() + runs @Use before it asks", async () => {
  await using app = await application();
  const init = { headers: { Origin: "https://page.example" } };
  const response = await app.request("/shared", init);
  assertEquals([response.status, response.headers.get("access-control-allow-origin")], [
    401,
    "https://page.example",
  ]);
});

Deno.test("security() + shows who may call a route", async () => {
  await using app = await application();
  const shown = Object.fromEntries(app.routeTable.map(({ method, path, access }) => [
    `${method} ${path}`,
    access,
  ]));
  assertEquals(shown["GET /plain"], { allows: "authenticated" });
  assertEquals(shown["GET /admin"], { allows: "rolesAllowed", roles: ["admin"] });
  assertEquals(shown["GET /admin/open"], { allows: "permitAll" });
  assertEquals(shown["PUT /ruled/{id}"], { allows: "authenticated", preAuthorize: true });
  assertEquals(Object.isFrozen(app.routeTable[0]), true);
});

Deno.test("security() + protects a handler of 404 that is given to the Hono app", async () => {
  await using app = await application();
  app.hono.notFound((context) => context.text("a file"));
  assertEquals((await app.request("/nothing")).status, 401);
});

Deno.test("security() + lets everybody pass where the default says so, but not where an annotation does", async () => {
  await using app = await appOf([Admin, Shared], {
    extensions: [
      openApi(),
      security({
        schemes: { password: basic({ users: USERS }) },
        default: "permitAll",
      }),
    ],
  });
  assertEquals((await app.request("/shared")).status, 200);
  assertEquals((await app.request("/openapi.json")).status, 200);
  assertEquals((await app.request("/admin")).status, 401);
});

Deno.test("security() + logs one line for wrong credentials, at the level DEBUG and without them", async () => {
  const failures = new Failures();
  await using app = await appOf([Plain], {
    extensions: [security({ schemes: { password: basic({ users: USERS }) } }), failures.extension],
  });
  await app.request("/plain", { headers: { Authorization: `Basic ${btoa("root:wrong")}` } });
  await app.request("/plain");
  assertEquals([failures.errors, failures.debug], [[], [
    ["Cannot authenticate GET /plain by 'password': name or password is wrong"],
  ]]);
});
