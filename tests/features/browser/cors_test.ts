import { GetMapping, PutMapping, RequestMapping, RestController } from "@irori/irori";
import { assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { corsPolicy } from "../../../src/features/browser/cors.ts";
import type { Asked } from "@irori/irori/browser";
import { logged } from "../../web/helpers.ts";
import { allowed, appWith, corsFields, corsOf, preflight, refusedCors, SHOP } from "./helpers.ts";

@RestController()
@RequestMapping("/orders")
class OrderController {
  @GetMapping()
  all() {
    return [];
  }

  @PutMapping()
  replace() {}
}

const components = [OrderController];
const ADMIN = "https://admin.example";
const ALL_METHODS = "GET,HEAD,PUT,POST,DELETE,PATCH,QUERY";

Deno.test("browser({ cors }) + allows all origins by default, and says so to requests without one", async () => {
  await using app = await appWith({ cors: true }, { components });
  assertEquals(await corsOf(app, "/orders", { Origin: SHOP }), { "allow-origin": "*" });
  assertEquals(await corsOf(app, "/orders"), { "allow-origin": "*" });
});

Deno.test("browser({ cors: { origin } }) + allows one, those of a list, or what a function gives", async () => {
  const byFunction = (origin: string) => origin.endsWith(".example") ? origin : undefined;
  for (const origin of [SHOP, [ADMIN, SHOP], byFunction]) {
    await using app = await appWith({ cors: { origin } }, { components });
    assertEquals(await corsOf(app, "/orders", { Origin: SHOP }), {
      "allow-origin": SHOP,
      vary: "Origin",
    });
    assertEquals(await corsOf(app, "/orders", { Origin: "https://evil.test" }), { vary: "Origin" });
    assertEquals(await corsOf(app, "/orders"), { vary: "Origin" });
  }
});

Deno.test("browser({ cors: { origin: [] } }) + allows none", async () => {
  await using app = await appWith({ cors: { origin: [] } }, { components });
  assertEquals(await corsOf(app, "/orders", { Origin: SHOP }), { vary: "Origin" });
  assertEquals(await corsOf(app, "/orders", { Origin: "" }), { vary: "Origin" });
});

Deno.test("browser({ cors: { origin } }) + a function sees the request", async () => {
  const seen: unknown[] = [];
  await using app = await appWith({
    cors: {
      origin(origin, { method, path, header }) {
        seen.push([origin, method, path, header("x-tenant")]);
        return null;
      },
    },
  }, { components });
  await corsOf(app, "/orders?page=1", { Origin: SHOP, "X-Tenant": "a" });
  await corsOf(app, "/%6Frders");
  assertEquals(seen, [[SHOP, "GET", "/orders", "a"], ["", "GET", "/orders", null]]);
});

Deno.test("browser({ cors: { origin } }) + a function that fails allows nothing", async () => {
  const cases: readonly (() => unknown)[] = [
    () => {
      throw new Error("No database");
    },
    () => Promise.resolve(SHOP),
    () => Promise.reject(new Error("No database")),
    () => "https://a.example\u0001",
    () => "https://a.example, https://b.example",
  ];
  for (const origin of cases) {
    await using app = await appWith({ cors: { origin: origin as () => string } }, { components });
    const lines = await logged(async () => {
      const response = await app.request("/orders", { headers: { Origin: SHOP } });
      assertEquals([response.status, corsFields(response)], [200, { vary: "Origin" }]);
    });
    const isLogged = lines.map(([message]) => String(message)).join();
    if (/throw|Promise/.test(`${origin}`)) {
      assertStringIncludes(isLogged, `Cannot decide about the origin '${SHOP}': `);
    }
  }
});

Deno.test("preflights + have the defaults of Hono, and the fields that they ask for", async () => {
  await using app = await appWith({ cors: { origin: SHOP } }, { components });
  const asked = { "Access-Control-Request-Headers": "content-type, X-Token ,x-a" };
  const response = await preflight(app, "/orders", "PUT", SHOP, asked);
  assertEquals([response.status, await response.text()], [204, ""]);
  assertEquals(corsFields(response), {
    "allow-headers": "content-type,X-Token,x-a",
    "allow-methods": ALL_METHODS,
    "allow-origin": SHOP,
    vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  });
});

Deno.test("preflights + have what all options say", async () => {
  await using app = await appWith({
    cors: {
      origin: [SHOP],
      allowMethods: ["GET", "PUT"],
      allowHeaders: ["X-Token", "Content-Type"],
      maxAge: 600,
      credentials: true,
      exposeHeaders: ["ETag", "Location"],
    },
  }, { components });
  const response = await preflight(app, "/orders", "PUT");
  assertEquals(corsFields(response), {
    "allow-credentials": "true",
    "allow-headers": "X-Token,Content-Type",
    "allow-methods": "GET,PUT",
    "allow-origin": SHOP,
    "expose-headers": "ETag,Location",
    "max-age": "600",
    vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  });
  assertEquals(await corsOf(app, "/orders", { Origin: SHOP }), {
    "allow-credentials": "true",
    "allow-origin": SHOP,
    "expose-headers": "ETag,Location",
    vary: "Origin",
  });
});

Deno.test("preflights + of methods that a function gives", async () => {
  const allowMethods = (origin: string) => origin === SHOP ? ["GET", "B\nAD"] : [];
  await using app = await appWith({ cors: { allowMethods } }, { components });
  const of = async (origin: string) =>
    corsFields(await preflight(app, "/orders", "GET", origin))["allow-methods"];
  assertEquals([await of(SHOP), await of(ADMIN)], ["GET", undefined]);
});

Deno.test("preflights + are answered for unknown paths and methods, others with OPTIONS by the routes", async () => {
  await using app = await appWith({ cors: { origin: SHOP } }, { components });
  for (const [path, method] of [["/nowhere", "GET"], ["/orders", "DELETE"], ["/orders", "ODD"]]) {
    assertEquals((await preflight(app, path!, method!)).status, 204);
  }
  const others: readonly Record<string, string>[] = [
    {},
    { Origin: SHOP },
    { "Access-Control-Request-Method": "PUT" },
  ];
  for (const headers of others) {
    const response = await app.request("/orders", { method: "OPTIONS", headers });
    assertEquals([response.status, response.headers.get("Allow")], [
      204,
      "GET, HEAD, PUT, OPTIONS",
    ]);
  }
  const { status } = await app.request("/nowhere", {
    method: "OPTIONS",
    headers: { Origin: SHOP },
  });
  assertEquals(status, 404);
});

Deno.test("preflights + reflect names of fields alone", async () => {
  await using app = await appWith({ cors: true }, { components });
  const of = async (asked: string) => {
    const headers = { "Access-Control-Request-Headers": asked };
    return corsFields(await preflight(app, "/orders", "GET", SHOP, headers))["allow-headers"];
  };
  assertEquals(await of("x-a,,(x),x b,é,x-c"), "x-a,x-c");
  assertEquals(await of(" , "), undefined);
});

Deno.test("browser({ cors }) + origins that are not the same as text are others", async () => {
  for (
    const origin of [
      [SHOP, "https://shop.example:8443", "null"],
      (one: string) => one === SHOP ? one : "",
    ]
  ) {
    await using app = await appWith({ cors: { origin, credentials: true } }, { components });
    const hostile = [
      "HTTPS://shop.example",
      "https://SHOP.example",
      "https://shop.example/",
      "https://shop.example:443",
      "http://shop.example",
      "https://shop.example.evil.example",
      "https://evil.example/https://shop.example",
      "https://shop.example, https://evil.example",
      "https://shop.example https://evil.example",
      "https://shop.example\u0001",
      "https://shop.example\u00e9",
      "__proto__",
      "constructor",
      "*",
      "",
      `https://${"a".repeat(10_000)}.example`,
    ];
    for (const one of hostile) {
      assertEquals(await allowed(app, "/orders", one), undefined, one.slice(0, 40));
      const response = await preflight(app, "/orders", "PUT", one);
      assertEquals(corsFields(response)["allow-origin"], undefined, one.slice(0, 40));
    }
    assertEquals(await allowed(app, "/orders"), SHOP);
  }
});

Deno.test("browser({ cors }) + several fields 'Origin' are none that is allowed", async () => {
  await using app = await appWith({ cors: { origin: [SHOP] } }, { components });
  const headers = new Headers([["Origin", SHOP], ["Origin", SHOP]]);
  const response = await app.request("/orders", { headers });
  assertEquals(corsFields(response), { vary: "Origin" });
});

Deno.test("browser({ cors }) + a reflected origin is sent only as it can be", async () => {
  const origin = (one: string) => one;
  await using app = await appWith({ cors: { origin, credentials: true } }, { components });
  assertEquals(await allowed(app, "/orders", "null"), "null");
  for (const one of ["https://a.example\u0001", "https://a.example\u00e9", "a b", "a, b"]) {
    assertEquals(await allowed(app, "/orders", one), undefined, one);
  }
});

Deno.test("browser({ cors }) + refuses options that cannot work", async () => {
  const start = "Cannot use browser(): 'cors";
  const cases: readonly (readonly [cors: unknown, message: string])[] = [
    [
      { credentials: true },
      `${start}.credentials': expected the origins by their names beside it, found '*'`,
    ],
    [
      { origin: `${SHOP}/` },
      `${start}.origin': expected an origin such as '${SHOP}', found '${SHOP}/'`,
    ],
    [
      { origin: ["https://Shop.example:443"] },
      `expected an origin such as '${SHOP}', found 'https://Shop.example:443'`,
    ],
    [
      { origin: ["*"] },
      `${start}.origin': expected '*' alone, or a function for a pattern, found '*'`,
    ],
    [
      { origin: [SHOP, "*"] },
      `${start}.origin': expected '*' alone, or a function for a pattern, found '*'`,
    ],
    [
      { origin: "shop.example" },
      "expected an origin such as 'https://a.example', found 'shop.example'",
    ],
    [{ origin: "https://*.example" }, "found 'https://*.example'"],
    [{ origin: "" }, "found ''"],
    [{ origin: 7 }, "found '7'"],
    [{ allowMethods: "GET" }, `${start}.allowMethods': expected a list of names, found 'GET'`],
    [{ allowHeaders: ["a b"] }, `${start}.allowHeaders': expected a list of names, found 'a b'`],
    [{ exposeHeaders: ["a\nb"] }, `${start}.exposeHeaders': expected a list of names`],
    [{ maxAge: 1.5 }, `${start}.maxAge': expected a whole number of seconds, found '1.5'`],
    [{ maxage: 1 }, `${start}': Unknown option 'maxage': did you mean 'maxAge'?`],
    [{ paths: [{ path: "/a/**/b" }] }, `${start}.paths[0].path': Cannot read the path '/a/**/b'`],
    [
      { paths: [{ path: "/a" }, { path: "/a" }] },
      `${start}.paths[1].path': expected it once, found '/a' twice`,
    ],
    [
      { paths: [{ path: "/{a}" }, { path: "/{b}" }] },
      `${start}.paths[1].path': expected it once, found '/{b}' twice`,
    ],
    [[], `${start}': expected true or a map of options, found a list`],
    [{ paths: [{ path: "/a", origins: SHOP }] }, `${start}.paths[0]': Unknown option 'origins'`],
  ];
  for (const [cors, message] of cases) assertStringIncludes(await refusedCors(cors), message);
});

Deno.test("browser({ cors: { origin } }) + takes origins of other schemes", async () => {
  const origin = [
    "capacitor://localhost",
    "chrome-extension://abcdef",
    "http://localhost:5173",
    "null",
  ];
  await using app = await appWith({ cors: { origin } }, { components });
  for (const one of origin) assertEquals(await allowed(app, "/orders", one), one);
});

Deno.test("corsPolicy() + has the same object for the same fields, and none for an origin that a client makes up", () => {
  const asked = (origin: string): Asked => ({
    method: "GET",
    path: "/",
    header: (name) => name === "origin" ? origin : null,
  });
  const list = corsPolicy({ origin: [SHOP, ADMIN] }, {});
  const of = (origin: string) => list.fields(asked(origin));
  assertStrictEquals(of(SHOP), of(SHOP));
  assertStrictEquals(of(ADMIN), of(ADMIN));
  for (let count = 0; count < 1000; count++) {
    assertStrictEquals(of(`https://${count}.example`), of(""));
  }
  const reflecting = corsPolicy({ origin: (origin) => origin }, {});
  assertStrictEquals(reflecting.fields(asked(SHOP)), reflecting.fields(asked(SHOP)));
  assertStrictEquals(reflecting.fields(asked("")), reflecting.fields(asked("a b")));
});
