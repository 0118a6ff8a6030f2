import type { Difference } from "../../runner/mod.ts";
import { field, isObject, type Json } from "./json_values.ts";

/**
 * Where `live` differs from what `wanted` has. Additional members of `live` are no difference, because clusters add
 * defaults. Lists need the same length. Numbers and booleans equal their texts, as clusters write settings.
 */
export function differences(wanted: unknown, live: unknown, path = ""): readonly Difference[] {
  if (Array.isArray(wanted)) {
    const alike = Array.isArray(live) && wanted.length === live.length &&
      wanted.every((item, index) => isSubset(item, live[index]));
    return alike ? [] : [{ path, wanted, live }];
  }
  if (isObject(wanted)) {
    if (!isObject(live)) return [{ path, wanted, live }];
    return Object.entries(wanted).flatMap(([key, value]) => {
      const below = path === "" ? key : `${path}.${key}`;
      return differences(value, Object.hasOwn(live, key) ? live[key] : undefined, below);
    });
  }
  const equal = wanted === live || (wanted === null && live === undefined) ||
    (!isNothing(live) && !isNothing(wanted) && isSameText(wanted, live));
  return equal ? [] : [{ path, wanted, live }];
}

/** The members of `live` that `wanted` lacks or has otherwise. */
export function additions(wanted: unknown, live: unknown): readonly Difference[] {
  return differences(live, wanted)
    .map(({ path, wanted: live, live: wanted }) => ({ path, wanted, live }));
}

export function changes(wanted: unknown, live: unknown, path = ""): readonly Difference[] {
  if (isObject(wanted) && isObject(live)) {
    return [...new Set([...Object.keys(wanted), ...Object.keys(live)])].flatMap((key) => {
      return changes(field(wanted, key), field(live, key), path === "" ? key : `${path}.${key}`);
    });
  }
  const isEqual = Array.isArray(wanted) && Array.isArray(live)
    ? wanted.length === live.length &&
      wanted.every((item, index) => changes(item, live[index]).length === 0)
    : wanted === live;
  return isEqual ? [] : [{ path, wanted, live }];
}

export function isSubset(wanted: unknown, live: unknown): boolean {
  return differences(wanted, live).length === 0;
}

export function isSame(wanted: unknown, live: unknown): boolean {
  return isSubset(wanted, live) && isSubset(live, wanted);
}

export function clashes(one: unknown, other: unknown, path = ""): readonly string[] {
  if (isObject(one) && isObject(other)) {
    return Object.keys(one).filter((key) => Object.hasOwn(other, key)).flatMap((key) =>
      clashes(one[key], other[key], path === "" ? key : `${path}.${key}`)
    );
  }
  return isSame(one, other) ? [] : [path];
}

/** `value` without what `later` overrides, and without objects that become empty. */
export function without(value: unknown, later: unknown): unknown {
  if (!isObject(value) || !isObject(later)) return later === undefined ? value : undefined;
  const left = Object.entries(value)
    .map(([key, part]) => [key, Object.hasOwn(later, key) ? without(part, later[key]) : part])
    .filter(([, part]) => part !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

export function mergeDeep(under: Json, over: Json): Json {
  const names = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...names].map((name) => {
    const [below, above] = [under[name], over[name]];
    return [name, isObject(below) && isObject(above) ? mergeDeep(below, above) : above ?? below];
  }));
}

/** Clusters write settings as texts, numbers as they were sent: `1.0`. */
function isSameText(one: unknown, other: unknown): boolean {
  if (String(one) === String(other)) return true;
  const [number, text] = typeof one === "number" ? [one, other] : [other, one];
  return typeof number === "number" && typeof text === "string" && text.trim() !== "" &&
    Number(text) === number;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
