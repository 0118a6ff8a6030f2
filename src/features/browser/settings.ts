import { type Config, namesAt, refuseUnknownKeys } from "../../config/mod.ts";
import { defined } from "../../text/mod.ts";
import { OPTIONS } from "./decorator.ts";
import type { ApplicationCors, BrowserOptions, CorsOptions, SecurityHeaders } from "./types.ts";

/** Reads `server.cors` and `server.headers`. @throws {ConfigError} for what is of another kind */
export function browserSettings(config: Config): BrowserOptions {
  return {
    cors: switched(config, "server.cors", corsSettings),
    headers: switched(config, "server.headers", headerSettings),
  };
}

function switched<T>(
  config: Config,
  key: string,
  read: (section: Config) => T,
): T | boolean | undefined {
  const value = config.get(key) ?? undefined;
  if (value !== undefined && typeof value !== "object") return config.boolean(key);
  const section = config.section(key);
  return section && read(section);
}

export const CORS_KEYS: readonly string[] = OPTIONS.map(hyphenated);

function corsSettings(section: Config): ApplicationCors {
  refuseUnknownKeys(section, "", [...CORS_KEYS, "paths"]);
  const paths = section.sections("paths").map((one) => {
    refuseUnknownKeys(one, "", [...CORS_KEYS, "path"]);
    return { path: one.required("path"), ...corsOptions(one) };
  });
  return { ...corsOptions(section), ...(paths.length > 0 && { paths }) };
}

function corsOptions(section: Config): CorsOptions {
  const origins = namesAt(section, "origin");
  return defined({
    origin: origins?.join() === "*" ? "*" : origins,
    allowMethods: namesAt(section, "allow-methods"),
    allowHeaders: namesAt(section, "allow-headers"),
    maxAge: section.number("max-age"),
    credentials: section.boolean("credentials"),
    exposeHeaders: namesAt(section, "expose-headers"),
  });
}

function headerSettings(section: Config): SecurityHeaders {
  refuseUnknownKeys(section, "", HEADER_KEYS);
  const read = section.keys().map((key) => {
    const name = key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [name, (READERS[key] ?? textOrSwitch)(section, key)] as const;
  });
  return defined(Object.fromEntries(read));
}

type Read = (section: Config, key: string) => unknown;

const textOrSwitch: Read = (section, key) => {
  const text = section.string(key);
  return /^(?:true|false)$/.test(text ?? "") ? text === "true" : text;
};

const policy: Read = (section, key) => {
  const directives = section.section(key);
  if (directives === undefined) return undefined;
  refuseUnknownKeys(directives, "", DIRECTIVES);
  return Object.fromEntries(
    directives.keys().map((name) => {
      // 'sandbox' and 'upgrade-insecure-requests' need no value.
      const isBare = directives.get(name) === true;
      return [name, isBare ? [] : directives.strings(name) ?? []];
    }),
  );
};

const READERS: Readonly<Record<string, Read>> = {
  "content-security-policy": policy,
  "content-security-policy-report-only": policy,
  "permissions-policy": (section, key) => {
    const features = section.section(key);
    return Object.fromEntries((features?.keys() ?? []).map((name) => {
      const value = features!.get(name);
      return [name, typeof value === "boolean" ? value : features!.strings(name)];
    }));
  },
  "remove-powered-by": (section, key) => section.boolean(key),
  "report-to": (section, key) =>
    section.sections(key).map((group) => ({
      group: group.required("group"),
      max_age: group.number("max-age"),
      endpoints: group.sections("endpoints").map((endpoint) => ({ url: endpoint.required("url") })),
    })),
  "reporting-endpoints": (section, key) =>
    section.sections(key).map((endpoint) => ({
      name: endpoint.required("name"),
      url: endpoint.required("url"),
    })),
};

/** With those that have a value of their own, or are on or off. */
export const HEADER_KEYS: readonly string[] = [
  "cross-origin-embedder-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "origin-agent-cluster",
  "referrer-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
  ...Object.keys(READERS),
];

/** Of a content security policy (CSP 3, 6), as Hono has them. */
export const DIRECTIVES: readonly string[] = [
  ...["base-uri", "child-src", "connect-src", "default-src", "font-src", "form-action"],
  ...["frame-ancestors", "frame-src", "img-src", "manifest-src", "media-src", "object-src"],
  ...["report-to", "report-uri", "sandbox", "script-src", "script-src-attr", "script-src-elem"],
  ...["style-src", "style-src-attr", "style-src-elem", "upgrade-insecure-requests", "worker-src"],
];

export function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
