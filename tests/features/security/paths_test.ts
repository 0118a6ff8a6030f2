import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { Hono } from "hono";
import { actuator } from "../../../src/features/actuator/mod.ts";
import { openApi, swaggerUi } from "../../../src/features/contract/mod.ts";
import {
  basic,
  PermitAll,
  security,
  type SecurityOptions,
} from "../../../src/features/security/mod.ts";
import { type Application, GetMapping, MappingError, RestController } from "../../../mod.ts";
import type { Constructor } from "../../../src/container/mod.ts";
import { PathRules } from "../../../src/features/security/path_rules.ts";
import { depth } from "../../long/mod.ts";
import { appOf } from "../../web/helpers.ts";

const SCHEMES = {
  password: basic({
    users: [
      { name: "ada", password: "engine", roles: ["user"] },
      { name: "root", password: "of all", roles: ["admin"] },
    ],
  }),
};
const ADMIN = { roles: ["admin"] };
const INCLUDE = ["health", "env", "metrics"];

@RestController()
class Plain {
  @GetMapping("/plain")
  plain() {
    return "plain";
  }
}

function application(
  options: Omit<SecurityOptions, "schemes">,
  types: Constructor[] = [Plain],
  contextPath = "",
): Promise<Application> {
  return appOf(types, {
    config: {
      management: { endpoints: { include: INCLUDE } },
      server: { "context-path": contextPath, address: "127.0.0.1", port: 0 },
    },
    extensions: [openApi(), actuator(), security({ schemes: SCHEMES, ...options })],
  });
}

type Asked = Pick<Application, "fetch"> | Hono;

/** The statuses for no user, a user and an admin. */
async function statuses(asked: Asked, path: string): Promise<string> {
  const found: number[] = [];
  for (const caller of ["", "ada:engine", "root:of all"]) {
    const headers: HeadersInit = caller ? { Authorization: `Basic ${btoa(caller)}` } : {};
    const url = `http://localhost${path}`;
    const made = new Request(url, { headers });
    // Deno serves paths as they were sent.
    Object.defineProperty(made, "url", { value: url });
    const response = await asked.fetch(made);
    await response.body?.cancel();
    found.push(response.status);
  }
  return found.join(" ");
}

async function assertTable(asked: Asked, table: Readonly<Record<string, string>>) {
  const found: Record<string, string> = {};
  for (const path of Object.keys(table)) found[path] = await statuses(asked, path);
  assertEquals(found, table);
}

Deno.test("security() + paths cover a closing slash, which what is mounted may not tell apart", async () => {
  await using app = await application({
    default: "permitAll",
    paths: { "/legacy/admin": ADMIN, "/legacy/ops/": ADMIN, "/legacy/x/**": ADMIN, "/own": ADMIN },
  });
  const inner = new Hono({ strict: false });
  for (const path of ["/admin", "/ops", "/x", "/x/y"]) inner.get(path, (c) => c.text(path));
  app.hono.mount("/legacy", inner.fetch);
  app.hono.get("/own/", (c) => c.text("own"));
  const admin = "401 403 200";
  await assertTable(app, {
    "/legacy/admin": admin,
    "/legacy/admin/": admin,
    "/legacy/admin//": "400 400 400",
    "/legacy/ops": admin,
    "/legacy/ops/": admin,
    "/legacy/x": admin,
    "/legacy/x/": admin,
    "/legacy/x/y/": admin,
    "/own/": admin,
  });
});

Deno.test("security() + paths open nothing that differs by a closing slash, as Hono routes it elsewhere", async () => {
  await using app = await application({
    default: "authenticated",
    paths: {
      "/sub/**": ADMIN,
      "/sub/pub": "permitAll",
      "/sub/known": "authenticated",
      "/sub/user": { roles: ["user"] },
      "/sub/same": { roles: [...ADMIN.roles] },
      "/known": "authenticated",
      "/sub/open/": "permitAll",
      "/sub/all/**": "permitAll",
      "/one": "permitAll",
      "/": "permitAll",
    },
  });
  app.hono.get("/sub/*", (c) => c.text("any"));
  app.hono.get("/sub/pub", (c) => c.text("pub"));
  app.hono.get("/one/", (c) => c.text("one"));
  app.hono.get("/known/", (c) => c.text("known"));
  app.hono.get("/", (c) => c.text("home"));
  await assertTable(app, {
    "/": "200 200 200",
    "/sub/pub": "200 200 200",
    "/sub/pub/": "401 403 200",
    "/sub/known": "401 200 200",
    "/sub/known/": "401 403 200",
    "/sub/user": "401 200 403",
    "/sub/user/": "400 400 400",
    "/sub/same": "401 403 200",
    "/sub/same/": "401 403 200",
    "/known/": "401 200 200",
    "/sub/open": "401 403 200",
    "/sub/open/": "200 200 200",
    "/sub/all": "200 200 200",
    "/sub/all/": "200 200 200",
    "/one/": "401 200 200",
  });
});

