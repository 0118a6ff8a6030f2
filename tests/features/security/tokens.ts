import {
  CompactSign,
  exportJWK,
  generateKeyPair,
  type GenerateKeyPairResult,
  type JWK,
} from "jose";

/** A key pair of an issuer of tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: GenerateKeyPairResult["privateKey"];
  readonly publicJwk: JWK;
}

export const ISSUER = "https://id.example";
export const AUDIENCE = "tracks";

export async function signingKey(kid: string, alg = "RS256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    kid,
    alg,
    privateKey,
    publicJwk: { ...await exportJWK(publicKey), kid, alg, use: "sig" },
  };
}

/** Seconds since 1970. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** Claims that are taken. */
export function claims(changed: Record<string, unknown> = {}): Record<string, unknown> {
  const taken = { iss: ISSUER, aud: AUDIENCE, sub: "ada", exp: now() + 600, roles: ["user"] };
  return JSON.parse(JSON.stringify({ ...taken, ...changed }));
}

/** Signs whatever it is given, with whatever header. */
export function sign(
  { kid, alg, privateKey }: SigningKey,
  payload: Record<string, unknown> | string = claims(),
  header: Record<string, unknown> = {},
): Promise<string> {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg, kid, ...header })
    .sign(privateKey);
}

export function base64url(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Publishes keys on a port of its own, as an issuer does. */
export class Issuer implements AsyncDisposable {
  keys: readonly unknown[] = [];
  /** Answers in its place. */
  answer?: (request: Request) => Response | Promise<Response>;
  fetched = 0;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      this.fetched++;
      return this.answer?.(request) ?? Response.json({ keys: this.keys });
    });
  }

  get uri(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/keys?secret=query`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
