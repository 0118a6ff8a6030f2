import type { Difference, Drift, Preview } from "../runner/mod.ts";
import { isObject, mapValues } from "./json/json_values.ts";
import { isSecretMember } from "./secret_members.ts";

type Mask = (text: string) => string;

/** What applying a file would do, without the values of secrets. */
export function maskedPreview(preview: Preview, mask: Mask): Preview {
  const { differences, note, consequences } = preview;
  return {
    ...preview,
    requests: preview.requests.map(mask),
    ...(consequences && { consequences: consequences.map(mask) }),
    ...(differences && { differences: differences.map((one) => masked(one, mask)) }),
    ...(note !== undefined && { note: mask(note) }),
  };
}

/** Where a live resource is no longer as its file says, without the values of secrets. */
export function maskedDrift(drift: Drift, mask: Mask): Drift {
  const { differences, note } = drift;
  return {
    ...drift,
    resource: mask(drift.resource),
    differences: differences.map((one) => masked(one, mask)),
    ...(note !== undefined && { note: mask(note) }),
  };
}

function masked({ path, wanted, live }: Difference, mask: Mask): Difference {
  if (isSecretMember(path.slice(path.lastIndexOf(".") + 1))) {
    const hidden = (value: unknown) => value === undefined ? undefined : "***";
    return { path: mask(path), wanted: hidden(wanted), live: hidden(live) };
  }
  const shown = inside(wanted, mask);
  // What is there in the place of a secret may be the one before it.
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
