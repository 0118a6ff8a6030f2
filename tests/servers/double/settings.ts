type Json = Record<string, unknown>;

/** Settings in the form in which clusters give them back: below `index`, as texts. */
export function storedSettings(settings: unknown): Json {
  const index: Json = {};
  for (const [path, value] of flat(settings)) {
    const names = path.replace(/^index\./, "").split(".");
    let target = index;
    for (const name of names.slice(0, -1)) target = (target[name] ??= {}) as Json;
    target[names.at(-1)!] = Array.isArray(value) ? value.map(String) : String(value);
  }
  return { index };
}

function flat(value: unknown, prefix = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[prefix, value]];
  return Object.entries(value).flatMap(([key, below]) =>
    flat(below, prefix === "" ? key : `${prefix}.${key}`)
  );
}

/** `value` with `change` over it, objects merged. */
export function merged(value: unknown, change: unknown): unknown {
  if (!isObject(value) || !isObject(change)) return change ?? value;
  const keys = new Set([...Object.keys(value), ...Object.keys(change)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(value[key], change[key])]));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
