import {
  bootstrap,
  DeleteMapping,
  GetMapping,
  PathVariable,
  PostMapping,
  RequestMapping,
  RestController,
  Service,
  Use,
} from "@irori/irori";
import { browser, CrossOrigin } from "@irori/irori/browser";
import { basic, security } from "@irori/irori/security";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { allowed, appWith, corsFields, corsOf, preflight, refused, SHOP } from "./helpers.ts";

const METHOD = "https://method.example";
const CLASS = "https://class.example";
const PATH = "https://path.example";
const BASE = "https://base.example";

@RestController()
@RequestMapping("/items")
@CrossOrigin({ origin: CLASS })
class ItemController {
  @GetMapping("/{id}", PathVariable("id"))
  get(id: string) {
    return { id };
  }

  @DeleteMapping("/{id}", PathVariable("id"))
  @CrossOrigin({ origin: METHOD, allowMethods: ["DELETE"] })
  remove(_id: string) {}

  @GetMapping("/best")
  @CrossOrigin({ origin: METHOD })
  best() {
    return { id: "best" };
  }
}

@RestController()
@RequestMapping("/plain")
class PlainController {
  @GetMapping()
  get() {
    return "plain";
  }

  @PostMapping("/{rest:\\d+}", PathVariable("rest"))
  @CrossOrigin()
  post(_rest: string) {}
}

const components = [ItemController, PlainController];
const ALL = {
  origin: SHOP,
  paths: [
    { path: "/**", origin: BASE },
    { path: "/items/**", origin: PATH },
    { path: "/plain/{name}", origin: PATH },
    { path: "/plain/a b", origin: METHOD },
  ],
};

/** The origin that is allowed among these. */
async function allowedAt(
  app: Parameters<typeof allowed>[0],
  path: string,
  method = "GET",
): Promise<string | undefined> {
  const found: string[] = [];
  for (const origin of [METHOD, CLASS, PATH, BASE, SHOP]) {
    const [direct, before] = [
      await allowed(app, path, origin, method),
      corsFields(await preflight(app, path, method, origin))["allow-origin"],
    ];
    assertEquals(direct, before, `${method} ${path} ${origin}`);
    if (direct === "*") return "*";
    if (direct !== undefined) found.push(origin);
  }
  assertEquals(found.length <= 1, true);
  return found[0];
}

Deno.test("@CrossOrigin() + of a method counts before its class, this before the path, this before the application", async () => {
  for (const contextPath of ["", "/shop"]) {
    const config = { server: { "context-path": contextPath } };
    await using app = await appWith({ cors: ALL }, { components, config });
    const at = (path: string, method?: string) => allowedAt(app, contextPath + path, method);
    assertEquals(await at("/items/7"), CLASS);
    assertEquals(await at("/items/7", "HEAD"), CLASS);
    assertEquals(await at("/items/7", "DELETE"), METHOD);
    assertEquals(await at("/items/best"), METHOD);
    assertEquals(await at("/items/best", "DELETE"), METHOD); // By '/items/{id}'.
    assertEquals(await at("/items/7", "PUT"), CLASS); // 405
    assertEquals(await at("/items/7/more"), PATH); // 404
    assertEquals(await at("/items"), PATH);
    assertEquals(await at("/plain"), BASE);
    assertEquals(await at("/plain/7", "POST"), "*");
    assertEquals(await at("/plain/7"), PATH);
    assertEquals(await at("/plain/seven"), PATH);
    assertEquals(await at("/plain/a%20b"), METHOD);
    assertEquals(await at("/plain/a%2Fb"), PATH);
    assertEquals(await at("/elsewhere"), BASE);
    assertEquals(await at("/%zz"), SHOP); // Malformed: no pattern matches it.
  }
});

Deno.test("server.cors.paths + leave other paths as they are where nothing stands beside them", async () => {
  await using app = await appWith({ cors: { paths: [{ path: "/api/**", origin: SHOP }] } }, {
    components: [PlainController],
  });
  assertEquals(await allowed(app, "/api"), SHOP);
  assertEquals(await allowed(app, "/api/x"), SHOP);
  assertEquals(await corsOf(app, "/apix", { Origin: SHOP }), {});
  assertEquals(await corsOf(app, "/plain", { Origin: SHOP }), {});
  assertEquals((await preflight(app, "/api/x", "PUT")).status, 204);
  const { status, headers } = await preflight(app, "/plain", "GET");
  assertEquals([status, headers.get("Allow")], [204, "GET, HEAD, OPTIONS"]);
});

Deno.test("server.cors.paths + outside of the context path are whole paths", async () => {
  const config = { server: { "context-path": "/shop" } };
  const paths = [{ path: "/own/**", origin: SHOP }];
  await using app = await appWith({ cors: { paths } }, { components, config });
  app.hono.get("/own/page", (context) => context.text("own"));
  assertEquals(await allowed(app, "/own/page"), SHOP);
  assertEquals(await allowed(app, "/shop/own/page"), SHOP);
  assertEquals(await allowed(app, "/shopping/own/page"), undefined);
});

