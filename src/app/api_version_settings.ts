import { type Config, namesAt, refuseUnknownKeys } from "../config/mod.ts";
import { isHopByHop } from "../http/mod.ts";
import { TOKEN } from "../text/mod.ts";
import {
  ApiVersions,
  type Deprecation,
  deprecation,
  isVersion,
  notVersion,
  type VersionsOf,
} from "../web/mod.ts";

export function apiVersions(config: Config): VersionsOf | undefined {
  if (config.get(KEY) === undefined) return undefined;
  const header = config.string(`${KEY}.header`)?.trim();
  const path = config.string(`${KEY}.path`)?.trim();
  if ((header === undefined) === (path === undefined)) {
    const found = header === undefined ? "neither" : "both";
    throw config.error(KEY, `expected 'header' or 'path', found ${found}`);
  }
  if (header !== undefined && !TOKEN.test(header)) {
    throw config.error(`${KEY}.header`, `expected the name of a header, found '${header}'`);
  }
  if (header !== undefined && (TAKEN.test(header) || isHopByHop(header.toLowerCase()))) {
    throw config.error(
      `${KEY}.header`,
      `expected a custom header such as 'X-API-Version', found '${header}', which has another meaning`,
    );
  }
  if (path !== undefined && !/^\/[\w.~-]*\{version\}[\w.~-]*$/.test(path)) {
    throw config.error(`${KEY}.path`, `expected a segment such as '/v{version}', found '${path}'`);
  }
  const supported = supportedVersions(config);
  const fallback = config.string(`${KEY}.default`);
  if (fallback !== undefined) checkVersion(config, `${KEY}.default`, fallback, supported);
  const settings = {
    header,
    path,
    default: fallback,
    supported,
    deprecated: deprecated(config, supported),
  };
  return (...given) => new ApiVersions(settings, ...given);
}

const KEY = "server.api-version";

/** Fields that clients, proxies and runtimes send for what they mean (RFC 9110, RFC 9111, Fetch, 2.2.2). */
const TAKEN =
  /^(?:accept(?:-(?:charset|datetime|encoding|language))?|access-control-.+|authorization|cache-control|content-.+|cookie2?|date|dnt|expect|forwarded|from|host|if-.+|last-event-id|max-forwards|origin|pragma|prefer|priority|range|referer|sec-.+|user-agent|via|x-forwarded-.+|x-request-id|traceparent|tracestate)$/i;

function supportedVersions(config: Config): readonly string[] | undefined {
  const key = `${KEY}.supported`;
  const versions = namesAt(config, key);
  if (versions === undefined) return undefined;
  if (versions.length === 0) throw config.error(key, "expected versions, found none");
  for (const version of versions) checkVersion(config, key, version);
  return versions;
}

function checkVersion(
  config: Config,
  key: string,
  version: string,
  supported?: readonly string[],
): void {
  if (!isVersion(version)) throw config.error(key, notVersion(version));
  if (supported && !supported.includes(version)) {
    const expected = `one of 'supported' (${supported.join(", ")})`;
    throw config.error(key, `expected ${expected}, found '${version}'`);
  }
}

export const DEPRECATION_KEYS: readonly string[] = [
  "version",
  "since",
  "sunset",
  "link",
  "sunset-link",
];

function deprecated(
  config: Config,
  supported: readonly string[] | undefined,
): ReadonlyMap<string, Deprecation> {
  const versions = new Map<string, Deprecation>();
  for (const entry of config.sections(`${KEY}.deprecated`)) {
    refuseUnknownKeys(entry, "", DEPRECATION_KEYS);
    const version = entry.required("version");
    checkVersion(entry, "version", version, supported);
    if (versions.has(version)) {
      throw entry.error("version", `expected one entry for a version, found two for '${version}'`);
    }
    versions.set(
      version,
      deprecation({
        since: entry.required("since"),
        sunset: entry.string("sunset"),
        link: entry.string("link"),
        sunsetLink: entry.string("sunset-link"),
      }, (option, message) => {
        throw entry.error(option === "sunsetLink" ? "sunset-link" : option, message);
      }),
    );
  }
  return versions;
}
