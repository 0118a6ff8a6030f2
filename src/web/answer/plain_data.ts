/**
 * Copies the data of instances, with what getters of their class return, for schemas that return their input: otherwise
 * `toJSON` would send something that was not checked. Built-in values (`Date`, `Map`) stay.
 */
export function plainData(value: unknown, seen: Map<object, unknown> = new Map()): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    seen.set(value, items);
    for (const item of value) items.push(plainData(item, seen));
    return items;
  }
  if (!isData(value)) return value;
  const data: Record<string, unknown> = {};
  seen.set(value, data);
  for (const key of keysOf(value)) {
    // A getter may be costly, and the schema may not read it.
    const get = () => plainData(Reflect.get(value, key), seen);
    Object.defineProperty(data, key, {
      enumerable: true,
      configurable: true,
      ...(Object.hasOwn(value, key) ? { value: get(), writable: true } : { get }),
    });
  }
  return data;
}

function isData(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  for (let of = prototype; of !== null && of !== Object.prototype; of = Object.getPrototypeOf(of)) {
    if (isOfTheLanguage(of)) return false;
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON !== "function") return true;
  const json: unknown = toJSON.call(value, "");
  return typeof json === "object" && json !== null;
}

function isOfTheLanguage(prototype: object): boolean {
  const type: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  if (typeof type !== "function") return false;
  return (globalThis as Readonly<Record<string, unknown>>)[type.name] === type ||
    Symbol.toStringTag in prototype;
}

function keysOf(value: object): ReadonlySet<string> {
  const keys = new Set(Object.keys(value));
  let of = Object.getPrototypeOf(value);
  while (of !== null && of !== Object.prototype) {
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
      if (get) keys.add(key);
    }
    of = Object.getPrototypeOf(of);
  }
  keys.delete("toJSON");
  return keys;
}
