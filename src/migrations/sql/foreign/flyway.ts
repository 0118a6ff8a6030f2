import {
  byVersion,
  compareVersions,
  type ForeignRow,
  type Version,
  versionIn,
  versionOf,
} from "../../runner/mod.ts";
import { crc32 } from "../../../runtime/mod.ts";
import {
  baseName,
  byNumberIn,
  execution,
  pathEnding,
  stem,
  text,
  toBoolean,
  type Tool,
  withoutDirectives,
} from "./tool.ts";

/** Flyway (12), also the table name that it had before version 5. */
export const FLYWAY: Tool = {
  id: "flyway",
  name: "Flyway",
  tables: ["flyway_schema_history", "schema_version"],
  columns: ["installed_rank", "script", "success"],
  more: "version_rank version description type checksum installed_by installed_on execution_time"
    .split(" "),
  isEmpty: (rows) => rows.every(({ type }) => type === "SCHEMA"),
  match(rows, paths) {
    const found = new Map<string, ForeignRow>();
    const applied = new Map<string, Version>();
    let baseline: Version | undefined;
    for (const row of rows.toSorted(byNumberIn("installed_rank"))) {
      const [type = "", version, script = ""] = [row.type, row.version, row.script].map(text);
      const number = version === undefined ? undefined : versionOf(version);
      const isBaseline = type.endsWith("BASELINE");
      // A repeatable migration is known by its description, and its last row counts.
      const key = number === undefined
        ? `R ${text(row.description)}`
        : `${isBaseline ? "B" : "V"} ${number.join(".")}`;
      const path = fileIn(script, number, paths);
      const known = { name: script, ...(path !== undefined && { path }) };
      if (!toBoolean(row.success)) {
        const at = text(row.installed_on);
        const failed = `Flyway calls it failed (${at}): 'flyway repair' settles that`;
        found.set(`failed ${key}`, { ...known, failed });
      } else if (type === "DELETE" || type.startsWith("UNDO")) {
        found.delete(key);
        applied.delete(key);
      } else if (type !== "SCHEMA") {
        if (isBaseline) baseline = number;
        if (number) applied.set(key, number);
        // Without a file of its own: it says no more than up to where all is there.
        if (type === "BASELINE") continue;
        const recorded = text(row.checksum);
        found.set(key, {
          ...known,
          ...(number === undefined && { repeatable: true }),
          ...(recorded !== undefined && { checksum: { recorded, of: checksums } }),
          ...execution("Flyway", row.installed_on, row.installed_by, row.execution_time),
        });
      }
    }
    const own = [...found.values()];
    const matched = new Set(own.map(({ path }) => path));
    const below = standingFor(paths, [...applied.values()], baseline)
      .filter(({ path }) => !matched.has(path));
    return { rows: [...below, ...own], order: inOrder(paths) };
  },
};

/** Files without a row that Flyway never applies: up to the baseline, and `B…` once a version is applied. */
function standingFor(
  paths: readonly string[],
  applied: readonly Version[],
  baseline: Version | undefined,
): readonly ForeignRow[] {
  // Files of other names may be what is below it, and nothing says which.
  const isUnclear = baseline !== undefined && !paths.some(versionOfFile);
  if (isUnclear) return [{ name: `baseline ${baseline.join(".")}` }];
  const last = applied.toSorted(compareVersions).at(-1);
  return paths.flatMap((path) => {
    const own = versionOfFile(path);
    const isBaseline = isBaselineFile(path);
    const until = isBaseline ? last : baseline;
    if (!own || !until || !isBaseline && compareVersions(own, until) > 0) return [];
    const why = isBaseline ? "baseline file; database is at version" : "baseline";
    return [{ name: `${baseName(path)} (${why} ${until.join(".")})`, path, isImplied: true }];
  });
}

/** By the script's path; after a file was moved by its name, and after it was renamed by its version, which a repeatable one has not. */
function fileIn(
  script: string,
  version: Version | undefined,
  paths: readonly string[],
): string | undefined {
  const exact = pathEnding(script, paths) ??
    paths.find((path) => baseName(path) === baseName(script));
  if (exact !== undefined || version === undefined) return exact;
  const isBaseline = isBaselineFile(script);
  return paths.find((path) => {
    const own = versionOfFile(path);
    return own !== undefined && isBaselineFile(path) === isBaseline &&
      compareVersions(own, version) === 0;
  });
}

function inOrder(paths: readonly string[]): readonly string[] {
  return [
    ...byVersion(paths, versionOfFile),
    ...paths.filter((path) => /^R__/.test(baseName(path))),
  ];
}

function isBaselineFile(path: string): boolean {
  return /^B\d/.test(baseName(path));
}

function versionOfFile(path: string): Version | undefined {
  return versionIn(stem(path), /^[VB](\d[\d._]*?)(?:__.*)?$/);
}

function checksums(bytes: Uint8Array): Promise<readonly string[]> {
  const source = new TextDecoder().decode(bytes);
  return Promise.resolve([source, withoutDirectives(source)].map(checksum));
}

function checksum(source: string): string {
  const lines = source.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return String(crc32(new TextEncoder().encode(lines.join(""))) | 0);
}