Deno.test("security() + paths count below an app that has this one below a path of its own", async () => {
  await using app = await application({
    paths: { "/ops/x": ADMIN, "/files/private/**": ADMIN, "/": ADMIN },
  });
  app.hono.get("/ops/x", (c) => c.text("ops"));
  app.hono.get("/ops/:name", (c) => c.text("named"));
  app.hono.get("/files/*", (c) => c.text("file"));
  app.hono.get("/", (c) => c.text("home"));
  const outers = ["/api", "/of/:tenant"].map((path) => new Hono().route(path, app.hono));
  const twice = new Hono().route("/", app.hono).route("/files", app.hono);
  const admin = "401 403 200", known = "401 200 200";
  for (const [outer, start] of [[outers[0]!, "/api"], [outers[1]!, "/of/me"]] as const) {
    await assertTable(outer, {
      [start]: admin,
      [`${start}/ops/x`]: admin,
      [`${start}/ops/y`]: known,
      [`${start}/files/a`]: known,
      [`${start}/files/private/a`]: admin,
      [`${start}/files/%70rivate/a`]: admin,
      [`${start}/files/a/../private/a`]: "400 400 400",
      [`${start}/files/a/%2e%2e/private/a`]: "400 400 400",
      [`${start}/plain`]: known,
    });
  }
  // A file of the one at '/', as that was there first.
  await assertTable(twice, { "/files/private/a": admin, "/files/ops/x": known, "/ops/x": admin });
});

Deno.test("security() + refuses routes below a path that cannot be distinguished from its own", async () => {
  await using app = await application({ paths: { "/files/private/**": ADMIN } });
  app.hono.get("/files/*", (c) => c.text("file"));
  const outer = new Hono().route("/:any{.+}", app.hono);
  await assertTable(outer, { "/a/files/b": "500 500 500" });
});

Deno.test("security() + paths count for single values of an endpoint's variable", async () => {
  await using app = await application({
    paths: { "/actuator/metrics/process.cpu.time": ADMIN, "/actuator/env": ADMIN },
  });
  await assertTable(app, {
    "/actuator/metrics/process.cpu.time": "401 403 404",
    "/actuator/metrics/other": "401 404 404",
    "/actuator/metrics": "401 200 200",
    "/actuator/env": "401 403 200",
  });
});

Deno.test("security() + opens a health probe where no path names it", async () => {
  const wide = { "/actuator/**": ADMIN };
  const open = "200 200 200", admin = "401 403 200";
  const table: [SecurityOptions["paths"], health: string, liveness: string][] = [
    [{}, open, open],
    [wide, open, open],
    [{ ...wide, "/actuator/health": ADMIN }, admin, open],
    [{ "/actuator/health/**": ADMIN }, admin, admin],
    [{ "/actuator/health/liveness": ADMIN }, open, admin],
    [{ "/actuator/health/**": ADMIN, "/actuator/health": "permitAll" }, open, admin],
  ];
  for (const [paths, health, liveness] of table) {
    await using app = await application({ paths });
    await assertTable(app, { "/actuator/health": health, "/actuator/health/liveness": liveness });
  }
});

@RestController()
class Users {
  @GetMapping("/users/{id}")
  user() {
    return "user";
  }

  @GetMapping("/numbers/{id:\\d+}")
  number() {
    return "number";
  }

  @GetMapping("/files/**")
  files() {
    return "file";
  }
}

@RestController()
class Fallback {
  @GetMapping("/**")
  @PermitAll()
  page() {
    return "page";
  }
}

Deno.test("security() + refuses paths that could match what a route serves", async () => {
  const refused: [string, Constructor, string][] = [
    ["/users/me", Users, "users.user() handles '/users/{id}'"],
    ["/users/me/", Users, "users.user() handles '/users/{id}'"],
    ["/users/**", Users, "users.user() handles '/users/{id}'"],
    ["/numbers/7", Users, "users.number() handles '/numbers/{id:\\d+}'"],
    ["/files/private/**", Users, "users.files() handles '/files/**'"],
    ["/files", Users, "users.files() handles '/files/**'"],
    ["/anything", Fallback, "fallback.page() handles '/**'"],
  ];
  for (const [path, type, message] of refused) {
    const error = await assertRejects(
      () => application({ paths: { [path]: ADMIN } }, [type]),
      MappingError,
    );
    assertStringIncludes(error.message, `Cannot protect the path '${path}': ${message}`);
  }
  const allowed: [string, Constructor][] = [
    ["/users", Users],
    ["/users/me/more", Users],
    ["/numbers/seven", Users],
    ["/filesystem/**", Users],
    // Endpoints are answered before routes.
    ["/openapi.json", Fallback],
    ["/actuator/**", Fallback],
  ];
  for (const [path, type] of allowed) {
    await using app = await application({ paths: { [path]: ADMIN } }, [type]);
    assertEquals(typeof app.fetch, "function");
  }
});

