import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  type JWK,
  SignJWT,
} from "jose";
import { client } from "../../../src/features/client/mod.ts";
import { openApi } from "../../../src/features/contract/mod.ts";
import {
  CurrentUser,
  issueToken,
  jwt,
  type JwtOptions,
  type JwtPrincipal,
  RolesAllowed,
  security,
} from "../../../src/features/security/mod.ts";
import { asUser } from "../../../src/features/testing/mod.ts";
import { type Application, GetMapping, RestController } from "../../../mod.ts";
import { appOf, Failures } from "../../web/helpers.ts";
import { AUDIENCE, base64url, claims, ISSUER, Issuer, now, sign, signingKey } from "./tokens.ts";

@RestController()
class Tracks {
  @GetMapping("/me", CurrentUser<JwtPrincipal>())
  me({ name, roles, claims }: JwtPrincipal) {
    return { name, roles, email: claims.email };
  }

  @GetMapping("/admin")
  @RolesAllowed("admin")
  admin() {
    return "admin";
  }
}

const SECRET = "a secret of at least thirty-two bytes";

function applicationOf(
  options: Partial<JwtOptions>,
  failures = new Failures(),
): Promise<Application> {
  const token = jwt({ issuer: ISSUER, audience: AUDIENCE, ...options });
  return appOf([Tracks], { extensions: [security({ schemes: { token } }), failures.extension] });
}

function ask(app: Application, authorization: string, path = "/me"): Promise<Response> {
  return app.request(path, { headers: { Authorization: authorization } });
}

async function hmac(
  header: unknown,
  payload: unknown,
  secret: string | Uint8Array,
): Promise<string> {
  const input = `${base64url(header)}.${base64url(payload)}`;
  const bytes = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new Uint8Array(bytes), algorithm, false, [
    "sign",
  ]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(input));
  return `${input}.${base64url(String.fromCharCode(...new Uint8Array(signature)))}`;
}

