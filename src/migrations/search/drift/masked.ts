import type { Difference } from "../../runner/mod.ts";
import { isObject, mapValues } from "../json/json_values.ts";
import { isSecretMember } from "../json/secret_members.ts";

type Mask = (text: string) => string;

/** A preview or a drift without the values of secrets. */
export function masked<T extends { readonly differences?: readonly Difference[] }>(
  told: T,
  mask: Mask,
): T {
  const { differences } = told;
  const shown = inside(told, mask) as T;
  return differences
    ? { ...shown, differences: differences.map((one) => difference(one, mask)) }
    : shown;
}

function difference({ path, wanted, live }: Difference, mask: Mask): Difference {
  if (isSecretMember(path.slice(path.lastIndexOf(".") + 1))) {
    const hidden = (value: unknown) => value === undefined ? undefined : "***";
    return { path: mask(path), wanted: hidden(wanted), live: hidden(live) };
  }
  const shown = inside(wanted, mask);
  // The live value beside a secret may be the previous secret.
  const isSecret = JSON.stringify(shown) !== JSON.stringify(wanted);
  const isThere = live !== undefined;
  return {
    path: mask(path),
    wanted: shown,
    live: isSecret && isThere ? "***" : inside(live, mask),
  };
}

function inside(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") {
    return mask(String(value)) === String(value) ? value : mask(String(value));
  }
  if (Array.isArray(value)) return value.map((item) => inside(item, mask));
  if (!isObject(value)) return value;
  const shown = mapValues(value, (item, key) => {
    const isSecret = isSecretMember(key) && ["string", "number"].includes(typeof item);
    return isSecret && mask(String(item)) === String(item) ? "***" : inside(item, mask);
  });
  return Object.fromEntries(Object.entries(shown).map(([key, item]) => [mask(key), item]));
}
