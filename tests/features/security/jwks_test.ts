import { assert, assertEquals, assertMatch } from "@std/assert";
import { exportJWK, generateKeyPair } from "jose";
import { jwt, type JwtOptions, security } from "../../../src/features/security/mod.ts";
import { type Application, GetMapping, RestController } from "../../../mod.ts";
import { appOf, Failures } from "../../web/helpers.ts";
import { AUDIENCE, claims, ISSUER, Issuer, sign, signingKey } from "./tokens.ts";

@RestController()
class Tracks {
  @GetMapping("/tracks")
  all() {
    return [];
  }
}

function applicationOf(
  options: Partial<JwtOptions>,
  failures = new Failures(),
): Promise<Application> {
  const token = jwt({ issuer: ISSUER, audience: AUDIENCE, ...options });
  return appOf([Tracks], { extensions: [security({ schemes: { token } }), failures.extension] });
}

async function statusOf(app: Application, token: string): Promise<number> {
  const response = await app.request("/tracks", { headers: { Authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

Deno.test("jwt() + fetches keys once, and again for one that is not known, with a pause", async () => {
  await using issuer = new Issuer();
  const [old, next] = await Promise.all([signingKey("old"), signingKey("next")]);
  issuer.keys = [old.publicJwk];
  await using app = await applicationOf({ jwksUri: issuer.uri, cooldown: 0 });
  assertEquals(issuer.fetched, 0);
  const token = await sign(old);
  assertEquals(await Promise.all([1, 2, 3].map(() => statusOf(app, token))), [200, 200, 200]);
  assertEquals([await statusOf(app, token), issuer.fetched], [200, 1]);
  issuer.keys = [next.publicJwk];
  assertEquals([await statusOf(app, await sign(next)), issuer.fetched], [200, 2]);
  // The removed key is not accepted any more.
  assertEquals([await statusOf(app, token), issuer.fetched], [401, 3]);
});

Deno.test("jwt() + does not let strangers make it fetch", async () => {
  await using issuer = new Issuer();
  const key = await signingKey("one");
  issuer.keys = [key.publicJwk];
  await using app = await applicationOf({ jwksUri: issuer.uri });
  for (let index = 0; index < 20; index++) {
    assertEquals(await statusOf(app, await sign(key, claims(), { kid: `${index}` })), 401);
  }
  assertEquals([await statusOf(app, await sign(key)), issuer.fetched], [200, 1]);
});

Deno.test("jwt() + tries every key that fits a token without kid, and no symmetric one", async () => {
  await using issuer = new Issuer();
  const [one, two, three] = await Promise.all(["1", "2", "3"].map((kid) => signingKey(kid)));
  issuer.keys = [
    ...[one, two].map((key) => ({ ...key!.publicJwk, kid: undefined })),
    { kty: "oct", k: "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE", alg: "HS256" },
  ];
  await using app = await applicationOf({ jwksUri: issuer.uri });
  const of = (key: typeof one) => sign(key!, claims(), { kid: undefined });
  assertEquals([
    await statusOf(app, await of(one)),
    await statusOf(app, await of(two)),
    await statusOf(app, await of(three)),
  ], [200, 200, 401]);
});

Deno.test("jwt() + answers 503 while the keys cannot be fetched, with one line each", async () => {
  const key = await signingKey("one");
  const answers: [string, () => Response | Promise<Response>][] = [
    ["status", () => new Response("down", { status: 500 })],
    ["redirect", () => Response.redirect("http://127.0.0.1:1/", 302)],
    ["no JSON", () => new Response("<html>")],
    ["no keys", () => Response.json({})],
  ];
  for (const [name, answer] of answers) {
    await using issuer = new Issuer();
    issuer.answer = answer;
    issuer.keys = [key.publicJwk];
    const failures = new Failures();
    await using app = await applicationOf({ jwksUri: issuer.uri, cooldown: 0 }, failures);
    const token = await sign(key);
    const response = await app.request("/tracks", {
      headers: { Authorization: `Bearer ${token}` },
    });
    assertEquals([name, response.status], [name, 503]);
    assertMatch(response.headers.get("retry-after") ?? "", /^[1-5]$/);
    const body = await response.json();
    assertEquals([body.status, body.detail], [503, undefined]);
    assertEquals(failures.errors.length, 1);
    const [[message, error] = []] = failures.errors;
    const line = `${message} ${Deno.inspect(error)}`;
    assert(!/\n|eyJ|secret=query/.test(line) && /cannot be fetched/.test(line), line);
    // A request without a token needs no key to be refused.
    assertEquals((await app.request("/tracks")).status, 401);
    // As soon as the issuer is back.
    issuer.answer = undefined;
    assertEquals([name, await statusOf(app, token)], [name, 200]);
  }
});

Deno.test("jwt() + does not ask an issuer that has just failed", async () => {
  await using issuer = new Issuer();
  const key = await signingKey("one");
  issuer.answer = () => new Response("down", { status: 500 });
  const failures = new Failures();
  await using app = await applicationOf({ jwksUri: issuer.uri }, failures);
  const token = await sign(key);
  const statuses = [];
  for (let index = 0; index < 5; index++) statuses.push(await statusOf(app, token));
  assertEquals([statuses, issuer.fetched], [[503, 503, 503, 503, 503], 1]);
});

Deno.test("jwt() + takes cached keys while the issuer is down", async () => {
  const key = await signingKey("one");
  const issuer = new Issuer();
  issuer.keys = [key.publicJwk];
  const failures = new Failures();
  await using app = await applicationOf({ jwksUri: issuer.uri, cooldown: 0 }, failures);
  const token = await sign(key);
  assertEquals(await statusOf(app, token), 200);
  await issuer[Symbol.asyncDispose]();
  assertEquals(await statusOf(app, token), 200);
  assertEquals(await statusOf(app, await sign(await signingKey("two"))), 503);
  const line = String(failures.errors[0]?.[1]);
  assert(line.includes("127.0.0.1") && !line.includes("secret=query"), line);
  assertEquals(await statusOf(app, token), 200);
});

Deno.test("jwt() + does not wait for an issuer that hangs, before its head and after it", async () => {
  const key = await signingKey("one");
  for (const isBody of [false, true]) {
    await using issuer = new Issuer();
    const { promise, resolve } = Promise.withResolvers<void>();
    issuer.answer = async () => {
      if (isBody) {
        return new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new TextEncoder().encode('{"keys":['));
              await promise;
              controller.close();
            },
          }),
        );
      }
      await promise;
      return new Response("late");
    };
    await using app = await applicationOf({ jwksUri: issuer.uri, timeout: 0.2 }, new Failures());
    const token = await sign(key);
    const started = performance.now();
    assertEquals(await Promise.all([1, 2].map(() => statusOf(app, token))), [503, 503]);
    assert(performance.now() - started < 3000);
    resolve();
  }
});