Deno.test("security() + refuses a path that is said twice", async () => {
  const error = await assertRejects(
    () => application({ paths: { "/own": ADMIN, "/own/": "permitAll" } }),
    MappingError,
  );
  assertStringIncludes(error.message, "Cannot protect the path '/own/': it repeats '/own'");
});

Deno.test("security() + goes by the path that was sent, whatever middleware makes of it", async () => {
  await using app = await appOf([Plain], {
    middleware: [async ({ req }, next) => {
      req.path = "/legacy/open";
      await next();
    }],
    extensions: [security({
      schemes: SCHEMES,
      paths: { "/legacy/open": "permitAll", "/legacy/**": ADMIN },
    })],
  });
  app.hono.all("/legacy/*", (context) => context.text("legacy"));
  await assertTable(app, { "/legacy/secret": "401 403 200", "/legacy/open": "200 200 200" });
});

Deno.test("security() + paths are relative to server.context-path", async () => {
  const admin = "401 403 200", all = "200 200 200";
  for (const contextPath of ["/api", "/api/v1"]) {
    await using app = await application(
      {
        default: "permitAll",
        paths: {
          "/openapi.json": ADMIN,
          "/actuator/**": ADMIN,
          "/legacy/admin": ADMIN,
          "/all/x": ADMIN,
          "/": ADMIN,
        },
      },
      [Plain],
      contextPath,
    );
    const { hono } = app;
    hono.get(`${contextPath}/legacy/:name`, (c) => c.text("below"));
    hono.get("/legacy/admin", (c) => c.text("outside"));
    hono.get(contextPath, (c) => c.text("root"));
    hono.get("/*", (c) => c.text("any"));
    await assertTable(app, {
      [`${contextPath}/openapi.json`]: admin,
      [`${contextPath}/actuator`]: admin,
      [`${contextPath}/actuator/env`]: admin,
      [`${contextPath}/actuator/health`]: all,
      [`${contextPath}/legacy/admin`]: admin,
      [`${contextPath}/legacy/other`]: all,
      [`${contextPath}/plain`]: all,
      [`${contextPath}/all/x`]: admin,
      [contextPath]: admin,
      "/legacy/admin": admin,
      "/all/x": admin,
      "/all/y": all,
    });
  }
  await assertRejects(
    () => application({ paths: { "/plain": ADMIN } }, [Plain], "/api"),
    MappingError,
    "plain.plain() handles '/api/plain'",
  );
});

Deno.test("PathRules + decide below a context path as they do without one", () => {
  const segment = fc.constantFrom("a", "b", "ab");
  const path = fc.array(segment, { maxLength: 3 }).map((all) => `/${all.join("/")}`);
  const rule = fc.tuple(path, fc.constantFrom("", "/**")).map(([path, end]) => {
    return path === "/" ? end || path : path + end;
  });
  const pattern = fc.tuple(path, fc.constantFrom("", "/*", "/:name")).map((pair) => pair.join(""));
  const access = fc.constantFrom("permitAll" as const, ADMIN);
  fc.assert(
    fc.property(
      fc.dictionary(rule, access, { maxKeys: 4, noNullPrototype: true }),
      ...[pattern, path, fc.constantFrom("/a", "/a/b")] as const,
      (paths, mounted, asked, contextPath) => {
        const decided = (start: string) => {
          const found = new PathRules(paths, { allows: "authenticated" }, start)
            .accessAt((start + mounted).replaceAll("//", "/"));
          return typeof found === "function" ? found(start + asked) : found;
        };
        assertEquals(decided(contextPath), decided(""));
      },
    ),
    { numRuns: depth(200, 5000) },
  );
});

/**
 * The result of rules that match nothing, when the application listens or receives its first request: the error, and
 * warnings.
 */
