import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Context, Next } from "hono";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { rateLimiter } from "hono-rate-limiter";
import {
  Autowired,
  type BootstrapOptions,
  GetMapping,
  HttpError,
  MappingError,
  type Middleware,
  PostMapping,
  RequestBody,
  RestController,
  Service,
  Use,
} from "../../../mod.ts";
import { requestContext } from "../../../src/features/context/mod.ts";
import { laneObstacles, servedRoute } from "../../../src/web/mod.ts";
import {
  basic,
  CurrentUser,
  currentUser,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
  security,
  type SecurityOptions,
} from "../../../src/features/security/mod.ts";
import { appOf, Failures } from "../../web/helpers.ts";

const users = ["ada", "grace"].map((name) => ({ name, password: "p", roles: [name] }));
const schemes = { password: basic({ users }) };
const as = (name: string) => ({ Authorization: `Basic ${btoa(`${name}:p`)}` });

@Service()
class Audit {
  readonly lines: string[] = [];

  note(what: string) {
    this.lines.push(`${what} ${currentUser()?.name ?? "anonymous"}`);
  }
}

@RestController()
class Pages {
  @Autowired(Audit)
  private readonly audit!: Audit;

  @GetMapping("/page")
  page() {
    this.audit.note("page");
    return { page: 1 };
  }

  @GetMapping("/admin")
  @RolesAllowed("ada")
  admin() {
    return { admin: true };
  }

  @GetMapping("/ruled")
  @PreAuthorize((user: Principal) => user.name === "ada")
  ruled() {
    return {};
  }

  @PostMapping({ path: "/page", maxBodySize: 10 }, RequestBody("text"))
  change(text: string) {
    return { text };
  }

  @GetMapping("/open")
  @PermitAll()
  open() {
    return {};
  }

  @GetMapping("/maybe", CurrentUser({ required: false }))
  @PermitAll()
  async maybe(user?: Principal) {
    await Promise.resolve();
    return { user: user?.name ?? null, current: currentUser()?.name ?? null };
  }

  @GetMapping("/words")
  async *words() {
    yield currentUser()?.name ?? "anonymous";
    await Promise.resolve();
    yield currentUser()?.name ?? "anonymous";
  }
}

function applicationOf(options: Partial<SecurityOptions>, others: BootstrapOptions = {}) {
  return appOf([Pages, Audit], {
    ...others,
    extensions: [
      security({ schemes, ...options }),
      requestContext(),
      new Failures().extension,
      ...others.extensions ?? [],
    ],
  });
}

Deno.test("security({ middleware }) + runs after authentication and the check of roles, before binding", async () => {
  const seen: string[] = [];
  const note = async (context: Context, next: Next) => {
    seen.push(
      `${context.req.method} ${context.req.path} ${currentUser(context)?.name ?? "anonymous"}`,
    );
    await next();
    context.header("X-Seen", String(context.res.status));
  };
  await using app = await applicationOf({ middleware: [note] }, {
    middleware: [cors({ origin: "https://app.example" })],
  });
  app.hono.route("/mounted", new Hono().use(note).get("/x", (context) => context.text("x")));
  const found: unknown[] = [];
  const ask = async (method: string, path: string, headers: HeadersInit = {}, body?: string) => {
    const response = await app.request(path, { method, headers, body });
    await response.body?.cancel();
    const { status, headers: sent } = response;
    const get = (name: string) => sent.get(name);
    found.push([`${method} ${path}`, status, get("X-Seen"), get("Cache-Control"), seen.splice(0)]);
  };
  await ask("GET", "/page");
  await ask("GET", "/page", as("ada"));
  await ask("HEAD", "/page", as("ada"));
  await ask("GET", "/admin", as("grace"));
  await ask("GET", "/ruled", as("grace"));
  await ask("POST", "/page", { ...as("ada"), "Content-Type": "text/plain" }, "x".repeat(11));
  await ask("GET", "/open", as("ada"));
  await ask("GET", "/maybe");
  await ask("GET", "/mounted/x", as("ada"));
  await ask("DELETE", "/page", as("ada"));
  await ask("OPTIONS", "/page");
  await ask("OPTIONS", "/page", {
    Origin: "https://app.example",
    "Access-Control-Request-Method": "POST",
  });
  await ask("GET", "/nowhere", as("ada"));
  assertEquals(found, [
    ["GET /page", 401, null, "no-store", []],
    ["GET /page", 200, "200", "no-store", ["GET /page ada"]],
    ["HEAD /page", 200, "200", "no-store", ["HEAD /page ada"]],
    ["GET /admin", 403, null, "no-store", []],
    ["GET /ruled", 403, "403", "no-store", ["GET /ruled grace"]],
    ["POST /page", 413, "413", "no-store", ["POST /page ada"]],
    ["GET /open", 200, null, null, []],
    ["GET /maybe", 200, "200", null, ["GET /maybe anonymous"]],
    ["GET /mounted/x", 200, "200", "no-store", ["GET /mounted/x ada"]],
    ["DELETE /page", 405, null, null, []],
    ["OPTIONS /page", 204, null, null, []],
    ["OPTIONS /page", 204, null, null, []],
    ["GET /nowhere", 404, null, null, []],
  ]);
});

