const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

export const DURATION = "a time such as 500ms, 30s or 2m";

/** Milliseconds of `500ms`, `30s` or `2m`, fractions included. @returns `undefined` when it is none */
export function durationMs(text: string, unit?: "ms" | "s"): number | undefined {
  const [, number, named = unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m)?$/.exec(text) ?? [];
  if (number === undefined || named === undefined) return undefined;
  const milliseconds = Number(number) * MILLISECONDS[named]!;
  return Number.isFinite(milliseconds) ? milliseconds : undefined;
}

/** Two lower-case hexadecimal digits for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A digest (FIPS 180-4) in lower-case hexadecimal digits, by Web Crypto. */
export async function hexDigest(
  content: string | Uint8Array | ArrayBuffer,
  algorithm = "SHA-256",
): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return hexOf(new Uint8Array(await crypto.subtle.digest(algorithm, bytes as BufferSource)));
}

export function pointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function nameOfToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Decodes percent-encoded text; returns any other text unchanged. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name, or the first of `name_2`, `name_3` and so on that is not taken. Adds it to the taken names. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  taken.add(free);
  return free;
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function errorOf(thrown: unknown): Error {
  try {
    const text = String(thrown); // Fails where its getters do.
    return thrown instanceof Error ? thrown : new Error(text, { cause: thrown });
  } catch {
    return new Error("A value without a text was thrown");
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value instanceof Promise ||
    (typeof value === "object" && value !== null && "then" in value &&
      typeof value.then === "function");
}

/** Makes a function that remembers its last value: most requests name the same host, and comparing is quick. */
export function rememberLast<K, V>(valueOf: (key: K) => V): (key: K) => V {
  let last: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (last === undefined || last.key !== key) last = { key, value: valueOf(key) };
    return last.value;
  };
}

/** Passes a value on: at once, unless it is a promise. */
export function followedBy<T, R>(
  value: T | PromiseLike<T>,
  use: (value: T) => R,
): R | Promise<Awaited<R>> {
  return isThenable(value)
    ? Promise.resolve(value as PromiseLike<T>).then(use) as never
    : use(value);
}

/** Without the members that are `undefined`, which would hide those of another object where both are spread. */
export function defined<T extends object>(values: T): T {
  const kept: Partial<T> = {};
  // Without `Object.entries`: an unchanged run of migrations does it for each of its files.
  for (const name in values) if (values[name] !== undefined) kept[name] = values[name];
  return kept as T;
}