Deno.test("jwt() + takes nothing but a token of its issuer, for its audience, in its time, with its key", async () => {
  await using issuer = new Issuer();
  const key = await signingKey("one");
  const other = await signingKey("one");
  const elliptic = await signingKey("two", "ES256");
  issuer.keys = [key.publicJwk, elliptic.publicJwk];
  const failures = new Failures();
  await using app = await applicationOf({ jwksUri: issuer.uri }, failures);
  const { publicKey } = {
    publicKey: await crypto.subtle.importKey(
      "jwk",
      key.publicJwk as JsonWebKey,
      { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
      true,
      ["verify"],
    ),
  };
  const pem = await exportSPKI(publicKey);
  const good = await sign(key);
  const [head = "", payload = "", signature = ""] = good.split(".");
  const none = (alg: string) => `${base64url({ alg, kid: "one" })}.${payload}.`;
  const taken: Record<string, string> = {
    "the token": good,
    "an elliptic key": await sign(elliptic),
    "expired within the tolerance": await sign(key, claims({ exp: now() - 30 })),
    "several audiences": await sign(key, claims({ aud: ["other", AUDIENCE] })),
  };
  for (const [name, token] of Object.entries(taken)) {
    assertEquals([name, (await ask(app, `Bearer ${token}`)).status], [name, 200]);
  }
  const refused: Record<string, string> = {
    "alg none": none("none"),
    "alg None": none("None"),
    "alg none, signed": `${base64url({ alg: "none", kid: "one" })}.${payload}.${signature}`,
    "no alg": `${base64url({ kid: "one" })}.${payload}.${signature}`,
    "another key of the same kid": await sign(other),
    "expired": await sign(key, claims({ exp: now() - 120 })),
    "no expiry": await sign(key, claims({ exp: undefined })),
    "expiry as text": await sign(key, claims({ exp: String(now() + 600) })),
    "not yet": await sign(key, claims({ nbf: now() + 120 })),
    "another issuer": await sign(key, claims({ iss: "https://evil.example" })),
    "issuer with a slash": await sign(key, claims({ iss: `${ISSUER}/` })),
    "issuers": await sign(key, claims({ iss: [ISSUER] })),
    "no issuer": await sign(key, claims({ iss: undefined })),
    "another audience": await sign(key, claims({ aud: "other" })),
    "no audience": await sign(key, claims({ aud: undefined })),
    "no subject": await sign(key, claims({ sub: undefined })),
    "a list as subject": await sign(key, claims({ sub: ["ada"] })),
    "a line in the subject": await sign(key, claims({ sub: "ada\nroot" })),
    "NUL in the subject": await sign(key, claims({ sub: "ada\0" })),
    "control characters of C1 in the subject": await sign(key, claims({ sub: "\x85ada" })),
    "an endless time": await sign(
      key,
      JSON.stringify(claims({ exp: 7 })).replace(":7,", ":1e999,"),
    ),
    "subject that is no text": await sign(key, claims({ sub: { name: "ada" } })),
    "HS256 with the public key in PEM": await hmac({ alg: "HS256", kid: "one" }, claims(), pem),
    "HS256 with the public key in PEM, trimmed": await hmac(
      { alg: "HS256", kid: "one" },
      claims(),
      pem.trim(),
    ),
    "HS256 with the modulus": await hmac({ alg: "HS256", kid: "one" }, claims(), key.publicJwk.n!),
    "HS256 with nothing": await hmac({ alg: "HS256", kid: "one" }, claims(), "\0"),
    "a kid that is a path": await sign(other, claims(), { kid: "../../../../dev/null" }),
    "a kid that is an address": await sign(other, claims(), { kid: "http://127.0.0.1:1/" }),
    "a kid of SQL": await sign(other, claims(), { kid: "' UNION SELECT 'x'--" }),
    "a kid that is __proto__": await sign(other, claims(), { kid: "__proto__" }),
    "a key in the header": await sign(other, claims(), { jwk: other.publicJwk }),
    "an address of keys in the header": await sign(other, claims(), { jku: issuer.uri, kid: "x" }),
    "unknown critical header": await sign(key, claims(), { crit: ["exp"], exp: 1 }).catch(() =>
      `${base64url({ alg: "RS256", kid: "one", crit: ["x"], x: 1 })}.${payload}.${signature}`
    ),
    "another algorithm of the same key": `${
      base64url({ alg: "PS256", kid: "one" })
    }.${payload}.${signature}`,
    "RS256 of an elliptic key": `${
      base64url({ alg: "RS256", kid: "two" })
    }.${payload}.${signature}`,
    "changed payload": `${head}.${base64url(claims({ roles: ["admin"] }))}.${signature}`,
    "changed signature": `${head}.${payload}.${signature.slice(0, -8)}AAAAAAAA`,
    "no signature": `${head}.${payload}.`,
    "two parts": `${head}.${payload}`,
    "four parts": `${good}.x`,
    "five parts": `${head}.x.x.x.x`,
    "no parts": "abc",
    "dots": "..",
    "header that is no JSON": `${base64url("{")}.${payload}.${signature}`,
    "header that is a list": `${base64url([])}.${payload}.${signature}`,
    "payload that is a list": await sign(key, [] as never),
    "padding": `${head}=.${payload}.${signature}`,
    "huge": `${head}.${"A".repeat(20_000)}.${signature}`,
  };
  for (const [name, token] of Object.entries(refused)) {
    const response = await ask(app, `Bearer ${token}`);
    const body = await response.text();
    assertEquals([name, response.status], [name, 401]);
    assertStringIncludes(
      response.headers.get("www-authenticate") ?? "",
      'error="invalid_token"',
      name,
    );
    assert(!body.includes(token.slice(0, 12)) && !/JW[TSK]|at file/.test(body), body);
  }
  assertEquals(failures.errors, []);
  assertEquals(failures.debug.length, Object.keys(refused).length);
  for (const [line] of failures.debug) {
    assert(!/eyJ|A{20}|\n/.test(String(line)), String(line));
  }
  assertEquals(issuer.fetched, 1);
});

Deno.test("jwt() + answers by RFC 6750 what is wrong", async () => {
  const key = await signingKey("one");
  await using app = await applicationOf({ publicKey: key.publicJwk });
  const challenge = 'Bearer realm="application"';
  const of = async (authorization: string | undefined, path = "/me") => {
    const response = authorization === undefined
      ? await app.request(path)
      : await ask(app, authorization, path);
    await response.body?.cancel();
    return [response.status, response.headers.get("www-authenticate")];
  };
  const invalid = `${challenge}, error="invalid_token", error_description=`;
  assertEquals(await of(undefined), [401, challenge]);
  assertEquals(await of("Basic YWRhOng="), [401, challenge]);
  assertEquals(await of("Bearer x"), [401, `${invalid}"The token is not valid"`]);
  const expired = await sign(key, claims({ exp: 1 }));
  assertEquals(await of(`Bearer ${expired}`), [401, `${invalid}"The token has expired"`]);
  const token = await sign(key);
  assertEquals(await of(`Bearer ${token}`, "/admin"), [
    403,
    `${challenge}, error="insufficient_scope"`,
  ]);
});

Deno.test("jwt() + reads Authorization as the grammar has it", async () => {
  const key = await signingKey("one");
  await using app = await applicationOf({ publicKey: key.publicJwk });
  const token = await sign(key);
  const table: [string, number][] = [
    [`Bearer ${token}`, 200],
    [`bearer ${token}`, 200],
    [`BEARER ${token}`, 200],
    [`Bearer   ${token}`, 200],
    [`Bearer ${token} `, 200],
    [`Bearer\t${token}`, 401],
    [`Bearer${token}`, 401],
    [`Bearer: ${token}`, 401],
    [`Bearer "${token}"`, 401],
    [`Bearer ${token},`, 401],
    [`Bearer ${token}, Bearer ${token}`, 401],
    [`Bearer ${token} ${token}`, 401],
    [`Basic x, Bearer ${token}`, 401],
    [`Bearer x, Bearer ${token}`, 401],
    [token, 401],
    ["Bearer", 401],
    ["Bearer ", 401],
    [",", 401],
    ["=", 401],
  ];
  for (const [authorization, status] of table) {
    const response = await ask(app, authorization);
    await response.body?.cancel();
    assertEquals([authorization.replace(token, "…"), response.status], [
      authorization.replace(token, "…"),
      status,
    ]);
  }
  const twice = new Headers([["Authorization", `Bearer ${token}`], [
    "Authorization",
    `Bearer ${token}`,
  ]]);
  assertEquals((await app.request("/me", { headers: twice })).status, 401);
  assertEquals((await app.request(`/me?access_token=${token}`)).status, 401);
});

Deno.test("jwt() + takes a secret for HMAC alone", async () => {
  await using app = await applicationOf({ secret: SECRET });
  const status = async (token: string) => {
    const response = await ask(app, `Bearer ${token}`);
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await status(await hmac({ alg: "HS256" }, claims(), SECRET)), 200);
  assertEquals(await status(await hmac({ alg: "HS256" }, claims(), `${SECRET}!`)), 401);
  assertEquals(await status(await hmac({ alg: "HS512" }, claims(), SECRET)), 401);
  assertEquals(await status(await sign(await signingKey("one"))), 401);
});

Deno.test("jwt() + verifies a token again once it expires, and gives each request its own claims", async () => {
  let calls = 0;
  const user = (claims: Record<string, unknown>) => {
    calls++;
    const before = claims.email;
    claims.email = "changed";
    return { name: `${before}`, claims, roles: [] };
  };
  await using app = await applicationOf({ secret: SECRET, clockTolerance: 0, user });
  const token = await hmac({ alg: "HS256" }, { ...claims(), email: "a", exp: now() + 2 }, SECRET);
  const [input = "", signature = ""] = token.split(/\.(?=[^.]*$)/);
  for (let count = 1; count <= 3; count++) {
    const response = await ask(app, `Bearer ${token}`);
    assertEquals([response.status, (await response.json()).name, calls], [200, "a", count]);
    const forged = `${input}.${signature.split("").toReversed().join("")}`;
    assertEquals((await ask(app, `Bearer ${forged}`)).status, 401);
  }
  await new Promise((resolve) => setTimeout(resolve, 2100));
  assertEquals((await ask(app, `Bearer ${token}`)).status, 401);
});

Deno.test("jwt() + takes a public key in PEM, of each kind", async () => {
  for (const alg of ["RS256", "ES256", "ES384", "EdDSA"]) {
    const { generateKeyPair } = await import("jose");
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    await using app = await applicationOf({ publicKey: await exportSPKI(publicKey) });
    const token = await sign({ kid: "x", alg, privateKey, publicJwk: {} as JWK });
    const response = await ask(app, `Bearer ${token}`);
    assertEquals([alg, response.status], [alg, 200]);
    assertEquals((await response.json()).name, "ada");
    assertEquals((await ask(app, `Bearer ${await sign(await signingKey("x", alg))}`)).status, 401);
  }
});

Deno.test("jwt() + finds roles by a claim, a path or a function, and gives custom users", async () => {
  const key = await signingKey("one");
  const table: [Partial<JwtOptions>, Record<string, unknown>, unknown][] = [
    [{}, { roles: ["a", 1, null, ""] }, ["a"]],
    [{}, { roles: "project manager" }, ["project manager"]],
    [{}, { roles: "" }, []],
    [{ roles: "scp" }, { scp: "read write" }, ["read", "write"]],
    [{ roles: "scp" }, { scp: ["read write"] }, ["read write"]],
    [{ roles: "a.scope" }, { a: { scope: "read  write" } }, ["read", "write"]],
    [{ roles: "scope.of" }, { scope: { of: "a b" } }, ["a b"]],
    [{ roles: "microscope" }, { microscope: "a b" }, ["a b"]],
    [{}, { roles: { 0: "admin", length: 1 } }, []],
    [{}, { roles: undefined }, []],
    [{ roles: "scope" }, { scope: "read write" }, ["read", "write"]],
    [{ roles: "realm_access.roles" }, { realm_access: { roles: ["admin"] } }, ["admin"]],
    [{ roles: "realm_access.roles" }, { realm_access: null }, []],
    [{ roles: "https://x.example/roles" }, { "https://x.example/roles": ["admin"] }, ["admin"]],
    [{ roles: "constructor.name" }, {}, []],
    [{ roles: "__proto__" }, {}, []],
    [{ roles: ({ level }) => level === 9 ? ["admin"] : [] }, { level: 9 }, ["admin"]],
    [{ user: ({ sub }) => ({ name: `${sub}!`, roles: ["own"], claims: {} }) as never }, {}, [
      "own",
    ]],
  ];
  for (const [options, changed, roles] of table) {
    await using app = await applicationOf({ publicKey: key.publicJwk, ...options });
    const response = await ask(app, `Bearer ${await sign(key, claims(changed))}`);
    assertEquals((await response.json()).roles, roles);
  }
  await using app = await applicationOf({ publicKey: key.publicJwk, user: () => undefined });
  assertEquals((await ask(app, `Bearer ${await sign(key)}`)).status, 401);
});

Deno.test("jwt() + refuses at startup what cannot be safe", async () => {
  const { publicJwk } = await signingKey("one");
  const { publicKey } = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      hash: "SHA-256",
      modulusLength: 1024,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    true,
    ["sign", "verify"],
  );
  const weak = await exportSPKI(publicKey);
  const weakJwk = await exportJWK(publicKey);
  const table: [Partial<JwtOptions>, string][] = [
    [{}, "expected one of 'jwksUri', 'secret' and 'publicKey'"],
    [{ secret: SECRET, publicKey: publicJwk }, "expected one of"],
    [{ secret: "short" }, "expected a secret of at least 32 bytes, found 5"],
    [{ secret: SECRET, algorithms: ["HS512"] }, "expected a secret of at least 64 bytes"],
    [{ secret: SECRET, algorithms: ["RS256"] }, "found 'RS256'"],
    [{ secret: SECRET, algorithms: ["none"] }, "found 'none'"],
    [{ publicKey: publicJwk, algorithms: ["HS256"] }, "found 'HS256'"],
    [{ publicKey: publicJwk, algorithms: ["none"] }, "found 'none'"],
    [{ publicKey: publicJwk, algorithms: [] }, "found none"],
    [{ publicKey: "no key" }, "expected 'publicKey' to be a public key"],
    [{ publicKey: { kty: "oct", k: "AAAA" } }, "expected 'publicKey' to be a public key"],
    [{ publicKey: publicJwk, issuer: "" }, "expected 'issuer'"],
    [{ publicKey: publicJwk, audience: [] }, "expected 'audience'"],
    [{ publicKey: publicJwk, audience: undefined }, "expected 'audience'"],
    [{ jwksUri: "file:///etc/passwd" }, "expected 'jwksUri' to be an address"],
    [{ jwksUri: "id.example/keys" }, "expected 'jwksUri' to be an address"],
    [{ publicKey: weak }, "expected 'publicKey' of 2048 bits or more, found 1024"],
    [{ publicKey: { ...weakJwk } }, "expected 'publicKey' of 2048 bits or more, found 1024"],
    ...[NaN, -1, 601, Infinity, "5", "garbage", null].map((
      given,
    ): [Partial<JwtOptions>, string] => [
      { secret: SECRET, clockTolerance: given as number },
      `expected 'clockTolerance' in seconds, from 0 to 600, found '${given}'`,
    ]),
    [{ jwksUri: "https://id.example", cooldown: -1 }, "expected 'cooldown' in seconds, from 0 to"],
    [{ jwksUri: "https://id.example", cacheMaxAge: NaN }, "expected 'cacheMaxAge' in seconds"],
    [{ jwksUri: "https://id.example", timeout: 0 }, "expected 'timeout' in seconds"],
    [{ jwksUri: "https://id.example", timeout: "5" as never }, "expected 'timeout' in seconds"],
  ];
  for (const [options, message] of table) {
    const error = await assertRejects(() => applicationOf(options), TypeError);
    assertStringIncludes(error.message, "Cannot use the scheme 'token': ");
    assertStringIncludes(error.message, message);
    assert(!error.message.includes(SECRET) && !error.message.includes(" short"));
  }
});