async function reported(
  paths: SecurityOptions["paths"],
  mount: (hono: Hono) => unknown = () => {},
  contextPath = "",
): Promise<string[]> {
  const { warn } = console;
  const found: string[] = [];
  console.warn = (line) => void found.push(line);
  try {
    for (const start of ["listen", "fetch", "fetch again"]) {
      await using app = await application({ paths }, [Plain], contextPath);
      mount(app.hono);
      const ask = () => app.request(`${contextPath}/plain`).then((response) => response.status);
      try {
        if (start === "listen") await app.listen();
        else assertEquals(await ask(), 401);
        if (start === "fetch again") assertEquals(await ask(), 401);
      } catch (error) {
        assertEquals(error instanceof MappingError, true);
        if (start === "fetch again") await assertRejects(ask, MappingError);
        found.push((error as Error).message);
      }
    }
  } finally {
    console.warn = warn;
  }
  const [first = "", ...others] = found;
  assertEquals(others, first === "" ? [] : [first, first]);
  return first === "" ? [] : [first];
}

Deno.test("security() + reports a path that matches nothing when the application starts to serve", async () => {
  const nothing = "no endpoint of an extension and no handler of 'app.hono' matches it";
  const cases: [path: string, contextPath: string, advice: string][] = [
    ["/docs", "", "correct the path, or remove the rule"],
    ["/actuator/nothing", "", "correct the path, or remove the rule"],
    ["/docs/**", "", "correct the path, or remove the rule"],
    ["/openapi", "/api", "correct the path, or remove the rule"],
    ["/api/actuator/**", "/api", "expected a path without server.context-path '/api'"],
    ["/api/openapi.json", "/api", "expected a path without server.context-path '/api'"],
    ["/openapi.json/", "", "correct the path, or remove the rule"],
    ["/openapi.json/", "/api", "correct the path, or remove the rule"],
  ];
  for (const [path, contextPath, advice] of cases) {
    const [line = ""] = await reported({ [path]: ADMIN }, () => {}, contextPath);
    assertStringIncludes(line, `Cannot protect the path '${path}': ${nothing}; ${advice}`);
  }
  // Hono distinguishes a trailing slash, also after a variable.
  for (const path of ["/legacy/admin", "/:any/admin", "/legacy/:name"]) {
    const mount = (hono: Hono) => hono.get(path, (c) => c.text("admin"));
    assertEquals((await reported({ "/legacy/admin/": ADMIN }, mount)).length, 1, path);
  }
  // Middleware for all paths is no handler of a path that repeats the context path.
  const repeated = { "/api/actuator/**": ADMIN };
  for (const path of ["*", "/api/*"]) {
    const all = (hono: Hono) => hono.use(path, (_, next) => next());
    assertEquals((await reported(repeated, all, "/api")).length, 1);
  }
});

Deno.test("security() + takes each kind of handler for one that a path may mean", async () => {
  const inner = new Hono().get("/admin", (c) => c.text("admin"));
  const cases: [path: string, mount: (hono: Hono) => unknown, contextPath?: string][] = [
    ["/actuator/metrics/one", () => {}],
    ["/closed/", (hono) => hono.get("/closed/", (c) => c.text("closed"))],
    ["/closed", (hono) => hono.get("/closed/", (c) => c.text("closed"))],
    ["/actuator/prometheus", () => {}, "/api"],
    ["/actuator/metrics/one", () => {}, "/api"],
    ["/actuator/health/**", () => {}, "/api"],
    ["/legacy/admin", (hono) => hono.route("/legacy", inner)],
    ["/legacy/admin/", (hono) => hono.mount("/legacy", inner.fetch)],
    ["/legacy/admin", (hono) => hono.mount("/legacy", inner.fetch)],
    ["/legacy", (hono) => hono.mount("/legacy", inner.fetch)],
    ["/legacy/admin", (hono) => hono.use("/legacy/*", (_, next) => next())],
    ["/legacy/admin", (hono) => hono.notFound((c) => c.text("legacy"))],
    ["/legacy/admin", (hono) => hono.route("/api/legacy", inner), "/api"],
    ["/legacy/admin", (hono) => hono.route("/legacy", inner), "/api"],
    ["/legacy/admin", (hono) => hono.get("/:any/*", (c) => c.text("any")), "/api"],
    ["/api/x", (hono) => hono.get("/api/api/x", (c) => c.text("x")), "/api"],
  ];
  for (const [path, mount, contextPath] of cases) {
    assertEquals(await reported({ [path]: ADMIN }, mount, contextPath), [], path);
  }
});

Deno.test("security() + takes paths of endpoints that the configuration disables", async () => {
  const paths = { "/openapi.json": ADMIN, "/docs": ADMIN, "/docs/start.js": ADMIN };
  for (const contextPath of ["", "/api"]) {
    await using app = await appOf([Plain], {
      config: { server: { "context-path": contextPath }, openapi: { enabled: false } },
      extensions: [openApi(), swaggerUi(), security({ schemes: SCHEMES, paths })],
    });
    await assertTable(app, { [`${contextPath}/openapi.json`]: "404 404 404" });
  }
});
