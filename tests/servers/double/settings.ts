import { isObject, type Json } from "./answers.ts";
import { matches } from "./patterns.ts";

/** Settings by their whole name; `null` takes one away. */
export type Settings = Record<string, string | string[] | null>;

/** Settings as they may be written, nested or with dots, by their whole name and as texts. */
export function flatSettings(value: unknown, prefix = ""): Settings {
  if (!isObject(value)) return { [prefix]: settingText(value) };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, below]) =>
      Object.entries(flatSettings(below, prefix === "" ? name : `${prefix}.${name}`))
    ),
  );
}

/** As {@linkcode flatSettings}, with the `index.` that may be left out. */
export function indexSettings(value: unknown): Settings {
  return Object.fromEntries(
    Object.entries(isObject(value) ? flatSettings(value) : {})
      .map(([name, text]) => [name.startsWith("index.") ? name : `index.${name}`, text]),
  );
}

function settingText(value: unknown): string | string[] | null {
  if (Array.isArray(value)) return value.map(String);
  return value === null || value === undefined ? null : String(value);
}

/** Settings as clusters give them back. */
export function nestedSettings(settings: Settings): Json {
  const root: Json = {};
  for (const [path, value] of Object.entries(settings)) {
    const names = path.split(".");
    let target = root;
    for (const name of names.slice(0, -1)) target = (target[name] ??= {}) as Json;
    target[names.at(-1)!] = value;
  }
  return root;
}

/** `settings` with `change` over it; a `null` sets back, by a pattern too. */
export function changedSettings(settings: Settings, change: Settings): Settings {
  const gone = Object.keys(change).filter((name) => change[name] === null);
  const kept = Object.entries(settings).filter(([name]) =>
    !gone.some((pattern) => matches(pattern, name))
  );
  return { ...Object.fromEntries(kept), ...withoutNulls(change) };
}

export function withoutNulls(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

/** The settings that a reader selects: `index.refresh_interval,index.number_of_*`. */
export function pickSettings(settings: Settings, names: string | undefined): Settings {
  if (names === undefined || names === "_all") return settings;
  const patterns = names.split(",");
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => patterns.some((pattern) => matches(pattern, name))),
  );
}

/** In the form that the request asks for. */
export function shownSettings(settings: Settings, query: URLSearchParams): Json {
  return query.get("flat_settings") === "true" ? settings : nestedSettings(settings);
}