Deno.test("jwt() + takes access tokens alone by their type, whatever else the issuer signs", async () => {
  const key = await signingKey("one");
  const { publicJwk: publicKey } = key;
  const access = "undefined JWT jwt at+jwt AT+JWT application/at+jwt application/JWT";
  const others = "id+jwt logout+jwt secevent+jwt dpop+jwt application/ at+jwt2 ";
  const table: [JwtOptions["typ"], taken: string, refused: string][] = [
    [undefined, access, others],
    ["at+jwt", "at+jwt application/AT+jwt", "JWT undefined id+jwt"],
    [["at+jwt", "JWT"], "at+jwt jwt", "undefined id+jwt"],
    ["application/at+jwt", "at+jwt application/at+jwt", "JWT undefined"],
  ];
  for (const [typ, taken, refused] of table) {
    await using app = await applicationOf({ publicKey, typ });
    for (const [types, status] of [[taken, 200], [refused, 401]] as const) {
      for (const type of types.split(" ")) {
        const header = type === "undefined" ? {} : { typ: type };
        const response = await ask(app, `Bearer ${await sign(key, claims(), header)}`);
        assertEquals([typ, type, response.status], [typ, type, status]);
      }
    }
    const strange = await sign(key, claims(), { typ: ["JWT"] });
    assertEquals((await ask(app, `Bearer ${strange}`)).status, 401);
  }
  for (const typ of ["", [], [""]]) {
    const error = await assertRejects(() => applicationOf({ publicKey, typ }), TypeError);
    assertStringIncludes(error.message, "expected 'typ' to be a string or a list of strings");
  }
});

