import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { SignJWT } from "jose";
import {
  apiKey,
  type ApiKeyOptions,
  type AuthenticationScheme,
  AuthenticationUnavailableError,
  BadCredentialsError,
  basic,
  CurrentUser,
  jwt,
  PermitAll,
  type Principal,
  RolesAllowed,
  security,
  type SecurityOptions,
} from "../../../src/features/security/mod.ts";
import {
  type Application,
  Autowired,
  GetMapping,
  type HttpRequest,
  RestController,
  Service,
} from "../../../mod.ts";
import { appOf, Failures, logged } from "../../web/helpers.ts";
import { AUDIENCE, ISSUER } from "./tokens.ts";

const SECRET = "a secret of at least thirty-two bytes";

@Service()
class Sessions {
  readonly users = new Map<string, Principal>([["s1", { name: "ada", roles: ["user"] }]]);
}

class SessionScheme implements AuthenticationScheme {
  static built = 0;
  @Autowired(Sessions)
  private readonly sessions!: Sessions;

  constructor() {
    SessionScheme.built++;
  }

  async authenticate(request: HttpRequest): Promise<Principal | undefined> {
    const id = request.cookie("session");
    if (id === "down") throw new AuthenticationUnavailableError("the sessions are unavailable");
    if (id === "broken") throw new Error("a defect");
    if (id === "wrong") throw new BadCredentialsError("no such session");
    if (id === "strange") return await Promise.resolve({} as Principal);
    request.context.header("X-Session", "seen");
    return id === undefined ? undefined : this.sessions.users.get(id);
  }
}

@RestController()
class Pages {
  @GetMapping("/me", CurrentUser())
  me({ name }: Principal) {
    return name;
  }

  @GetMapping("/user")
  @RolesAllowed("user")
  user() {
    return "user";
  }
}

function applicationOf(
  schemes: SecurityOptions["schemes"],
  failures = new Failures(),
): Promise<Application> {
  return appOf([Pages, Sessions], { extensions: [security({ schemes }), failures.extension] });
}

async function ask(app: Application, path: string, headers: HeadersInit = {}) {
  const response = await app.request(path, { headers });
  return [response.status, await response.text()];
}

Deno.test("security() + builds custom schemes as beans", async () => {
  const failures = new Failures();
  SessionScheme.built = 0;
  await using app = await applicationOf({ session: SessionScheme }, failures);
  assertEquals(SessionScheme.built, 1);
  const found = await app.request("/me", { headers: { Cookie: "session=s1" } });
  assertEquals([await found.text(), found.headers.get("x-session")], ["ada", "seen"]);
  assertEquals((await ask(app, "/user", { Cookie: "session=s1" }))[0], 200);
  const anonymous = await app.request("/me");
  assertEquals([anonymous.status, anonymous.headers.get("www-authenticate")], [
    401,
    'session realm="application"',
  ]);
  const statuses = [];
  for (const id of ["s2", "wrong", "down", "broken", "strange"]) {
    statuses.push((await ask(app, "/me", { Cookie: `session=${id}` }))[0]);
  }
  assertEquals([statuses, failures.errors.length], [[401, 401, 503, 500, 500], 3]);
});

Deno.test("security() + takes options of the configuration, and the same extension for two applications", async () => {
  const extension = security((config) => ({
    schemes: {
      key: apiKey({ keys: [{ key: config.string("key", ""), name: config.string("name", "") }] }),
      session: SessionScheme,
    },
  }));
  const made = ["one", "two"].map((name) =>
    appOf([Pages, Sessions], { config: { key: `of ${name}`, name }, extensions: [extension] })
  );
  // No role is known to the second scheme: nothing is refused.
  const [one, two] = await Promise.all(made);
  await using _one = one!, _two = two!;
  const of = (app: Application | undefined, key: string) => ask(app!, "/me", { "X-API-Key": key });
  assertEquals([await of(one, "of one"), await of(two, "of two"), (await of(one, "of two"))[0]], [
    [200, "one"],
    [200, "two"],
    401,
  ]);
});

