import { type Application, bootstrap, type BootstrapOptions } from "@irori/irori";
import { browser } from "@irori/irori/browser";
import { bootstrap as bootstrapOnEdge } from "@irori/irori/edge";
import { testApplication } from "@irori/irori/testing";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { allowed, corsFields, corsOf, preflight, refused, SHOP } from "./helpers.ts";

type Values = NonNullable<BootstrapOptions["config"]>;

function configured(server: unknown): { readonly config: Values } {
  return { config: { server } as Values };
}

Deno.test("server.cors + has all options, and needs no extension", async () => {
  const cors = {
    origin: ["https://admin.example", SHOP],
    "allow-methods": ["GET", "PUT"],
    "allow-headers": ["X-Token"],
    "max-age": 600,
    credentials: true,
    "expose-headers": ["ETag", "Location"],
    paths: [{ path: "/public/**", origin: "*" }],
  };
  for (const start of [bootstrap, testApplication]) {
    await using app = await start(configured({ cors })) as Application;
    assertEquals(corsFields(await preflight(app, "/orders", "PUT")), {
      "allow-credentials": "true",
      "allow-headers": "X-Token",
      "allow-methods": "GET,PUT",
      "allow-origin": SHOP,
      "expose-headers": "ETag,Location",
      "max-age": "600",
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    });
    assertEquals(await corsOf(app, "/public/a", { Origin: SHOP }), { "allow-origin": "*" });
  }
});

Deno.test("server.cors + may be a switch, and lists may be one text", async () => {
  const of = async (cors: unknown) => {
    await using app = await bootstrap(configured({ cors }));
    return await corsOf(app, "/", { Origin: SHOP });
  };
  assertEquals(await of(true), { "allow-origin": "*" });
  assertEquals(await of("true"), { "allow-origin": "*" });
  assertEquals(await of({ origin: "*" }), { "allow-origin": "*" });
  assertEquals(await of({ origin: `https://a.example, ${SHOP}` }), {
    "allow-origin": SHOP,
    vary: "Origin",
  });
  assertEquals(await of({ origin: "" }), { vary: "Origin" });
  assertEquals(await of(false), {});
  assertEquals(await of(null), {});
});

Deno.test("server.headers + has all options, and may be a switch", async () => {
  const of = async (headers: unknown) => {
    await using app = await bootstrap(configured({ headers }));
    const response = await app.request("/");
    await response.body?.cancel();
    return response.headers;
  };
  assertEquals((await of(true)).get("X-Frame-Options"), "SAMEORIGIN");
  assertEquals((await of(false)).get("X-Frame-Options"), null);
  const headers = await of({
    "cross-origin-embedder-policy": true,
    "cross-origin-opener-policy": false,
    "x-frame-options": "DENY",
    "x-dns-prefetch-control": "false",
    "content-security-policy": {
      "default-src": ["'self'", "https://cdn.example"],
      "script-src-elem": "'self'",
      "report-to": "main",
      "upgrade-insecure-requests": true,
      sandbox: null,
    },
    "content-security-policy-report-only": { "img-src": "*" },
    "permissions-policy": { camera: [], "display-capture": "self", fullscreen: true, usb: false },
    "remove-powered-by": false,
    "report-to": [{ group: "main", max_age: 60, endpoints: [{ url: "https://a.example/r" }] }],
    "reporting-endpoints": [{ name: "main", url: "https://a.example/r" }],
  });
  const expected = {
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": null,
    "X-Frame-Options": "DENY",
    "X-DNS-Prefetch-Control": null,
    "Content-Security-Policy": "default-src 'self' https://cdn.example; script-src-elem 'self'; " +
      "report-to main; upgrade-insecure-requests; sandbox",
    "Content-Security-Policy-Report-Only": "img-src *",
    "Permissions-Policy": "camera=(), display-capture=(self), fullscreen=*, usb=()",
    "Report-To": '{"group":"main","max_age":60,"endpoints":[{"url":"https://a.example/r"}]}',
    "Reporting-Endpoints": 'main="https://a.example/r"',
  };
  for (const [name, value] of Object.entries(expected)) {
    assertEquals(headers.get(name), value, name);
  }
});