Deno.test("@CrossOrigin() + counts for all paths of versions", async () => {
  @RestController()
  class Versioned {
    @GetMapping({ path: "/a", version: "1" })
    @CrossOrigin({ origin: METHOD })
    one() {
      return 1;
    }

    @GetMapping({ path: "/a", version: "2" })
    @CrossOrigin({ origin: CLASS })
    two() {
      return 2;
    }

    @GetMapping("/b")
    @CrossOrigin({ origin: PATH })
    every() {
      return 0;
    }
  }
  const version = { path: "/v{version}", supported: ["1", "2"], default: "2" };
  await using app = await appWith({}, {
    components: [Versioned],
    config: { server: { "api-version": version } },
  });
  assertEquals(await allowedAt(app, "/v1/a"), METHOD);
  assertEquals(await allowedAt(app, "/v2/a"), CLASS);
  assertEquals(await allowedAt(app, "/a"), CLASS);
  for (const path of ["/b", "/v1/b", "/v2/b"]) assertEquals(await allowedAt(app, path), PATH);
});

Deno.test("@CrossOrigin() + is inherited, and declared again it is replaced", async () => {
  @CrossOrigin({ origin: CLASS })
  class Base {
    @GetMapping("/a")
    a() {
      return "a";
    }

    @GetMapping("/b")
    @CrossOrigin({ origin: METHOD })
    b() {
      return "b";
    }
  }
  @RestController()
  class Heir extends Base {}
  @RestController()
  @RequestMapping("/own")
  @CrossOrigin({ origin: PATH })
  class Own extends Base {}
  await using app = await appWith({}, { components: [Heir, Own] });
  assertEquals(await allowedAt(app, "/a"), CLASS);
  assertEquals(await allowedAt(app, "/b"), METHOD);
  assertEquals(await allowedAt(app, "/own/a"), PATH);
  assertEquals(await allowedAt(app, "/own/b"), METHOD);
});

Deno.test("@CrossOrigin() + without browser(), or where it has no effect, is refused", async () => {
  assertEquals(
    await refused({ components }),
    "Cannot apply @CrossOrigin to 'ItemController': expected browser() of '@irori/irori/browser' among the extensions",
  );
  @RestController()
  class Helping {
    @GetMapping("/a")
    a() {}

    @CrossOrigin()
    help() {}
  }
  @Service()
  @CrossOrigin()
  class Serving {}
  const extensions = [browser()];
  assertStringIncludes(
    await refused({ components: [Helping], extensions }),
    "'help' has @CrossOrigin, but no mapping",
  );
  await assertRejects(
    () => bootstrap({ components: [Serving], extensions }),
    Error,
    "it has @CrossOrigin, but the class has no @RestController()",
  );
});

Deno.test("@CrossOrigin() + refuses options that cannot work", () => {
  assertThrows(
    () => CrossOrigin({ credentials: true }),
    Error,
    "Cannot apply @CrossOrigin: 'credentials': expected the origins by their names beside it, found '*'",
  );
  assertThrows(
    () => CrossOrigin({ orign: SHOP } as never),
    Error,
    "Cannot apply @CrossOrigin: Unknown option 'orign': did you mean 'origin'?",
  );
});

Deno.test("preflights + need no user, and come before mapped OPTIONS", async () => {
  @RestController()
  class Mapped {
    @RequestMapping({ path: "/own", method: "OPTIONS" })
    options() {
      return "mapped";
    }
  }
  await using app = await appWith({ cors: { origin: SHOP } }, {
    components: [...[PlainController], Mapped],
    extensions: [security({ schemes: { basic: basic({ verify: () => undefined }) } })],
  });
  for (const path of ["/plain", "/own", "/none"]) {
    const { status, headers } = await preflight(app, path, "GET");
    assertEquals([status, headers.get("WWW-Authenticate")], [204, null]);
  }
  const response = await app.request("/plain", { headers: { Origin: SHOP } });
  assertEquals([response.status, corsFields(response)["allow-origin"]], [401, SHOP]);
  assertEquals((await app.request("/own", { method: "OPTIONS" })).status, 401);
});

Deno.test("cors() and secureHeaders() of Hono + beside the same of browser() are refused, others not", async () => {
  const message = (name: string, place: string) =>
    `Cannot use ${name}() of Hono beside that of browser(): remove it from ${place}`;
  const ofBootstrap = "'middleware' of bootstrap()";
  const config = { server: { cors: true } };
  assertEquals(await refused({ config, middleware: [cors()] }), message("cors", ofBootstrap));
  const extensions = [browser({ headers: true })];
  assertEquals(
    await refused({ extensions, middleware: [secureHeaders()] }),
    message("secureHeaders", ofBootstrap),
  );
  @RestController()
  class Used {
    @GetMapping("/used")
    @Use(cors({ origin: PATH }))
    used() {
      return "used";
    }
  }
  assertEquals(
    await refused({ config, components: [Used] }),
    message("cors", "@Use of 'Used.used'"),
  );
  assertEquals(
    await refused({ components: [Used, PlainController], extensions: [browser()] }),
    message("cors", "@Use of 'Used.used'"),
  );
  await using app = await bootstrap({ components: [Used], extensions });
  assertEquals(await allowed(app, "/used", PATH), PATH);
});

Deno.test("@CrossOrigin + cannot differ between handlers of one path and method", async () => {
  @RestController()
  class Versions {
    @GetMapping({ path: "/items/{id}", produces: "application/json" })
    json() {
      return {};
    }

    @GetMapping({ path: "/items/{name}", produces: "text/plain" })
    @CrossOrigin({ origin: METHOD })
    text() {
      return "";
    }
  }
  assertStringIncludes(
    await refused({ components: [Versions], extensions: [browser()] }),
    "Cannot choose the @CrossOrigin of 'GET /items/{name}'",
  );
});