Deno.test("security() + tries schemes in order, and names them all", async () => {
  const users = [{ name: "ada", password: "engine", roles: ["user"] }];
  await using app = await applicationOf({
    key: apiKey({ keys: [{ key: "k1", name: "robot" }] }),
    password: basic({ users }),
  });
  const ada = { Authorization: `Basic ${btoa("ada:engine")}` };
  assertEquals(await ask(app, "/me", ada), [200, "ada"]);
  assertEquals(await ask(app, "/me", { "X-API-Key": "k1" }), [200, "robot"]);
  assertEquals(await ask(app, "/me", { ...ada, "X-API-Key": "k1" }), [200, "robot"]);
  assertEquals(await ask(app, "/me", { ...ada, "X-API-Key": "wrong" }), [200, "ada"]);
  const { headers } = await app.request("/me");
  assertEquals(
    headers.get("www-authenticate"),
    'ApiKey realm="application", in="header", name="X-API-Key", Basic realm="application", charset="UTF-8"',
  );
});

Deno.test("apiKey() + is read from a header, the query or a cookie", async () => {
  const table: [ApiKeyOptions, string, HeadersInit, number][] = [
    [{}, "/me", { "x-api-key": "k1" }, 200],
    [{}, "/me", { "X-API-Key": "K1" }, 401],
    [{}, "/me", { "X-API-Key": "k" }, 401],
    [{}, "/me", { "X-API-Key": "" }, 401],
    [{}, "/me", [["X-API-Key", "k1"], ["X-API-Key", "k1"]], 401],
    [{}, "/me?X-API-Key=k1", {}, 401],
    [{ in: "query", name: "key" }, "/me?key=k1", {}, 200],
    [{ in: "query", name: "key" }, "/me?key=%6B1", {}, 200],
    [{ in: "query", name: "key" }, "/me?key=k1&key=k2", {}, 401],
    [{ in: "query", name: "key" }, "/me?key=%", {}, 401],
    [{ in: "query", name: "key" }, "/me?KEY=k1", {}, 401],
    [{ in: "cookie", name: "key" }, "/me", { Cookie: "key=k1" }, 200],
    [{ in: "cookie", name: "key" }, "/me", { Cookie: "other=k1" }, 401],
    [{ in: "cookie", name: "key" }, "/me", { Cookie: "key=k1; key=k2" }, 401],
    [{ in: "cookie", name: "key" }, "/me", { Cookie: "key=k1;a=b ; key =k1" }, 401],
    [{ in: "cookie", name: "key" }, "/me", { Cookie: "my key=k2; key=k1; keys=k2" }, 200],
    [{ in: "cookie", name: "key" }, "/me", [["Cookie", "key=k1"], ["Cookie", "key=k1"]], 401],
  ];
  for (const [options, path, headers, status] of table) {
    await using app = await applicationOf({
      key: apiKey({ keys: [{ key: "k1", name: "robot", roles: ["user"] }], ...options }),
    });
    assertEquals([options, path, headers, (await ask(app, path, headers))[0]], [
      options,
      path,
      headers,
      status,
    ]);
  }
  const verify = (key: string) => key === "own" ? { name: "own" } : undefined;
  await using app = await applicationOf({ key: apiKey({ verify }) });
  assertEquals(await ask(app, "/me", { "X-API-Key": "own" }), [200, "own"]);
});

Deno.test("basic() + takes a name and a password in UTF-8, and nothing malformed", async () => {
  const utf8 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const users = [
    { name: "ada", password: "a:b", roles: ["user"] },
    { name: "björn", password: "pässwörd" },
  ];
  await using app = await applicationOf({ password: basic({ users }) });
  const table: [string, number][] = [
    [`Basic ${utf8("ada:a:b")}`, 200],
    [`basic ${utf8("björn:pässwörd")}`, 200],
    [`Basic ${utf8("ada:a")}`, 401],
    [`Basic ${utf8("ada:a:b ")}`, 401],
    [`Basic ${utf8("ADA:a:b")}`, 401],
    [`Basic ${utf8("ada:")}`, 401],
    [`Basic ${utf8("ada:a:b\0")}`, 401],
    [`Basic ${utf8(":")}`, 401],
    [`Basic ${utf8("ada")}`, 401],
    [`Basic ${btoa("björn:pässwörd")}`, 401],
    ["Basic %%%", 401],
    ["Basic YQ", 401],
    ["Basic", 401],
    [`Basic ${utf8("ada:a:b")}, Basic x`, 401],
    [`Basic ${"A".repeat(40_000)}`, 401],
  ];
  for (const [authorization, status] of table) {
    const [found] = await ask(app, "/me", { Authorization: authorization });
    assertEquals([authorization.slice(0, 60), found], [authorization.slice(0, 60), status]);
  }
});