Deno.test("jwt() + leaves out the keys of a set that cannot be used", async () => {
  await using issuer = new Issuer();
  const key = await signingKey("one");
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const secret = await exportJWK(privateKey);
  const weak = { ...key.publicJwk, n: key.publicJwk.n!.slice(0, 171) };
  const odd = [null, 7, "key", [], {}, { kty: "RSA" }, { kty: 7, kid: "one" }, { kty: "none" }];
  issuer.keys = [
    ...odd,
    { ...secret, kid: "one", alg: "RS256" },
    { ...weak, kid: "one" },
    { ...key.publicJwk, use: "enc" },
    ...Array.from({ length: 200 }, () => ({ kty: "oct", k: "AAAA" })),
    key.publicJwk,
  ];
  await using app = await applicationOf({ jwksUri: issuer.uri });
  assertEquals(await statusOf(app, await sign(key)), 200);
  assertEquals(await statusOf(app, await sign(key, claims(), { kid: undefined })), 200);
  assertEquals(await statusOf(app, await sign({ ...key, privateKey })), 401);
  assertEquals(issuer.fetched, 1);
});

Deno.test("jwt() + accepts no key that is for encryption or shows a private member", async () => {
  const key = await signingKey("one");
  const token = await sign(key);
  const table: [Readonly<Record<string, unknown>>, number][] = [
    [{}, 200],
    [{ use: "sig" }, 200],
    [{ use: undefined }, 200],
    [{ use: "enc" }, 401],
    ...["d", "k", "p", "q", "priv"].map((name): [Record<string, string>, number] => [
      { [name]: "AQAB" },
      401,
    ]),
  ];
  for (const [members, status] of table) {
    await using issuer = new Issuer();
    issuer.keys = [{ ...key.publicJwk, ...members }];
    await using app = await applicationOf({ jwksUri: issuer.uri });
    assertEquals([members, await statusOf(app, token)], [members, status]);
    if (status === 200) continue;
    // Nor do they count towards the most keys of a set.
    await using large = new Issuer();
    large.keys = [...Array(101).fill({ ...issuer.keys[0]!, kid: "other" }), key.publicJwk];
    await using other = await applicationOf({ jwksUri: large.uri });
    assertEquals([members, await statusOf(other, token)], [members, 200]);
  }
});

Deno.test("jwt() + reads neither an endless set of keys nor one of thousands", async () => {
  const key = await signingKey("one");
  const small = { kty: "EC", crv: "P-256", x: "", y: "" };
  let sent = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new TextEncoder().encode(" ".repeat(65_536)));
      },
    });
  const table: [string, () => Response][] = [
    ["1000000 bytes or fewer", () => new Response(endless())],
    ["1000000 bytes or fewer", () => new Response(`${" ".repeat(1_000_000)}{"keys":[]}`)],
    ["100 keys or fewer, found 101", () => Response.json({ keys: Array(101).fill(small) })],
  ];
  for (const [reason, answer] of table) {
    await using issuer = new Issuer();
    issuer.answer = answer;
    const failures = new Failures();
    await using app = await applicationOf({ jwksUri: issuer.uri }, failures);
    const token = await sign(key);
    assertEquals([reason, await statusOf(app, token)], [reason, 503]);
    assertEquals([await statusOf(app, token), issuer.fetched], [503, 1]);
    const line = String(failures.errors[0]?.[1]);
    assert(line.includes(reason) && !line.includes("secret=query"), line);
  }
  assert(sent < 20_000_000);
  await using issuer = new Issuer();
  issuer.keys = [...Array(99).fill(small), key.publicJwk];
  await using app = await applicationOf({ jwksUri: issuer.uri });
  assertEquals(await statusOf(app, await sign(key)), 200);
});