Deno.test("security({ middleware }) + limits the requests of each user, over a socket too", async () => {
  const limiter = rateLimiter({
    windowMs: 60_000,
    limit: 2,
    keyGenerator: (context) => currentUser(context)!.name,
  });
  await using app = await applicationOf({ middleware: [limiter] }, {
    config: { server: { port: 0, address: "127.0.0.1" }, logging: {} },
    extensions: [() => ({ info: () => {} })],
  });
  const { url } = await app.listen();
  const statuses: unknown[] = [];
  for (const name of ["ada", "ada", "ada", "grace"]) {
    const response = await fetch(`${url}/page`, { headers: as(name) });
    await response.body?.cancel();
    statuses.push([name, response.status, response.headers.get("RateLimit-Remaining")]);
  }
  assertEquals(statuses, [
    ["ada", 200, "1"],
    ["ada", 200, "0"],
    ["ada", 429, "0"],
    ["grace", 200, "1"],
  ]);
});

Deno.test("security({ middleware }) + may be classes, whose errors are handled", async () => {
  class Quota implements Middleware {
    @Autowired(Audit)
    private readonly audit!: Audit;

    async handle(context: Context, next: Next) {
      this.audit.note("quota");
      if (currentUser(context)?.name === "grace") throw new HttpError(429, "Too many");
      await next();
    }
  }
  await using app = await applicationOf({ middleware: [Quota] });
  assertEquals((await app.request("/page", { headers: as("ada") })).status, 200);
  const refused = await app.request("/page", { headers: as("grace") });
  assertEquals([refused.status, (await refused.json()).detail], [429, "Too many"]);
  assertEquals(app.context.get(Audit).lines, ["quota ada", "page ada", "quota grace"]);
});

Deno.test("security({ middleware }) + takes only the routes off the lane that it runs for", async () => {
  const obstacles = async (options: Partial<SecurityOptions>) => {
    await using app = await applicationOf(options);
    const routes = app.routeTable.map(servedRoute);
    return routes.filter((_, index) => laneObstacles(routes)[index] === undefined)
      .map(({ method, path }) => `${method} ${path}`);
  };
  const open = await obstacles({ middleware: [(_, next) => next()] });
  const all = await obstacles({});
  assertEquals(open, ["GET /open"]);
  assertEquals(all.includes("GET /page"), true);
});

Deno.test("security({ middleware }) + refuses what is no middleware at startup", async () => {
  for (const [given, name] of [["text", "text"], [(_a: 1, _b: 2, _c: 3) => {}, "given"]] as const) {
    const { message } = await assertRejects(
      () => applicationOf({ middleware: [given as never] }),
      MappingError,
    );
    assertEquals(
      message.replace(/'[^']*' as/, `'${name}' as`),
      `Cannot use '${name}' as middleware of security(): expected a function (context, next), or a class with ` +
        "handle(context, next)",
    );
  }
});

Deno.test("currentUser() + is the user of each request, in services, streams and middleware, over a socket too", async () => {
  const before: unknown[] = [];
  const early = async (context: Context, next: Next) => {
    before.push(currentUser(context), currentUser());
    await next();
    before.push(currentUser(context)?.name);
  };
  await using app = await applicationOf({}, {
    config: { server: { port: 0, address: "127.0.0.1" } },
    extensions: [() => ({ info: () => {} })],
    middleware: [early],
  });
  const { url } = await app.listen();
  for (const ask of [app.request, (path: string, init: RequestInit) => fetch(url + path, init)]) {
    const answers = await Promise.all(["ada", "grace", "ada"].map(async (name) => {
      const response = await ask("/maybe", { headers: as(name) });
      return await response.json();
    }));
    assertEquals(answers.map(({ current }) => current), ["ada", "grace", "ada"]);
    assertEquals(
      await (await ask("/words", { headers: as("grace") })).text(),
      "data: grace\n\n".repeat(2),
    );
    assertEquals(await (await ask("/maybe", {})).json(), { user: null, current: null });
  }
  assertEquals(before.slice(0, 2), [undefined, undefined]);
  assertEquals(before.includes("grace"), true);
});

Deno.test("currentUser() + works on the lane, and outside of a request says why it cannot", async () => {
  await using app = await applicationOf({}, {
    config: { server: { port: 0, address: "127.0.0.1" } },
    extensions: [() => ({ info: () => {} })],
  });
  const { url } = await app.listen();
  const names = await Promise.all(["ada", "grace"].map(async (name) => {
    const response = await fetch(`${url}/maybe`, { headers: as(name) });
    return (await response.json()).current;
  }));
  assertEquals(names, ["ada", "grace"]);
  const { message } = assertThrows(() => currentUser(), Error);
  assertEquals(
    message,
    "Cannot give the current request: this does not run for a request, or for one of an application without " +
      "requestContext()",
  );
});

Deno.test("currentUser() + is the last one where an application mounts another, and each checks its own", async () => {
  @RestController()
  @Use(async (context: Context, next: Next) => {
    await next();
    context.header("X-User", currentUser(context)?.name ?? "anonymous");
  })
  class Inner {
    @GetMapping("/inner", CurrentUser())
    inner({ name }: Principal) {
      return { name };
    }
  }
  const other = basic({ users: [{ name: "root", password: "p" }] });
  await using inner = await appOf([Inner], {
    extensions: [security({ schemes: { other } }), new Failures().extension],
  });
  await using outer = await applicationOf({});
  outer.hono.route("/api", inner.hono);
  // A user of the outer application is none of the inner one.
  assertEquals((await outer.request("/api/inner", { headers: as("ada") })).status, 401);
  assertEquals((await outer.request("/api/inner", { headers: as("root") })).status, 401);
  const both = basic({ users: [{ name: "ada", password: "p" }] });
  await using same = await appOf([Inner], {
    extensions: [security({ schemes: { both } }), new Failures().extension],
  });
  await using around = await applicationOf({});
  around.hono.route("/api", same.hono);
  const response = await around.request("/api/inner", { headers: as("ada") });
  assertEquals([response.status, response.headers.get("X-User")], [200, "ada"]);
  assertEquals(response.headers.get("Cache-Control"), "no-store");
});
