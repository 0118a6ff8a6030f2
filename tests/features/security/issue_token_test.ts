import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
} from "jose";
import {
  type Claims,
  CurrentUser,
  issueToken,
  jwt,
  type JwtOptions,
  type JwtPrincipal,
  security,
} from "../../../src/features/security/mod.ts";
import { type Application, GetMapping, RestController } from "../../../mod.ts";
import { appOf, Failures } from "../../web/helpers.ts";
import { Issuer } from "./tokens.ts";

@RestController()
class Tracks {
  @GetMapping("/me", CurrentUser<JwtPrincipal>())
  me({ name, roles }: JwtPrincipal) {
    return { name, roles };
  }
}

const SECRET = "a secret of at least thirty-two bytes";
const SETTINGS: JwtOptions = { issuer: "https://id.example", audience: "tracks", secret: SECRET };
const ADA = { sub: "ada", roles: ["user"] };
const MINUTES = { expiresIn: 600 };

function applicationOf(options: JwtOptions): Promise<Application> {
  return appOf([Tracks], {
    extensions: [security({ schemes: { token: jwt(options) } }), new Failures().extension],
  });
}

async function ask(app: Application, token: string): Promise<readonly [number, unknown]> {
  const response = await app.request("/me", { headers: { Authorization: `Bearer ${token}` } });
  return [response.status, response.ok ? await response.json() : await response.body?.cancel()];
}

Deno.test("issueToken() + is accepted by the scheme of the same options, and by no other one", async () => {
  const token = await issueToken(SETTINGS, ADA, MINUTES);
  const accepted = [200, { name: "ada", roles: ["user"] }] as const;
  const refused = [401, undefined] as const;
  const schemes: Record<string, [JwtOptions, readonly [number, unknown]]> = {
    same: [SETTINGS, accepted],
    "the same, elsewhere": [{ ...SETTINGS }, accepted],
    "one of its audiences": [{ ...SETTINGS, audience: ["other", "tracks"] }, accepted],
    "another audience": [{ ...SETTINGS, audience: "other" }, refused],
    "another issuer": [{ ...SETTINGS, issuer: "https://other.example" }, refused],
    "another secret": [{ ...SETTINGS, secret: `${SECRET}.` }, refused],
    "another type": [{ ...SETTINGS, typ: "at+jwt" }, refused],
  };
  for (const [name, [options, expected]] of Object.entries(schemes)) {
    await using app = await applicationOf(options);
    assertEquals([name, ...await ask(app, token)], [name, ...expected]);
  }
});

Deno.test("issueToken() + signs with all keys and algorithms that jwt() verifies, and names the key", async () => {
  const algorithms = ["RS256", "PS512", "ES256", "ES384", "ES512", "Ed25519"];
  for (const algorithm of algorithms) {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const forms = {
      pem: {
        privateKey: await exportPKCS8(privateKey),
        publicKey: await exportSPKI(publicKey),
        keyId: "one",
      },
      jwk: {
        privateKey: { ...await exportJWK(privateKey), kid: "one" },
        publicKey: { ...await exportJWK(publicKey), alg: algorithm },
      },
    };
    for (const [form, keys] of Object.entries(forms)) {
      const { secret: _, ...settings } = { ...SETTINGS, ...keys, algorithms: [algorithm] };
      const token = await issueToken(settings, ADA, MINUTES);
      assertEquals([form, decodeProtectedHeader(token)], [
        form,
        { alg: algorithm, typ: "JWT", kid: "one" },
      ]);
      await using app = await applicationOf(settings);
      assertEquals([form, (await ask(app, token))[0]], [form, 200]);
    }
  }
});

Deno.test("issueToken() + finds the algorithm of a key, and is accepted by the key set that has it", async () => {
  await using issuer = new Issuer();
  for (const algorithm of ["RS256", "ES384", "Ed25519"]) {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    issuer.keys = [{ ...await exportJWK(publicKey), kid: algorithm, use: "sig" }];
    const { secret: _, ...settings } = SETTINGS;
    const options = {
      ...settings,
      jwksUri: issuer.uri,
      privateKey: await exportPKCS8(privateKey),
      keyId: algorithm,
      typ: ["at+jwt", "JWT"],
    };
    const token = await issueToken(options, ADA, MINUTES);
    const { typ, alg } = decodeProtectedHeader(token);
    const expected = algorithm === "Ed25519" ? "EdDSA" : algorithm;
    assertEquals([typ, alg], ["at+jwt", expected]);
    await using app = await applicationOf(options);
    assertEquals((await ask(app, token))[0], 200);
  }
});