Deno.test("basic() + does not verify credentials with control characters", async () => {
  const verify = (name: string) => ({ name });
  await using app = await applicationOf({ password: basic({ verify }) });
  const statuses = [];
  for (const text of ["ada:", "ada:\n", "a\0da:x", "ada:\x7f"]) {
    statuses.push((await ask(app, "/me", { Authorization: `Basic ${btoa(text)}` }))[0]);
  }
  assertEquals(statuses, [200, 401, 401, 401]);
});

Deno.test("security() + prints nothing for wrong credentials without a logger", async () => {
  await using app = await appOf([Pages, Sessions], {
    extensions: [security({ schemes: { session: SessionScheme } })],
  });
  const lines = await logged(() => ask(app, "/me", { Cookie: "session=wrong" }));
  assertEquals(lines, []);
});

interface Member extends Principal {
  readonly team: { name: string };
}

@RestController()
class Open {
  @GetMapping("/open", CurrentUser({ required: false }))
  @PermitAll()
  open(user: Principal | undefined) {
    return user?.name ?? "anonymous";
  }

  @GetMapping("/promote", CurrentUser())
  promote(user: Principal) {
    (user.roles as string[]).push("admin");
    return "promoted";
  }

  @GetMapping("/rename", CurrentUser<Member>())
  rename({ team }: Member) {
    team.name = "of others";
    return "renamed";
  }

  @GetMapping("/team", CurrentUser<Member>())
  team({ team }: Member) {
    return team.name;
  }

  @GetMapping("/admin")
  @RolesAllowed("admin")
  admin() {
    return "admin";
  }
}

Deno.test("security() + says why credentials are refused, and what a scheme has to return", async () => {
  let principal: unknown = null;
  const failures = new Failures();
  class Own implements AuthenticationScheme {
    authenticate(request: HttpRequest) {
      return request.header("X-Own") === undefined ? undefined : principal as undefined;
    }
  }
  const schemes = { own: Own, key: apiKey({ verify: () => undefined }) };
  await using app = await appOf([Open], {
    extensions: [security({ schemes }), failures.extension],
  });
  await ask(app, "/open", { "X-Own": "1" });
  await ask(app, "/open", { "X-API-Key": "1" });
  assertEquals(failures.debug, [
    ["Cannot authenticate GET /open by 'own': Unknown credentials"],
    ["Cannot authenticate GET /open by 'key': Unknown API key"],
  ]);
  principal = { user: "ada" };
  await ask(app, "/open", { "X-Own": "1" });
  assertStringIncludes(
    String(failures.errors[0]?.[1]),
    "Scheme 'own' returned an invalid principal: expected { name, roles? }",
  );
});

Deno.test("basic() + apiKey() + name the user whose secret is missing, and what to set", async () => {
  const users = [{ name: "ops", password: undefined as never }];
  const missing = await assertRejects(() => applicationOf({ pw: basic({ users }) }), TypeError);
  const next = "set the environment variable or configuration key that it comes from";
  assertEquals(
    missing.message,
    `Cannot use the scheme 'pw': user 'ops' has no password: ${next}`,
  );
  const keys = [{ name: "ops", key: "" }];
  const empty = await assertRejects(() => applicationOf({ key: apiKey({ keys }) }), TypeError);
  assertEquals(empty.message, `Cannot use the scheme 'key': 'ops' has no key: ${next}`);
});