Deno.test("server.cors and server.headers + errors name the key, what is expected and what is found", async () => {
  const cases: readonly (readonly [server: unknown, message: string])[] = [
    [{ cors: "*" }, "'server.cors': Expected true, false or a map of options, found '*'"],
    [{ cors: [] }, "'server.cors': Expected a map, found a list"],
    [{ cors: { orign: SHOP } }, "'server.cors.orign': Unknown setting: did you mean 'origin'?"],
    [{ cors: { origin: { a: 1 } } }, "'server.cors.origin': Expected a string, found a map"],
    [
      { cors: { origin: `${SHOP}/` } },
      `'server.cors.origin': expected an origin such as '${SHOP}'`,
    ],
    [
      { cors: { credentials: true } },
      "'server.cors.credentials': expected the origins by their names beside it, found '*'",
    ],
    [
      { cors: { credentials: "yes" } },
      "'server.cors.credentials': Expected true or false",
    ],
    [{ cors: { "max-age": "1h" } }, "'server.cors.max-age': Expected a number, found '1h'"],
    [
      { cors: { "max-age": 1.5 } },
      "'server.cors.max-age': expected a whole number of seconds, found '1.5'",
    ],
    [
      { cors: { "allow-methods": "GET;PUT" } },
      "'server.cors.allow-methods': expected a list of names",
    ],
    [{ cors: { paths: [{ origin: "*" }] } }, "'server.cors.paths[0].path': Expected a value"],
    [
      { cors: { paths: [{ path: "/a/**/b" }] } },
      "'server.cors.paths[0].path': Cannot read the path",
    ],
    [
      { cors: { paths: [{ path: "/a", credentials: true }] } },
      "'server.cors.paths[0].credentials'",
    ],
    [{ cors: { paths: ["/a"] } }, "'server.cors.paths[0]': Expected a map, found '/a'"],
    [
      { headers: "DENY" },
      "'server.headers': Expected true, false or a map of options, found 'DENY'",
    ],
    [
      { headers: { "x-frame-option": 1 } },
      "'server.headers.x-frame-option': Unknown setting: did you mean 'x-frame-options'?",
    ],
    [
      { headers: { "x-frame-options": [] } },
      "'server.headers.x-frame-options': Expected a string, found a list",
    ],
    [
      { headers: { "content-security-policy": { "defult-src": "x" } } },
      "'server.headers.content-security-policy.defult-src': Unknown setting: did you mean 'default-src'?",
    ],
    [
      { headers: { "content-security-policy": "x" } },
      "'server.headers.content-security-policy': Expected a map, found 'x'",
    ],
    [
      { headers: { "reporting-endpoints": [{ url: "x" }] } },
      "'server.headers.reporting-endpoints[0].name': Expected a value",
    ],
    [{ headers: { "x-frame-options": "a\nb" } }, "'server.headers': "],
  ];
  for (const [server, message] of cases) {
    assertStringIncludes(await refused(configured(server)), message);
  }
});

Deno.test("server.cors + errors name the file, profiles and variables override", async () => {
  const root = await Deno.makeTempDir();
  const write = (name: string, text: string) => Deno.writeTextFile(`${root}/${name}`, text);
  try {
    await write(
      "application.yml",
      "server:\n  cors:\n    origin: ${ORIGINS_OF_PAGES:https://a.example}\n",
    );
    await write("application-dev.yml", `server:\n  cors:\n    origin: "*"\n  headers: true\n`);
    const of = async (profiles: readonly string[] = []) => {
      await using app = await bootstrap({ root, profiles });
      return await allowed(app, "/", SHOP);
    };
    assertEquals([await of(), await of(["dev"])], [undefined, "*"]);
    Deno.env.set("ORIGINS_OF_PAGES", `https://a.example,${SHOP}`);
    assertEquals(await of(), SHOP);
    Deno.env.set("SERVER_CORS_ORIGIN", "https://b.example");
    assertEquals(await of(), undefined);
    await write("application-dev.yml", "server:\n  cors:\n    credentials: maybe\n");
    const message = await refused({ root, profiles: ["dev"] });
    assertStringIncludes(message, "application-dev.yml:3");
    assertStringIncludes(
      message,
      "'server.cors.credentials': Expected true or false",
    );
  } finally {
    Deno.env.delete("ORIGINS_OF_PAGES");
    Deno.env.delete("SERVER_CORS_ORIGIN");
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("server.cors + beside the same part of browser() is refused, beside the other one it counts", async () => {
  const extensions = [browser({ cors: { origin: SHOP } })];
  assertStringIncludes(
    await refused({ ...configured({ cors: true }), extensions }),
    "'server.cors': Expected it here or as 'cors' of browser(), found both: remove one",
  );
  await using app = await bootstrap({ ...configured({ headers: true }), extensions });
  const { headers } = await app.request("/", { headers: { Origin: SHOP } });
  assertEquals(headers.get("Access-Control-Allow-Origin"), SHOP);
  assertEquals(headers.get("X-Frame-Options"), "SAMEORIGIN");
});

Deno.test("server.cors + on an isolate needs browser() among the extensions", async () => {
  for (const key of ["cors", "headers"]) {
    const options = configured({ [key]: true });
    await assertRejects(
      () => bootstrapOnEdge(options),
      Error,
      `'server.${key}': Unknown setting`,
    );
    await using app = await bootstrapOnEdge({ ...options, extensions: [browser()] });
    const { headers } = await app.request("/");
    assertEquals(headers.has("Access-Control-Allow-Origin"), key === "cors");
    assertEquals(headers.has("X-Frame-Options"), key === "headers");
  }
});

Deno.test("server.cors and server.headers + an empty value allows nothing, and a switch is none of the policy", async () => {
  assertStringIncludes(
    await refused(configured({ cors: { origin: null } })),
    "'server.cors.origin': expected '*' or origins, found none",
  );
  await using closed = await bootstrap(configured({ cors: { paths: [] } }));
  assertEquals(await allowed(closed, "/"), undefined);
  const policy = { "default-src": ["'self'"], "upgrade-insecure-requests": false };
  await using app = await bootstrap(configured({ headers: { "content-security-policy": policy } }));
  const { headers } = await app.request("/");
  assertEquals(headers.get("Content-Security-Policy"), "default-src 'self'");
  const list = { "default-src": "'self', https://a.example" };
  assertStringIncludes(
    await refused(configured({ headers: { "content-security-policy": list } })),
    "expected a list of sources",
  );
});
