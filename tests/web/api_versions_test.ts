import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { cors } from "hono/cors";
import type { MiddlewareHandler } from "hono";
import {
  type Application,
  bootstrap,
  ConfigError,
  GetMapping,
  HttpStatus,
  MappingError,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  ResponseEntity,
  RestController,
  Use,
} from "../../mod.ts";
import type { ConfigMap } from "../../src/config/mod.ts";

const marked: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set("X-Marked", "yes");
};

@RestController()
@RequestMapping({ path: "/users", version: ["1", "2"] })
class UserController {
  @GetMapping({ version: "1", produces: "application/json" })
  @Use(marked)
  first() {
    return ["first"];
  }
  @GetMapping({ version: "2" })
  second() {
    return ["second"];
  }
  @PostMapping({ version: "2", consumes: "application/json" }, RequestBody())
  create() {
    return ["created"];
  }
  @GetMapping("/search")
  both() {
    return ["both"];
  }
  @GetMapping({ path: "/newest", version: "3" })
  newest() {
    return ["newest"];
  }
}

@RestController()
class OtherController {
  @GetMapping("/users/{id}", PathVariable("id"))
  one(id: string) {
    return [id];
  }
  @GetMapping("/open")
  open() {
    return ["open"];
  }
  @GetMapping({ path: "/open", version: "2" })
  openToo() {
    return ["open too"];
  }
  @GetMapping("/health")
  health() {
    return ["up"];
  }
  @GetMapping({ path: "/gone/{id}", version: "3" }, PathVariable("id", "int"))
  gone(id: number) {
    return [id];
  }
}

const components = [UserController, OtherController];
const ALL = ["1", "2", "3"];

function application(settings: Record<string, unknown>): Promise<Application> {
  return bootstrap({
    components,
    config: { server: { "api-version": { supported: ALL, ...settings } as never } },
  });
}

type Row = readonly [
  request: string,
  version: string | undefined,
  status: number,
  body: string | undefined,
  vary: string | null,
  headers?: Record<string, string>,
];

async function compare(app: Application, rows: readonly Row[]): Promise<void> {
  for (const [request, version, status, body, vary, sent] of rows) {
    const [method = "", path = ""] = request.split(" ");
    const headers = { ...sent, ...(version !== undefined && { "X-API-Version": version }) };
    const response = await app.request(path, { method, headers });
    const text = await response.text();
    const found = [
      response.status,
      response.ok ? JSON.parse(text || "[]")[0] : JSON.parse(text).errors?.[0]?.message,
      response.headers.get("vary"),
    ];
    assertEquals(found, [status, body, vary], `${request} ${version}`);
  }
}

const ONE_OF = "expected one of '1', '2', '3'";
const V = "x-api-version";
const JSON_TYPE = { "Content-Type": "application/json" };

