import { type Config, namesAt, refuseUnknownKeys } from "../../config/mod.ts";
import { defined } from "../../text/mod.ts";
import type { BrowserOptions } from "./types.ts";

/** Reads `server.cors` and `server.headers`. @throws {ConfigError} for what is of another kind */
export function browserSettings(config: Config): BrowserOptions {
  return { cors: read(config, "server.cors"), headers: read(config, "server.headers") };

  function read(config: Config, key: keyof typeof SHAPES) {
    const value = config.get(key) ?? undefined;
    if (typeof value === "object") return optionsIn(config.section(key)!, SHAPES[key]);
    const given = field(config, key);
    if (typeof given !== "string") return given;
    throw config.error(key, `Expected true, false or a map of options, found '${given}'`);
  }
}

/** How a key is read: by a method of the configuration or a function, as a map, or as a list of maps. */
type Shape =
  | "number"
  | "boolean"
  | ((section: Config, key: string) => unknown)
  | Shapes
  | readonly [Shapes];

interface Shapes {
  readonly [key: string]: Shape;
}

function optionsIn(section: Config, shapes: Shapes): object {
  const known = Object.keys(shapes);
  refuseUnknownKeys(section, "", known);
  const keys = new Set([...section.keys(), ...known.filter((key) => shapes[key] === required)]);
  return defined(Object.fromEntries(Array.from(keys, (key) => {
    return [camelCase(key), valueOf(section, key, shapes[key]!)];
  })));
}

function valueOf(section: Config, key: string, shape: Shape): unknown {
  if (typeof shape === "function") return shape(section, key);
  if (typeof shape === "string") return section[shape](key);
  if (Array.isArray(shape)) return section.sections(key).map((one) => optionsIn(one, shape[0]));
  const inner = section.section(key);
  return inner && optionsIn(inner, shape as Shapes);
}

function required(section: Config, key: string): string {
  return section.required(key);
}

function origins(section: Config, key: string): string | readonly string[] | undefined {
  const names = namesAt(section, key);
  return names?.join() === "*" ? "*" : names;
}

/** A switch, or a value of its own. */
function field(section: Config, key: string): string | boolean | undefined {
  const text = section.string(key);
  return text === "true" || text === "false" ? text === "true" : text;
}

/** 'sandbox' and 'upgrade-insecure-requests' need no sources: `true`. */
function sources(section: Config, key: string): readonly string[] {
  return section.get(key) === true ? [] : section.strings(key) ?? [];
}

function permissions(section: Config, key: string): object | undefined {
  const policy = section.section(key);
  return policy && Object.fromEntries(
    policy.keys().map((name) => {
      const value = policy.get(name);
      return [name, typeof value === "boolean" ? value : policy.strings(name)];
    }),
  );
}

const CORS: Shapes = {
  origin: origins,
  "allow-methods": namesAt,
  "allow-headers": namesAt,
  "max-age": "number",
  credentials: "boolean",
  "expose-headers": namesAt,
};

export const CORS_OPTIONS: readonly string[] = Object.keys(CORS).map(camelCase);

const POLICY: Shapes = shapesOf(
  sources,
  `base-uri child-src connect-src default-src font-src form-action frame-ancestors frame-src img-src manifest-src
   media-src object-src report-to report-uri sandbox script-src script-src-attr script-src-elem style-src style-src-attr
   style-src-elem upgrade-insecure-requests worker-src`,
);

/** Of the configuration, and for its schema. */
export const SHAPES = {
  "server.cors": { ...CORS, paths: [{ path: required, ...CORS }] },
  "server.headers": {
    ...shapesOf(
      field,
      `cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy origin-agent-cluster
       referrer-policy strict-transport-security x-content-type-options x-dns-prefetch-control x-download-options
       x-frame-options x-permitted-cross-domain-policies x-xss-protection`,
    ),
    "content-security-policy": POLICY,
    "content-security-policy-report-only": POLICY,
    "permissions-policy": permissions,
    "remove-powered-by": "boolean",
    "report-to": [{ group: required, max_age: "number", endpoints: [{ url: required }] }],
    "reporting-endpoints": [{ name: required, url: required }],
  },
} satisfies Readonly<Record<string, Shapes>>;

function shapesOf(shape: Shape, keys: string): Shapes {
  return Object.fromEntries(keys.split(/\s+/).map((key) => [key, shape]));
}

function camelCase(key: string): string {
  return key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function hyphenated(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
