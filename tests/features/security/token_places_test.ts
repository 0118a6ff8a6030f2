import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { SignJWT } from "jose";
import { z } from "zod";
import { openApiDocument } from "../../../src/features/contract/mod.ts";
import {
  type AuthenticationScheme,
  CurrentUser,
  issueToken,
  jwt,
  type JwtOptions,
  PermitAll,
  type Principal,
  requireSameOrigin,
  RolesAllowed,
  security,
} from "../../../src/features/security/mod.ts";
import {
  type Application,
  DeleteMapping,
  GetMapping,
  type HttpRequest,
  PostMapping,
  RequestBody,
  RestController,
} from "../../../mod.ts";
import { appOf, Failures } from "../../web/helpers.ts";
import { ALLOWED, HOST, ORIGIN_CASES } from "./origin_cases.ts";

@RestController()
class Tracks {
  @GetMapping("/me", CurrentUser())
  me({ name }: Principal) {
    return { name };
  }

  @PostMapping("/me", CurrentUser(), RequestBody(z.object({}), { required: false }))
  change({ name }: Principal) {
    return { name };
  }

  @DeleteMapping("/me", CurrentUser())
  remove({ name }: Principal) {
    return { name };
  }

  @PostMapping("/open")
  @PermitAll()
  open() {
    return "open";
  }

  @PostMapping("/maybe", CurrentUser({ required: false }))
  @PermitAll()
  maybe(user?: Principal) {
    return { name: user?.name ?? "" };
  }

  @GetMapping("/admin")
  @RolesAllowed("admin")
  admin() {}
}

const SETTINGS: JwtOptions = {
  issuer: "https://id.example",
  audience: "tracks",
  secret: "a secret of at least thirty-two bytes",
};
const token = await issueToken(SETTINGS, { sub: "ada" }, { expiresIn: 600 });

function applicationOf(
  options: Partial<JwtOptions>,
  failures = new Failures(),
): Promise<Application> {
  const scheme = jwt({ ...SETTINGS, ...options });
  return appOf([Tracks], {
    extensions: [security({ schemes: { token: scheme } }), failures.extension],
  });
}

async function statusOf(app: Application, path: string, init: RequestInit = {}): Promise<number> {
  const response = await app.request(path, init);
  await response.body?.cancel();
  return response.status;
}

Deno.test("jwt() + takes tokens only from the places that it names, the first one that has one", async () => {
  await using header = await applicationOf({});
  await using cookie = await applicationOf({ from: "cookie" });
  await using query = await applicationOf({ from: "query" });
  await using both = await applicationOf({ from: ["header", "cookie"], cookie: { name: "t" } });
  const bearer = { headers: { Authorization: `Bearer ${token}` } };
  const inCookie = (name: string, value = token) => ({ headers: { Cookie: `${name}=${value}` } });
  const found: Record<string, number> = {};
  for (const [name, app] of Object.entries({ header, cookie, query, both })) {
    found[`${name}: header`] = await statusOf(app, "/me", bearer);
    found[`${name}: cookie`] = await statusOf(app, "/me", inCookie("__Host-token"));
    found[`${name}: cookie of a name`] = await statusOf(app, "/me", inCookie("t"));
    found[`${name}: query`] = await statusOf(app, `/me?access_token=${token}`);
  }
  assertEquals(Object.entries(found).filter(([, status]) => status === 200).map(([name]) => name), [
    "header: header",
    "cookie: cookie",
    "query: query",
    "both: header",
    "both: cookie of a name",
  ]);
  const refused = { headers: { Authorization: "Bearer wrong", Cookie: `t=${token}` } };
  assertEquals(await statusOf(both, "/me", refused), 401);
  assertEquals(await statusOf(both, "/me", inCookie("t", "")), 401);
});

Deno.test("jwt() + takes no token that was sent several times, or is no token", async () => {
  const failures = new Failures();
  await using app = await applicationOf({ from: ["cookie", "query"] }, failures);
  const cookies = [
    `__Host-token=${token}; __Host-token=${token}`,
    `__Host-token=x; __Host-token=${token}`,
    `__Host-token=${token} x`,
    `__Host-token="${token}x"`,
    `__Host-token=${token}%20`,
    `__Host-token=${"a".repeat(20_000)}`,
  ];
  for (const Cookie of cookies) {
    assertEquals([Cookie, await statusOf(app, "/me", { headers: { Cookie } })], [Cookie, 401]);
  }
  const queries = [
    `access_token=${token}&access_token=${token}`,
    `access_token=${token}%00`,
    `access_token=Bearer%20${token}`,
    `access_token=`,
    `access_token`,
    `Access_Token=${token}`,
  ];
  for (const query of queries) {
    assertEquals([query, await statusOf(app, `/me?${query}`)], [query, 401]);
  }
  assertEquals(failures.errors, []);
  assertEquals(failures.debug.filter(([line]) => String(line).includes(token)), []);
});