Deno.test("version + by a header, without a default", async () => {
  await using app = await application({ header: "X-API-Version" });
  await compare(app, [
    ["GET /users", "1", 200, "first", V],
    ["GET /users", "2", 200, "second", V],
    ["HEAD /users", "2", 200, undefined, V],
    ["GET /users", "3", 404, undefined, V],
    ["GET /users", "9", 400, ONE_OF, V],
    ["GET /users", "", 400, ONE_OF, V],
    ["GET /users", "1, 2", 400, ONE_OF, V],
    ["GET /users", "toString", 400, ONE_OF, V],
    ["GET /users", undefined, 400, `${ONE_OF}, but none was sent`, V],
    // Conditions other than the version count for that version alone.
    ["GET /users", "1", 406, undefined, V, { Accept: "text/html" }],
    ["GET /users", "2", 200, "second", V, { Accept: "text/html" }],
    ["POST /users", "1", 405, undefined, V],
    ["POST /users", "2", 415, undefined, V, { "Content-Type": "text/plain" }],
    ["POST /users", "9", 400, ONE_OF, V],
    ["DELETE /users", "9", 400, ONE_OF, V],
    ["DELETE /users", undefined, 405, undefined, V],
    // That of the class.
    ["GET /users/search", "1", 200, "both", V],
    ["GET /users/search", "2", 200, "both", V],
    // A less specific path takes what a version has not, and caches have to know.
    ["GET /users/search", "3", 200, "search", V],
    ["GET /users/newest", "3", 200, "newest", V],
    ["GET /users/newest", "1", 200, "newest", V],
    ["GET /users/newest", undefined, 400, `${ONE_OF}, but none was sent`, V],
    ["GET /users/7", "1", 200, "7", null],
    ["GET /users/7", undefined, 200, "7", null],
    // A route without a version serves all of them, also where another route has its own.
    ["GET /open", "1", 200, "open", V],
    ["GET /open", "2", 200, "open too", V],
    ["GET /open", undefined, 200, "open", V],
    ["GET /open", "9", 400, ONE_OF, V],
    ["GET /health", "1", 200, "up", null],
    ["GET /health", "9", 200, "up", null],
    ["GET /health", undefined, 200, "up", null],
    ["GET /nothing", "9", 404, undefined, null],
    ["GET /gone/x", "3", 400, "expected an integer, found 'x'", V],
    ["OPTIONS /users", undefined, 204, undefined, V],
  ]);
  const allow = async (method: string, headers: Record<string, string>) =>
    (await app.request("/users", { method, headers })).headers.get("allow");
  assertEquals(await allow("DELETE", { "X-API-Version": "1" }), "GET, HEAD, OPTIONS");
  assertEquals(await allow("DELETE", { "X-API-Version": "2" }), "GET, HEAD, POST, OPTIONS");
  assertEquals(await allow("OPTIONS", {}), "GET, HEAD, POST, OPTIONS");
  assertEquals(await allow("OPTIONS", { "X-API-Version": "1" }), "GET, HEAD, OPTIONS");
  const problem = await (await app.request("/users", { headers: { "X-API-Version": "9" } })).json();
  assertEquals(problem, {
    type: "about:blank",
    title: "Bad Request",
    status: 400,
    detail: `Cannot bind the request header 'X-API-Version': ${ONE_OF}`,
    instance: "/users",
    errors: [{ header: "X-API-Version", message: ONE_OF }],
  });
});

Deno.test("version + by a header, with a default", async () => {
  await using app = await application({ header: "X-API-Version", default: 2 });
  await compare(app, [
    ["GET /users", undefined, 200, "second", V],
    ["GET /users", "1", 200, "first", V],
    ["GET /users", "9", 400, ONE_OF, V],
    ["GET /open", undefined, 200, "open too", V],
    ["GET /gone/1", undefined, 404, undefined, V],
    ["PUT /users", undefined, 405, undefined, V],
    ["POST /users", undefined, 400, "a body is required and none was sent", V, JSON_TYPE],
  ]);
});

Deno.test("version + by the path, with a default and without one", async () => {
  await using app = await application({ path: "/v{version}" });
  await compare(app, [
    ["GET /v1/users", undefined, 200, "first", null],
    ["GET /v2/users", undefined, 200, "second", null],
    ["GET /v2/users", "1", 200, "second", null],
    ["GET /v1/users", undefined, 406, undefined, "Accept", { Accept: "text/html" }],
    ["POST /v1/users", undefined, 405, undefined, null],
    ["GET /v3/users", undefined, 404, undefined, null],
    ["GET /v9/users", undefined, 400, ONE_OF, null],
    ["GET /v9/nothing", undefined, 404, undefined, null],
    ["GET /users", undefined, 400, `${ONE_OF}, but none was sent`, null],
    ["DELETE /users", undefined, 400, `${ONE_OF}, but none was sent`, null],
    ["OPTIONS /users", undefined, 400, `${ONE_OF}, but none was sent`, null],
    ["OPTIONS /v1/users", undefined, 204, undefined, null],
    ["GET /users/7", undefined, 200, "7", null],
    ["GET /v1/users/7", undefined, 200, "7", null],
    ["GET /open", undefined, 200, "open", null],
    ["GET /v1/open", undefined, 200, "open", null],
    ["GET /v2/open", undefined, 200, "open too", null],
    ["GET /v9/open", undefined, 400, ONE_OF, null],
    ["GET /health", undefined, 200, "up", null],
    ["GET /v3/gone/x", undefined, 400, "expected an integer, found 'x'", null],
  ]);
  assertEquals(
    app.routeTable.filter(({ path }) => /users$|open$/.test(path)).map((
      { method, path, version },
    ) => `${method} ${path} ${version}`),
    [
      "GET /open undefined",
      "GET /v1/users 1",
      "GET /v2/open 2",
      "GET /v2/users 2",
      "POST /v2/users 2",
    ],
  );
  const server = { "context-path": "/api" };
  await using defaulted = await bootstrap({
    components: [UserController],
    config: {
      server: { ...server, "api-version": { path: "/v{version}", default: "1", supported: ALL } },
    },
  });
  await compare(defaulted, [
    ["GET /api/users", undefined, 200, "first", null],
    ["OPTIONS /api/users", undefined, 204, undefined, null],
    ["GET /api/v2/users", undefined, 200, "second", null],
    ["GET /api/v9/users", undefined, 400, ONE_OF, null],
    ["GET /v2/users", undefined, 404, undefined, null],
    ["GET /api/users/newest", undefined, 404, undefined, null],
  ]);
});