Deno.test("security() + refuses credentials for which a function finds no user, null included", async () => {
  const found = [];
  for (const missing of [undefined, null] as undefined[]) {
    class Own implements AuthenticationScheme {
      authenticate(request: HttpRequest) {
        if (request.header("X-Own") === undefined) return undefined;
        if (missing === undefined) throw new BadCredentialsError("no user");
        return missing;
      }
    }
    await using app = await appOf([Open], {
      extensions: [security({
        schemes: {
          password: basic({ verify: () => missing }),
          key: apiKey({ verify: () => Promise.resolve(missing) }),
          token: jwt({ issuer: ISSUER, audience: AUDIENCE, secret: SECRET, user: () => missing }),
          own: Own,
        },
      })],
    });
    const signed = await new SignJWT({ sub: "ada" }).setProtectedHeader({ alg: "HS256" })
      .setIssuer(ISSUER).setAudience(AUDIENCE).setExpirationTime("5m")
      .sign(new TextEncoder().encode(SECRET));
    const all: HeadersInit[] = [
      {},
      { Authorization: `Basic ${btoa("ada:wrong")}` },
      { "X-API-Key": "wrong" },
      { Authorization: `Bearer ${signed}` },
      { "X-Own": "wrong" },
    ];
    for (const headers of all) found.push((await ask(app, "/open", headers))[0]);
  }
  const statuses = [200, 401, 401, 401, 401];
  assertEquals(found, [...statuses, ...statuses]);
});

Deno.test("basic() and apiKey() + give handlers what they cannot change for later requests", async () => {
  const team = { name: "of ada" };
  const ada = { name: "ada", roles: ["user"], team };
  const other = { name: "root", roles: ["admin"], team };
  await using app = await appOf([Open], {
    extensions: [
      security({
        schemes: {
          password: basic({
            users: [{ ...ada, password: "engine" }, { ...other, password: "of all" }],
          }),
          key: apiKey({ keys: [{ ...ada, key: "k1" }] }),
        },
      }),
      new Failures().extension,
    ],
  });
  const both: HeadersInit[] = [
    { Authorization: `Basic ${btoa("ada:engine")}` },
    { "X-API-Key": "k1" },
  ];
  for (const headers of both) {
    const statuses = [];
    for (const path of ["/admin", "/promote", "/rename", "/admin"]) {
      statuses.push((await ask(app, path, headers))[0]);
    }
    assertEquals([statuses, await ask(app, "/team", headers)], [[403, 500, 500, 403], [
      200,
      "of ada",
    ]]);
  }
  // The application's own object stays as it was.
  assertEquals(Object.isFrozen(team), false);
});

Deno.test("security() + sends a description that a header can have, whatever a scheme says", async () => {
  const table: [description: string, sent: string | undefined][] = [
    ["The key has expired", "The key has expired"],
    ['the "key" – is \\ wrong', "the 'key'  is  wrong"],
    ["a\r\nX-Other: 1\0\x7f", "aX-Other: 1"],
    ["ü", undefined],
  ];
  for (const [description, sent] of table) {
    class Own implements AuthenticationScheme {
      readonly challenge = "Bearer";
      authenticate(): undefined {
        throw new BadCredentialsError("wrong", description);
      }
    }
    await using app = await applicationOf({ own: Own });
    const { status, headers } = await app.request("/me");
    const said = sent === undefined ? "" : `, error_description="${sent}"`;
    assertEquals([status, headers.get("www-authenticate")], [
      401,
      `Bearer realm="application", error="invalid_token"${said}`,
    ]);
  }
});

Deno.test("security() + knows the errors of another copy of the library", async () => {
  const other = await import("../../../src/features/security/errors.ts?copy");
  class Copied implements AuthenticationScheme {
    authenticate(request: HttpRequest): undefined {
      const wanted = request.header("X-Wanted");
      if (wanted === "wrong") throw new other.BadCredentialsError("no such session");
      if (wanted === "gone") throw new other.AuthenticationUnavailableError("gone", 7);
    }
  }
  await using app = await applicationOf({ copied: Copied, key: apiKey({ verify: () => null! }) });
  const [bad, gone] = await Promise.all(["wrong", "gone"].map(async (wanted) => {
    const response = await app.request("/me", { headers: { "X-Wanted": wanted } });
    await response.body?.cancel();
    return [response.status, response.headers.get("Retry-After")];
  }));
  assertEquals([bad, gone], [[401, null], [503, "7"]]);
  assertEquals(new other.BadCredentialsError("") instanceof BadCredentialsError, true);
});