Deno.test("jwt() + takes all algorithms that a public key fits, and are allowed", async () => {
  const rsa = await generateKeyPair("RS512", { extractable: true });
  const ec = await generateKeyPair("ES384", { extractable: true });
  const signedBy = async ({ privateKey }: typeof rsa, alg: string) => {
    const key = await importPKCS8(await exportPKCS8(privateKey), alg);
    return await new SignJWT(claims()).setProtectedHeader({ alg }).sign(key);
  };
  const table: [typeof rsa, JwtOptions["algorithms"], taken: string, refused: string][] = [
    [rsa, undefined, "RS256 RS384 RS512 PS256 PS512", ""],
    [rsa, ["RS256", "RS512"], "RS256 RS512", "RS384 PS256"],
    [rsa, ["RS512"], "RS512", "RS256"],
    [ec, undefined, "ES384", ""],
    [ec, ["RS256", "ES384"], "ES384", ""],
  ];
  for (const [pair, algorithms, taken, refused] of table) {
    const pem = await exportSPKI(pair.publicKey);
    const jwk = await exportJWK(pair.publicKey);
    for (const publicKey of [pem, jwk]) {
      await using app = await applicationOf({ publicKey, algorithms });
      for (const [algs, status] of [[taken, 200], [refused, 401]] as const) {
        for (const alg of algs.split(" ").filter(Boolean)) {
          const response = await ask(app, `Bearer ${await signedBy(pair, alg)}`);
          assertEquals([algorithms, alg, response.status], [algorithms, alg, status]);
        }
      }
    }
    // A key that says what it is for is for nothing else.
    if (pair !== rsa) continue;
    const named = { ...jwk, alg: "RS512" };
    if (algorithms !== undefined) continue;
    await using app = await applicationOf({ publicKey: named });
    const found = [];
    for (const alg of ["RS512", "RS256"]) {
      found.push((await ask(app, `Bearer ${await signedBy(rsa, alg)}`)).status);
    }
    assertEquals(found, [200, 401]);
  }
});

