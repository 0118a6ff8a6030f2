/**
 * Reads the key set of an issuer without the keys that cannot verify tokens:
 * private, symmetric and encryption keys, and RSA keys of less than 2048 bits.
 *
 * @returns the key set as JSON
 * @throws {Error} if it is not a key set, or too large
 */
export async function readKeySet(response: Response): Promise<Response> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`expected the status 200, found ${response.status || "a redirect"}`);
  }
  const text = await readLimited(response);
  let set: unknown;
  try {
    set = JSON.parse(text).keys;
  } catch { /* Refused below. */ }
  if (!Array.isArray(set)) throw new Error("expected a JSON Web Key Set");
  const keys = set.filter(isUsable);
  if (keys.length <= MOST_KEYS) return Response.json({ keys });
  throw new Error(`expected ${MOST_KEYS} keys or fewer, found ${keys.length}`);
}

/** A token without `kid` is verified with every key. */
const MOST_KEYS = 100;
const MOST_BYTES = 1_000_000;

async function readLimited({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const reader = body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > MOST_BYTES) {
      // The promise may never settle: not awaited.
      reader.cancel().catch(() => {});
      throw new Error(`expected ${MOST_BYTES} bytes or fewer`);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/** A signature key (RFC 7517, 4.2) without private members (RFC 7518, 6). */
function isUsable(key: unknown): boolean {
  if (typeof key !== "object" || key === null) return false;
  const { kty, use, n } = key as Readonly<Record<string, unknown>>;
  if (use !== undefined && use !== "sig") return false;
  if (PRIVATE.some((name) => Object.hasOwn(key, name))) return false;
  if (kty === "RSA") return typeof n === "string" && n.length >= LEAST_MODULUS;
  return kty === "EC" || kty === "OKP";
}

const PRIVATE = ["d", "k", "p", "q", "priv"];
/** 2048 bits (RFC 7518, 3.3), in base64url. */
const LEAST_MODULUS = Math.ceil(2048 / 6);