Deno.test("version + middleware of the path has its turn where a version is refused", async () => {
  await using app = await application({ header: "X-API-Version" });
  const marks = async (version: string) => {
    const { headers } = await app.request("/users", { headers: { "X-API-Version": version } });
    return headers.get("x-marked");
  };
  assertEquals([await marks("1"), await marks("2"), await marks("9")], ["yes", null, "yes"]);
});

Deno.test("version + middleware of the path has its turn where a path says no version that there is", async () => {
  await using app = await application({ path: "/v{version}" });
  const marks = async (path: string) => {
    const response = await app.request(path);
    return [response.status, response.headers.get("x-marked")];
  };
  assertEquals(await marks("/v1/users"), [200, "yes"]);
  assertEquals(await marks("/v9/users"), [400, "yes"]);
  assertEquals(await marks("/users"), [400, "yes"]);
  assertEquals(await marks("/v9/nothing"), [404, null]);
  assertEquals(await marks("/v3/users"), [404, null]);
});

Deno.test("version + 'Vary' keeps what others wrote there", async () => {
  await using app = await bootstrap({
    components,
    config: { server: { "api-version": { header: "Accept-Version", supported: ALL } } },
    middleware: [cors({ origin: ["https://a.example"] })],
  });
  const headers = { "Accept-Version": "2", Origin: "https://a.example" };
  const vary = async (path: string) =>
    (await app.request(path, { headers })).headers.get("vary")?.toLowerCase().split(", ").sort();
  assertEquals(await vary("/users"), ["accept-version", "origin"]);
  assertEquals(await vary("/users/search"), ["accept-version", "origin"]);
  assertEquals(await vary("/health"), ["origin"]);
});

@RestController()
@RequestMapping({ path: "/old", deprecated: { since: "2026-01-31", link: "/docs/old" } })
class OldController {
  @GetMapping()
  old() {
    return [];
  }
  @GetMapping({
    path: "/{id}",
    deprecated: {
      since: new Date(1688169599_999),
      sunset: "2026-12-31T23:59:59+02:00",
      sunsetLink: "https://example.com/end?a=b",
    },
  }, PathVariable("id", "int"))
  one(id: number) {
    return ResponseEntity.status(HttpStatus.ACCEPTED).withHeader("Link", '</a>; rel="a"').withJson(
      id,
    );
  }
  @GetMapping("/raw")
  @Use(async (_, next) => await next())
  raw() {
    return Response.redirect("http://localhost/new");
  }
}

Deno.test("deprecated + is said by every answer, refusals included", async () => {
  await using app = await bootstrap({ components: [OldController] });
  const of = async (path: string) => {
    const { status, headers } = await app.request(path);
    return [status, ...["deprecation", "sunset", "link"].map((name) => headers.get(name))];
  };
  const link = '</docs/old>; rel="deprecation"';
  assertEquals(await of("/old"), [200, "@1769817600", null, link]);
  assertEquals(await of("/old/raw"), [302, "@1769817600", null, link]);
  const end = "Thu, 31 Dec 2026 21:59:59 GMT";
  const links = '<https://example.com/end?a=b>; rel="sunset"';
  assertEquals(await of("/old/1"), [202, "@1688169599", end, `</a>; rel="a", ${links}`]);
  assertEquals(await of("/old/x"), [400, "@1688169599", end, links]);
  assertEquals(app.routeTable.map(({ deprecated }) => deprecated), [true, true, true]);
});

Deno.test("deprecated + of a version is said by its routes alone", async () => {
  const deprecated = [{ version: 1, since: "2026-01-31", sunset: "2027-01-31" }];
  await using app = await application({ header: "X-API-Version", deprecated });
  const of = async (path: string, version: string) => {
    const { headers } = await app.request(path, { headers: { "X-API-Version": version } });
    return [headers.get("deprecation"), headers.get("sunset")];
  };
  assertEquals(await of("/users", "1"), ["@1769817600", "Sun, 31 Jan 2027 00:00:00 GMT"]);
  assertEquals(await of("/users", "2"), [null, null]);
  assertEquals(await of("/health", "1"), [null, null]);
});