Deno.test("jwt() + takes another scheme of Authorization, which challenge and document name", async () => {
  const key = await signingKey("one");
  const options = { issuer: ISSUER, audience: AUDIENCE, publicKey: key.publicJwk, scheme: "Token" };
  const schemes = { token: jwt({ ...options, from: ["header", "query"] }) };
  await using app = await appOf([Tracks], { extensions: [security({ schemes }), openApi()] });
  const token = await sign(key);
  const table: [authorization: string, status: number, challenge: string | null][] = [
    [`Token ${token}`, 200, null],
    [`token ${token}`, 200, null],
    [`Bearer ${token}`, 401, 'Token realm="application"'],
    [`Token ${token},`, 401, 'Token realm="application"'],
    [`Token token="${token}"`, 401, 'Token realm="application"'],
    ["Token x", 401, 'Token realm="application"'],
  ];
  for (const [authorization, status, challenge] of table) {
    const response = await ask(app, authorization);
    await response.body?.cancel();
    const found = [response.status, response.headers.get("WWW-Authenticate")];
    assertEquals(found, [status, challenge], authorization.replace(token, "…"));
  }
  // The parameters of RFC 6750 belong to bearer tokens.
  const forbidden = await ask(app, `Token ${token}`, "/admin");
  assertEquals([forbidden.status, forbidden.headers.get("WWW-Authenticate")], [403, null]);
  assertEquals(
    (await app.request(asUser({ name: "ada", roles: ["admin"] }, "/admin"))).status,
    200,
  );

  const contract = {
    Tracks: { admin: { method: "GET", path: "/admin", parameters: [] } },
  } as const;
  const api = client("http://localhost", contract, {
    fetch: (request) => Promise.resolve(app.fetch(request)),
    headers: { Authorization: `Token ${await sign(key, claims({ roles: ["admin"] }))}` },
  });
  assertEquals(await api.tracks.admin(), "admin");

  const document = await (await ask(app, `Token ${token}`, "/openapi.json")).json();
  assertEquals(document.components.securitySchemes, {
    token: {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: "`Token <token>`, with a JSON Web Token",
    },
  });
  assertEquals(
    await issueToken({ ...options, publicKey: undefined, secret: SECRET }, { sub: "a" }, {
      expiresIn: 60,
    }).then((token) => token.split(".").length),
    3,
  );
});

Deno.test("jwt() + refuses a scheme that is no name, or has no effect", async () => {
  const refused: [Partial<JwtOptions>, string][] = [
    [{ scheme: "Token " }, "expected 'scheme' to be a name such as 'Token'"],
    [{ scheme: "" }, "expected 'scheme' to be a name such as 'Token'"],
    [{ scheme: "Token", from: "cookie" }, `'scheme' needs from: "header"`],
  ];
  for (const [options, message] of refused) {
    const error = await assertRejects(() => applicationOf({ secret: SECRET, ...options }));
    assertStringIncludes((error as Error).message, message);
  }
  await using app = await applicationOf({ secret: SECRET, scheme: "bearer" });
  const challenge = (await app.request("/me")).headers.get("WWW-Authenticate");
  assertEquals(challenge, 'Bearer realm="application"');
});
