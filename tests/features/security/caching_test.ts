import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import {
  basic,
  CurrentUser,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
  security,
} from "../../../src/features/security/mod.ts";
import {
  type Extension,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  ResponseEntity,
  RestController,
  Use,
} from "../../../mod.ts";
import { appOf } from "../../web/helpers.ts";

@RestController()
class Pages {
  @GetMapping("/value")
  value() {
    return { a: 1 };
  }
  @GetMapping("/later")
  later() {
    return Promise.resolve("later");
  }
  @GetMapping("/missing")
  missing() {
    throw new HttpError(404);
  }
  @GetMapping("/admin")
  @RolesAllowed("admin")
  admin() {}
  @GetMapping("/never")
  @PreAuthorize(() => false)
  never() {}
  @GetMapping("/fetched")
  fetched() {
    // As one that was fetched, its headers cannot be changed.
    return Response.redirect("http://localhost/other");
  }
  @GetMapping("/own")
  own() {
    return ResponseEntity.ok().withHeader("Cache-Control", "private, max-age=60").withJson({});
  }
  @GetMapping("/expires")
  expires() {
    return ResponseEntity.ok().withHeader("Expires", "0").withJson({});
  }
  @GetMapping("/unchanged")
  unchanged() {
    return ResponseEntity.status(HttpStatus.NOT_MODIFIED);
  }
  @GetMapping("/seen")
  seen(request: HttpRequest) {
    request.context.header("Cache-Control", "max-age=7");
    return "seen";
  }
  @GetMapping("/before")
  @Use(async (context, next) => {
    context.header("Cache-Control", "max-age=8");
    await next();
  })
  before() {
    return "before";
  }
  @GetMapping("/after")
  @Use(async (context, next) => {
    await next();
    context.header("Cache-Control", "max-age=9");
  })
  after() {
    return "after";
  }
  @GetMapping("/events")
  async *events() {
    yield await Promise.resolve("a");
  }
  @GetMapping("/open")
  @PermitAll()
  open() {
    return "open";
  }
  @GetMapping("/both", CurrentUser({ required: false }))
  @PermitAll()
  both(user?: Principal) {
    return user?.name ?? "anonymous";
  }
}

const endpoint: Extension = () => ({
  endpoints: [{ method: "GET", path: "/endpoint", respond: () => Response.json({}) }],
});

Deno.test("security() + forbids caches to store answers for a user, unless they set caching themselves", async () => {
  const users = [{ name: "ada", password: "engine", roles: ["user"] }, {
    name: "root",
    password: "of all",
    roles: ["admin"],
  }];
  for (const middleware of [[], [async (_: unknown, next: () => Promise<void>) => await next()]]) {
    await using app = await appOf([Pages], {
      middleware,
      extensions: [
        security({
          schemes: { password: basic({ users }) },
          paths: { "/free": "permitAll" },
        }),
        endpoint,
      ],
    });
    const inner = new Hono().get("/x", (context) => context.text("x"));
    app.hono.route("/inner", inner);
    app.hono.get("/mounted", () => new Response("mounted"));
    app.hono.get("/passing", async (_, next) => await next(), (context) => context.text("passed"));
    app.hono.get("/cached", (context) => context.text("", 200, { "Cache-Control": "max-age=1" }));
    app.hono.get("/free", (context) => context.text("free"));
    const ask = async (path: string, isKnown: boolean) => {
      const headers: HeadersInit = isKnown ? { Authorization: `Basic ${btoa("ada:engine")}` } : {};
      const response = await app.request(path, { headers });
      await response.body?.cancel();
      return `${response.status} ${response.headers.get("cache-control")}`;
    };
    const table: Record<string, [known: string, anonymous: string]> = {
      "/value": ["200 no-store", "401 no-store"],
      "/later": ["200 no-store", "401 no-store"],
      "/missing": ["404 no-store", "401 no-store"],
      "/admin": ["403 no-store", "401 no-store"],
      "/never": ["403 no-store", "401 no-store"],
      "/fetched": ["302 no-store", "401 no-store"],
      "/own": ["200 private, max-age=60", "401 no-store"],
      "/expires": ["200 null", "401 no-store"],
      "/unchanged": ["304 null", "401 no-store"],
      "/seen": ["200 max-age=7", "401 no-store"],
      "/before": ["200 max-age=8", "401 no-store"],
      "/after": ["200 max-age=9", "401 max-age=9"],
      "/events": ["200 no-cache", "401 no-store"],
      "/open": ["200 null", "200 null"],
      "/both": ["200 no-store", "200 null"],
      "/endpoint": ["200 no-store", "401 no-store"],
      "/inner/x": ["200 no-store", "401 no-store"],
      "/mounted": ["200 no-store", "401 no-store"],
      "/passing": ["200 no-store", "401 no-store"],
      "/cached": ["200 max-age=1", "401 no-store"],
      "/free": ["200 null", "200 null"],
    };
    const found: typeof table = {};
    for (const path of Object.keys(table)) {
      found[path] = [await ask(path, true), await ask(path, false)];
    }
    assertEquals(found, table);
  }
});

Deno.test("security() + knows a fetched response that is mounted where an adapter replaced the global class", async () => {
  const { Response: Fetched } = globalThis;
  const users = [{ name: "ada", password: "engine" }];
  await using app = await appOf([], {
    extensions: [security({ schemes: { password: basic({ users }) } })],
  });
  app.hono.get("/fetched", () => {
    globalThis.Response = class extends Fetched {};
    return new Fetched("a");
  });
  try {
    const headers = { Authorization: `Basic ${btoa("ada:engine")}` };
    const response = await app.request("/fetched", { headers });
    assertEquals([await response.text(), response.headers.get("cache-control")], ["a", "no-store"]);
  } finally {
    globalThis.Response = Fetched;
  }
});
