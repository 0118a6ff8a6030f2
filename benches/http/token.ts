const encoder = new TextEncoder();

export const SECRET = "a secret of the benchmark, for it alone";

/** A token (RFC 7519) for a day. */
export async function token(): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: "bench", aud: "bench", sub: "ada", iat: now, exp: now + 86_400 };
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(SECRET), algorithm, false, [
    "sign",
  ]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(signed));
  return `${signed}.${
    new Uint8Array(signature).toBase64({ alphabet: "base64url", omitPadding: true })
  }`;
}

function part(value: unknown): string {
  return encoder.encode(JSON.stringify(value)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}
