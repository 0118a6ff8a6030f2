import { quoted } from "../../text/mod.ts";
import type { ApiVersions } from "../declare/api_versions.ts";
import { refuseMapping } from "../errors.ts";

export interface ServedPath {
  readonly version?: string;
  readonly segment: string;
  readonly isAlias: boolean;
}

/** The default version also has a path without it, an unversioned route one in each version. @throws {MappingError} */
export function servedPaths(
  said: readonly string[] | undefined,
  versions: ApiVersions | undefined,
  label: string,
): readonly ServedPath[] {
  const plain = { segment: "", isAlias: false };
  if (versions === undefined) {
    if (said === undefined) return [plain];
    const neither = "neither 'server.api-version.header' nor 'server.api-version.path' is set";
    refuseMapping(label, `it has a version, but ${neither}; set one of them`);
  }
  const unknown = said?.find((version) => !versions.supported.includes(version));
  if (unknown !== undefined) {
    const reason = `the version '${unknown}' is not in 'server.api-version.supported'`;
    refuseMapping(label, `${reason}, expected one of ${quoted(versions.supported)}`);
  }
  if (versions.header !== undefined) {
    return said?.map((version) => ({ ...plain, version })) ?? [plain];
  }
  const at = (version: string) => versions.segmentOf(version);
  if (said === undefined) {
    return [plain, ...versions.supported.map((one) => ({ segment: at(one), isAlias: true }))];
  }
  return said.flatMap((version): ServedPath[] => [
    { version, segment: at(version), isAlias: false },
    ...(version === versions.default ? [{ version, segment: "", isAlias: true }] : []),
  ]);
}