Deno.test("issueToken() + sets issuer, audience and times, and takes one of several audiences", async () => {
  const before = Math.floor(Date.now() / 1000);
  const { iat = 0, ...claims } = decodeJwt(await issueToken(SETTINGS, ADA, { expiresIn: 900.7 }));
  assertEquals(claims, {
    ...{ sub: "ada", roles: ["user"], iss: "https://id.example", aud: "tracks" },
    exp: iat + 900,
  });
  assert(iat >= before && iat <= before + 60);
  const several = { ...SETTINGS, audience: ["tracks", "reports"] };
  const chosen = decodeJwt(await issueToken(several, { ...ADA, aud: "reports" }, MINUTES));
  assertEquals(chosen.aud, "reports");
});

Deno.test("issueToken() + refuses what jwt() would not accept", async () => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const pair = await generateKeyPair("ES256", { extractable: true });
  const small = await crypto.subtle.generateKey(
    {
      ...{ name: "RSASSA-PKCS1-v1_5", modulusLength: 1024, hash: "SHA-256" },
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    true,
    ["sign", "verify"],
  );
  const { secret: _, ...unsigned } = SETTINGS;
  const pem = await exportPKCS8(privateKey);
  const refusal = async (options: unknown, claims: unknown = ADA, lifetime: unknown = MINUTES) => {
    const given = [options, claims, lifetime] as [JwtOptions, Claims, { expiresIn: number }];
    const { message } = await assertRejects(() => issueToken(...given), TypeError);
    return message.replace("Cannot issue a token: ", "");
  };
  const key = "expected one of 'secret' and 'privateKey'";
  const seconds = "expected 'expiresIn' in seconds, from 1 to 31622400, found";
  const cases: [found: string, expected: string][] = [
    [await refusal(unsigned), key],
    [await refusal({ ...SETTINGS, privateKey: pem }), key],
    [await refusal({ ...unsigned, secret: "", privateKey: "" }), key],
    [
      await refusal({ ...SETTINGS, secret: "short" }),
      "expected a secret of at least 32 bytes, found 5",
    ],
    [
      await refusal({
        ...unsigned,
        privateKey: await exportSPKI(pair.publicKey),
        algorithms: ["ES256"],
      }),
      "expected 'privateKey' to be a private key in PEM (PKCS #8) or a JSON Web Key for ES256",
    ],
    [
      await refusal({
        ...unsigned,
        privateKey: await exportJWK(pair.publicKey),
        algorithms: ["ES256"],
      }),
      "expected 'privateKey' to be a private key in PEM (PKCS #8) or a JSON Web Key for ES256",
    ],
    [
      await refusal({ ...unsigned, privateKey: await exportPKCS8(small.privateKey) }),
      "expected 'privateKey' of 2048 bits or more, found 1024",
    ],
    [
      await refusal({ ...unsigned, privateKey: pem, publicKey: await exportSPKI(pair.publicKey) }),
      "'privateKey' and 'publicKey' are not of one pair",
    ],
    [
      await refusal({ ...SETTINGS, algorithms: ["RS256"] }),
      "expected algorithms for a secret (HS256, HS384, HS512), found 'RS256'",
    ],
    [
      await refusal({ ...SETTINGS, audiance: "x" }),
      "Unknown option 'audiance': did you mean 'audience'?",
    ],
    [await refusal(SETTINGS, ADA, null), `${seconds} 'undefined'`],
    [await refusal(SETTINGS, ADA, {}), `${seconds} 'undefined'`],
    [await refusal(SETTINGS, ADA, { expiresIn: "15m" }), `${seconds} '15m'`],
    [await refusal(SETTINGS, ADA, { expiresIn: 0 }), `${seconds} '0'`],
    [await refusal(SETTINGS, ADA, { expiresIn: Infinity }), `${seconds} 'Infinity'`],
    [await refusal(SETTINGS, ADA, { expiresIn: NaN }), `${seconds} 'NaN'`],
    [await refusal(SETTINGS, { ...ADA, exp: 1 }), "'expiresIn' decides the claim 'exp'"],
    [await refusal(SETTINGS, { ...ADA, iat: 1 }), "'expiresIn' decides the claim 'iat'"],
    [await refusal(SETTINGS, {}), "expected the name of the user in the claim 'sub'"],
    [await refusal(SETTINGS, { sub: "a\nb" }), "expected the name of the user in the claim 'sub'"],
    [
      await refusal({ ...SETTINGS, name: "user.id" }),
      "expected the name of the user in the claim 'user.id'",
    ],
    [
      await refusal(SETTINGS, { ...ADA, aud: "other" }),
      "expected the claim 'aud' to be one of 'tracks'",
    ],
    [
      await refusal(SETTINGS, { ...ADA, iss: ["https://id.example"] }),
      "expected the claim 'iss' to be one of 'https://id.example'",
    ],
    [
      await refusal({ ...SETTINGS, audience: ["a", "b"] }),
      "expected the claim 'aud' to be one of 'a', 'b'",
    ],
  ];
  for (const [found, expected] of cases) assertEquals(found, expected);
});