@RestController()
@RequestMapping("/notes")
class NoteController {
  @GetMapping({ version: "1", produces: "application/json", deprecated: { since: "2026-01-31" } })
  first() {
    return ["first"];
  }
  @PostMapping(
    { version: "1", consumes: "application/json", deprecated: { since: "2026-01-31" } },
    RequestBody(),
  )
  create() {
    return ["v1"];
  }
  @PostMapping({ consumes: "text/plain" }, RequestBody("text"))
  createAny() {
    return ["any"];
  }
  @GetMapping({ path: "/old", deprecated: { since: "2026-01-31" }, produces: "application/json" })
  old() {
    return [];
  }
  @RequestMapping({ path: "/old", method: "PUT", deprecated: { since: "2026-01-31" } })
  oldPut() {
    return [];
  }
  @GetMapping({ path: "/half", version: "1", deprecated: { since: "2026-01-31" } })
  half() {
    return [];
  }
  @GetMapping({ path: "/half", version: "2" })
  newHalf() {
    return [];
  }
}

const DEPRECATED = "@1769817600";

Deno.test("version + what has no version takes only the versions that others have not, whatever the type", async () => {
  const supported = ["1", "2"];
  for (const fallback of [undefined, "1"]) {
    await using app = await bootstrap({
      components: [NoteController],
      config: {
        server: {
          "api-version": {
            header: "X-API-Version",
            supported,
            ...fallback && { default: fallback },
          },
        },
      },
    });
    const text = { "Content-Type": "text/plain" };
    const post = async (version: string | undefined, type: Record<string, string>) => {
      const headers = { ...type, ...(version !== undefined && { "X-API-Version": version }) };
      const response = await app.request("/notes", { method: "POST", body: '"x"', headers });
      return response.ok ? (await response.json())[0] : response.status;
    };
    assertEquals(await post("1", text), 415);
    assertEquals(await post("1", JSON_TYPE), "v1");
    assertEquals(await post("2", text), "any");
    assertEquals(await post("2", JSON_TYPE), 415);
    assertEquals(await post(undefined, text), fallback === undefined ? "any" : 415);
    assertEquals(await post(undefined, JSON_TYPE), fallback === undefined ? 415 : "v1");
  }
});

Deno.test("deprecated + is said by refusals of a path where its routes agree", async () => {
  await using app = await bootstrap({
    components: [NoteController],
    config: { server: { "api-version": { header: "X-API-Version", supported: ["1", "2"] } } },
  });
  const of = async (request: string, version?: string, sent: Record<string, string> = {}) => {
    const [method = "", path = ""] = request.split(" ");
    const headers = { ...sent, ...(version !== undefined && { "X-API-Version": version }) };
    const response = await app.request(path, { method, headers });
    await response.body?.cancel();
    return [response.status, response.headers.get("deprecation")];
  };
  assertEquals(await of("GET /notes", "1", { Accept: "image/png" }), [406, DEPRECATED]);
  assertEquals(await of("POST /notes", "1", { "Content-Type": "a/b" }), [415, DEPRECATED]);
  assertEquals(await of("DELETE /notes", "1"), [405, DEPRECATED]);
  assertEquals(await of("OPTIONS /notes", "1"), [204, DEPRECATED]);
  assertEquals(await of("POST /notes", "2", { "Content-Type": "a/b" }), [415, null]);
  assertEquals(await of("DELETE /notes"), [405, null]);
  assertEquals(await of("GET /notes/old", undefined, { Accept: "a/b" }), [406, DEPRECATED]);
  assertEquals(await of("DELETE /notes/old"), [405, DEPRECATED]);
  assertEquals(await of("GET /notes", "9"), [400, DEPRECATED]);
  assertEquals(await of("GET /notes/half", "9"), [400, null]);
  assertEquals(await of("DELETE /notes/half", "1"), [405, DEPRECATED]);
  assertEquals(await of("DELETE /notes/half", "2"), [405, null]);
  assertEquals(await of("GET /notes/none"), [404, null]);
});

Deno.test("deprecated + is not said of a version that the path does not have", async () => {
  await using app = await application({
    path: "/v{version}",
    deprecated: [{ version: "1", since: "2026-01-31" }],
  });
  const of = async (path: string) => {
    const response = await app.request(path);
    await response.body?.cancel();
    return [response.status, response.headers.get("deprecation")];
  };
  assertEquals(await of("/v1/users"), [200, DEPRECATED]);
  assertEquals(await of("/v2/users"), [200, null]);
  assertEquals(await of("/v9/users"), [400, null]);
  assertEquals(await of("/users"), [400, null]);
});