Deno.test("jwt() + takes a cookie of the own origin or a listed one", async () => {
  await using app = await applicationOf({ from: "cookie", cookie: { origins: [ALLOWED] } });
  const wrong: unknown[] = [];
  for (const one of ORIGIN_CASES) {
    const { method, origin, site, status } = one;
    const headers = new Headers({ Host: HOST, Cookie: `__Host-token=${token}` });
    if (origin !== undefined) headers.set("Origin", origin);
    if (site !== undefined) headers.set("Sec-Fetch-Site", site);
    const found = await statusOf(app, "/me", { method, headers });
    if (found !== status) wrong.push([one, found]);
  }
  assertEquals(wrong, []);
});

Deno.test("jwt() + answers 403 for a cookie of another origin, and logs the reason without the token", async () => {
  const failures = new Failures();
  await using app = await applicationOf({ from: "cookie" }, failures);
  const headers = { Cookie: `__Host-token=${token}`, Origin: "https://evil.example\x9b" };
  const response = await app.request("/me", { method: "POST", headers });
  assertEquals(await response.json(), {
    type: "about:blank",
    title: "Forbidden",
    status: 403,
    detail: "The origin of the request is not allowed",
    instance: "/me",
  });
  assertEquals(response.headers.get("Cache-Control"), "no-store");
  assertEquals(response.headers.get("WWW-Authenticate"), null);
  assertEquals(failures.debug, [[
    "Cannot authenticate POST /me by 'token': expected the application's own origin or an " +
    "allowed one, found Origin 'https://evil.example\\u009b'",
  ]]);
  const none = { Cookie: `__Host-token=${token}` };
  assertEquals(await statusOf(app, "/me", { method: "POST", headers: none }), 403);
  assertStringIncludes(String(failures.debug[1]), "found neither Origin nor Sec-Fetch-Site");
  // A route that asks for no user ignores the cookie; one that may have a user does not.
  assertEquals(await statusOf(app, "/open", { method: "POST", headers }), 200);
  assertEquals(await statusOf(app, "/maybe", { method: "POST", headers }), 403);
  assertEquals(await statusOf(app, "/maybe", { method: "POST" }), 200);
  assertEquals(await statusOf(app, "/me", { headers }), 200);
});

Deno.test("jwt() + lets another scheme authenticate a request whose cookie does not count", async () => {
  const cookie = jwt({ ...SETTINGS, from: "cookie" });
  const bearer = jwt(SETTINGS);
  await using app = await appOf([Tracks], {
    extensions: [security({ schemes: { cookie, bearer } }), new Failures().extension],
  });
  const headers = { Cookie: `__Host-token=${token}`, Origin: "https://evil.example" };
  const both = { ...headers, Authorization: `Bearer ${token}` };
  assertEquals(await statusOf(app, "/me", { method: "POST", headers: both }), 200);
  assertEquals(await statusOf(app, "/me", { method: "POST", headers }), 403);
});

Deno.test("requireSameOrigin() + protects custom schemes and handlers alike", async () => {
  class Session implements AuthenticationScheme {
    authenticate(request: HttpRequest): Principal | undefined {
      if (request.cookie("session") !== "s1") return undefined;
      requireSameOrigin(request, [ALLOWED]);
      return { name: "ada" };
    }
  }
  @RestController()
  class Logins {
    @PostMapping("/login")
    @PermitAll()
    login(request: HttpRequest) {
      requireSameOrigin(request, [ALLOWED]);
    }
  }
  const failures = new Failures();
  await using app = await appOf([Tracks, Logins], {
    extensions: [security({ schemes: { session: Session } }), failures.extension],
  });
  const wrong: unknown[] = [];
  for (const one of ORIGIN_CASES) {
    const { method, origin, site, status } = one;
    const headers = new Headers({ Host: HOST, Cookie: "session=s1" });
    if (origin !== undefined) headers.set("Origin", origin);
    if (site !== undefined) headers.set("Sec-Fetch-Site", site);
    const found = [await statusOf(app, "/me", { method, headers })];
    if (method === "POST") found.push(await statusOf(app, "/login", { method, headers }));
    if (found.some((one) => (one === 204 ? 200 : one) !== status)) wrong.push([one, found]);
  }
  assertEquals(wrong, []);
  assertEquals(failures.errors, []);
});

Deno.test("jwt() + sends no address with a token in its query on, and lets no cache keep the response", async () => {
  await using app = await applicationOf({ from: ["header", "query"], query: { name: "ticket" } });
  const headersOf = async (path: string, init?: RequestInit) => {
    const { status, headers } = await app.request(path, init);
    return [status, headers.get("Referrer-Policy"), headers.get("Cache-Control")];
  };
  assertEquals(await headersOf(`/me?ticket=${token}`), [200, "no-referrer", "no-store"]);
  assertEquals(await headersOf(`/admin?ticket=${token}`), [403, "no-referrer", "no-store"]);
  assertEquals(await headersOf("/me?ticket=wrong"), [401, "no-referrer", "no-store"]);
  const bearer = { headers: { Authorization: `Bearer ${token}` } };
  assertEquals(await headersOf("/me", bearer), [200, null, "no-store"]);
});

Deno.test("jwt() + accepts no token whose time has not come since the clock was set back", async () => {
  await using app = await applicationOf({});
  const key = new TextEncoder().encode(String(SETTINGS.secret));
  const seconds = Math.floor(Date.now() / 1000);
  const early = await new SignJWT({ sub: "ada", nbf: seconds - 10 })
    .setProtectedHeader({ alg: "HS256" }).setIssuer("https://id.example").setAudience("tracks")
    .setExpirationTime(seconds + 600).sign(key);
  const bearer = { headers: { Authorization: `Bearer ${early}` } };
  const { now } = Date;
  const statusAt = async (offset: number) => {
    Date.now = () => now() + offset * 1000;
    const { Date: original } = globalThis;
    // `jose` reads the time by `new Date()`.
    globalThis.Date = class extends original {
      constructor(...given: []) {
        super(...given.length > 0 ? given : [now() + offset * 1000] as never);
      }
    } as DateConstructor;
    try {
      return await statusOf(app, "/me", bearer);
    } finally {
      globalThis.Date = original;
      Date.now = now;
    }
  };
  assertEquals(await statusAt(0), 200);
  assertEquals(await statusAt(-3600), 401);
  assertEquals(await statusAt(0), 200);
  assertEquals(await statusAt(600 + 61), 401);
});

Deno.test("jwt() + is described by the first of its places", async () => {
  const places: Record<string, unknown> = {};
  for (const from of ["header", "cookie", "query", "subprotocol"] as const) {
    await using app = await applicationOf({ from: [from, "header"] });
    const { components } = openApiDocument(app.routeTable, { title: "t", version: "1" });
    places[from] = components.securitySchemes?.token;
  }
  assertEquals(places, {
    header: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    cookie: { type: "apiKey", in: "cookie", name: "__Host-token" },
    query: { type: "apiKey", in: "query", name: "access_token" },
    subprotocol: { type: "apiKey", in: "header", name: "Sec-WebSocket-Protocol" },
  });
});

Deno.test("jwt() + refuses places at startup that could not be meant", async () => {
  const refusal = async (options: unknown) => {
    const { message } = await assertRejects(
      () => applicationOf(options as Partial<JwtOptions>),
      TypeError,
    );
    return message.replace("Cannot use the scheme 'token': ", "");
  };
  const places = "expected 'from' to be of header, cookie, query, subprotocol";
  assertEquals(await refusal({ from: "body" }), places);
  assertEquals(await refusal({ from: [] }), places);
  assertEquals(await refusal({ from: ["header", "toString"] }), places);
  assertEquals(await refusal({ cookie: { name: "t" } }), "'cookie' needs from: \"cookie\"");
  assertEquals(await refusal({ from: "cookie", query: {} }), "'query' needs from: \"query\"");
  assertEquals(
    await refusal({ from: "cookie", cookie: { orgins: [] } }),
    "Unknown option 'orgins': did you mean 'origins'?",
  );
  const origin = (found: string) =>
    `expected 'cookie.origins' such as 'https://app.example', found '${found}'`;
  for (const found of ["*", "app.example", "https://app.example/", "https://App.example", "null"]) {
    assertEquals(
      await refusal({ from: "cookie", cookie: { origins: [found] } }),
      origin(found),
    );
  }
  const phone = { from: "cookie", cookie: { origins: ["capacitor://localhost"] } } as const;
  await using app = await applicationOf(phone);
  const headers = { Cookie: `__Host-token=${token}`, Origin: "capacitor://localhost" };
  assertEquals(await statusOf(app, "/me", { method: "POST", headers }), 200);
});