@RestController()
class TwinController {
  @GetMapping({ path: "/a", version: ["1", "2"] })
  one() {}
  @GetMapping({ path: "/a", version: ["2", "3"] })
  two() {}
}

@RestController()
class PlainController {
  @GetMapping("/b")
  plain() {}
  @GetMapping({ path: "/b", version: "1" })
  first() {}
}

Deno.test("version + what cannot work is an error at startup", async () => {
  const header = "X-API-Version";
  const table: [
    settings: unknown,
    type: new (message: string) => Error,
    message: string,
  ][] = [
    [undefined, MappingError, "neither 'server.api-version.header' nor 'server.api-version.path'"],
    [{ header, supported: ["1"] }, MappingError, "'2' is not in 'server.api-version.supported'"],
    [{ header, supported: ["1"] }, MappingError, "Cannot map 'TwinController.one'"],
    [{ header }, MappingError, "'TwinController.one' (GET /a) and 'TwinController.two' (GET /a)"],
    [{ header, default: "4" }, MappingError, "Cannot serve the version '4'"],
    [{}, ConfigError, "expected 'header' or 'path', found neither"],
    [{ header, path: "/v{version}" }, ConfigError, "expected 'header' or 'path', found both"],
    [{ header: "a b" }, ConfigError, "expected the name of a header, found 'a b'"],
    [{ header: "Accept" }, ConfigError, "found 'Accept', which has another meaning"],
    [{ header: "host" }, ConfigError, "expected a custom header"],
    [{ header: "Content-Type" }, ConfigError, "expected a custom header"],
    [
      {
        header,
        deprecated: [{ version: "1", since: "2026-01-01" }, { version: "1", since: "2026-02-01" }],
      },
      ConfigError,
      "expected one entry for a version, found two for '1'",
    ],
    [{ path: "/v" }, ConfigError, "expected a segment such as '/v{version}', found '/v'"],
    [{ path: "/a/{version}" }, ConfigError, "found '/a/{version}'"],
    [{ header, supported: [] }, ConfigError, "expected versions, found none"],
    [{ header, supported: ["a/b"] }, ConfigError, "expected a version such as"],
    [{ header, supported: ["1"], default: "2" }, ConfigError, "expected one of 'supported' (1)"],
    [{ header, suported: ["1"] }, ConfigError, "did you mean 'server.api-version.supported'"],
    [{ header, deprecated: [{ version: "1" }] }, ConfigError, "Expected a value, found none"],
    [{ header, deprecated: [{ version: "1", since: "x" }] }, ConfigError, "expected a date, or a"],
    [{ header, deprecated: [{ version: "1", at: "x" }] }, ConfigError, "Unknown setting"],
    [{ header, deprecated: [{ version: "9", since: "2026-01-01" }] }, MappingError, "'9'"],
    [
      { header, deprecated: [{ version: "1", since: "2026-01-02", sunset: "2026-01-01" }] },
      ConfigError,
      "not before 'since'",
    ],
  ];
  for (const [settings, type, message] of table) {
    const server: ConfigMap = settings === undefined
      ? {}
      : { "api-version": settings as ConfigMap };
    const start = () => bootstrap({ components: [TwinController], config: { server } });
    const error = await assertRejects<Error>(start, type);
    assertStringIncludes(error.message, message);
  }
  await assertRejects(
    () =>
      bootstrap({
        components: [PlainController],
        config: { server: { "api-version": { path: "/v{version}", default: "1" } } },
      }),
    MappingError,
    "Two handlers match the same requests",
  );
});

Deno.test("version + by the path, the place of a version is no place for another route", async () => {
  @RestController()
  class Versioned {
    @GetMapping({ path: "/d", version: "1" })
    first() {
      return "1";
    }
    @GetMapping({ path: "/d", version: "2" })
    second() {
      return "2";
    }
  }
  @RestController()
  class Own {
    @GetMapping("/v1/d")
    own() {
      return "own";
    }
  }
  @RestController()
  class OfDefault {
    @GetMapping({ path: "/v2/d", version: "1" })
    own() {
      return "own";
    }
  }
  const start = (type: typeof Own | typeof OfDefault, apiVersion: Record<string, string>) =>
    bootstrap({
      components: [type, Versioned],
      config: { server: { "api-version": apiVersion } },
    });
  const path = { path: "/v{version}" };
  for (
    const [type, settings, labels] of [
      [Own, path, ["Versioned.first", "Own.own"]],
      [Own, { ...path, default: "2" }, ["Versioned.first", "Own.own"]],
      [OfDefault, { ...path, default: "1" }, ["Versioned.second", "OfDefault.own"]],
    ] as const
  ) {
    const error = await assertRejects(() => start(type, settings), MappingError);
    for (const label of labels) assertStringIncludes(error.message, `'${label}'`);
  }
  await using apart = await start(OfDefault, path);
  assertEquals(await (await apart.request("/v2/d")).text(), "2");
  assertEquals(await (await apart.request("/v1/v2/d")).text(), "own");
  await using byHeader = await start(Own, { header: "X-V" });
  assertEquals(await (await byHeader.request("/v1/d")).text(), "own");
});

Deno.test("version + mappings refuse what is no version and no deprecation", () => {
  const table: [options: object, message: string][] = [
    [{ version: "a b" }, "expected a version such as '2' or '2026-01-31', found 'a b'"],
    [{ version: [] }, "expected a version, found none"],
    [{ version: null }, "found null, which is not a string"],
    [{ version: 2 }, "found 2, which is not a string"],
    [{ deprecated: { since: "soon" } }, "'deprecated.since': expected a date"],
    [
      { deprecated: { since: "2026-01-01", link: "a>b" } },
      "'deprecated.link': expected an encoded URI",
    ],
    [
      { deprecated: { since: "2026-01-02", sunset: "2026-01-01" } },
      "'deprecated.sunset': expected a time that is not before 'since'",
    ],
  ];
  for (const [options, message] of table) {
    const make = () => {
      class Refused {
        @GetMapping({ path: "/", ...options })
        method() {}
      }
      return Refused;
    };
    let found = "";
    try {
      make();
    } catch (error) {
      found = String(error);
    }
    assertStringIncludes(found, message);
  }
});

Deno.test("version + selects among any routes of one path by the rules", async () => {
  const version = fc.constantFrom(undefined, ...ALL);
  const route = fc.record({ method: fc.constantFrom("GET" as const, "POST" as const), version });
  const said = fc.constantFrom(undefined, ...ALL, "9");
  const asked = fc.record({ method: fc.constantFrom("GET", "POST", "PUT"), said });
  const routes = fc.uniqueArray(route, {
    minLength: 1,
    selector: ({ method, version }) => `${method} ${version}`,
  });
  const requests = fc.array(asked, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(routes, version, requests, async (routes, fallback, requests) => {
      class Controller {}
      const metadata = Object.create(null);
      const additions = routes.map(({ method, version }, index) => {
        const name = `m${index}`;
        Object.defineProperty(Controller.prototype, name, { value: () => [name] });
        const decorate = RequestMapping({ path: "/a", method, ...(version && { version }) });
        const context = { kind: "method", name, metadata, static: false, private: false };
        (decorate as (...args: unknown[]) => void)(() => {}, context);
        return { name, method, version };
      });
      Object.defineProperty(Controller, Symbol.metadata, { value: metadata });
      const context = { kind: "class", name: "Controller", metadata };
      (RestController() as (...args: unknown[]) => void)(Controller, context);
      const settings = { header: "X-API-Version", supported: ALL };
      await using app = await bootstrap({
        components: [Controller],
        config: {
          server: { "api-version": fallback ? { ...settings, default: fallback } : settings },
        },
      });
      for (const { method, said } of requests) {
        const isVersioned = routes.some(({ version }) => version !== undefined);
        const meant = said ?? fallback;
        const of = (wanted: string | undefined) =>
          additions.find((one) => one.method === method && one.version === wanted)?.name;
        const isOfMethod = additions.some((one) => one.method === method);
        const expected = !isVersioned
          ? of(undefined) ?? 405
          : said === "9"
          ? of(undefined) && !additions.some((one) => one.method === method && one.version)
            ? of(undefined)
            : 400
          : meant === undefined
          ? of(undefined) ?? (isOfMethod ? 400 : 405)
          : of(meant) ?? of(undefined) ??
            (routes.some(({ version }) => version === meant || version === undefined) ? 405 : 404);
        const headers = said === undefined ? undefined : { "X-API-Version": said };
        const response = await app.request("/a", { method, headers });
        const found = response.ok ? (await response.json())[0] : response.status;
        assertEquals(found, expected, `${method} ${said}`);
      }
    }),
    { numRuns: 60 },
  );
});
