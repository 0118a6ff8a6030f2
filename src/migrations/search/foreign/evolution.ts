import {
  byVersion,
  compareVersions,
  type ForeignHistory,
  type ForeignMatch,
  readTime,
  type Version,
  versionIn,
  versionOf,
} from "../../runner/mod.ts";
import { describeFailure } from "../cluster/answer.ts";
import { type Cluster, TransportError } from "../cluster/cluster.ts";
import { defined } from "../../../text/mod.ts";
import { field, numberOf } from "../json/json_values.ts";

const INDEX = "es_evolution";
const MAX_HITS = 10_000;

type Source = Readonly<Record<string, unknown>>;

export function mayBeEvolution(files: readonly { readonly path: string }[]): boolean {
  return files.some(({ path }) => versionOfFile(path) !== undefined);
}

export async function evolutionHistory(
  cluster: Cluster,
  connection: string,
): Promise<readonly ForeignHistory[]> {
  const body = JSON.stringify({ size: MAX_HITS });
  const path = `/${INDEX}/_search?ignore_unavailable=true`;
  const answer = await cluster.ask({ method: "POST", path, body });
  const history = {
    id: "elasticsearch-evolution",
    tool: "elasticsearch-evolution",
    place: `the index '${INDEX}'`,
  };
  if (answer.status === 403) return [{ ...history, isEmpty: false, isUnreadable: true }];
  const hits = field(answer.json, "hits", "hits");
  if (answer.status !== 200 || !Array.isArray(hits)) {
    const message = `Cannot read the index '${INDEX}' on ${answer.host}: ` +
      describeFailure(answer);
    throw new TransportError(connection, cluster.redact(message), false);
  }
  if (hits.length === 0) return [];
  const rows = hits.map((hit) => field(hit, "_source") as Source);
  return [{
    ...history,
    isEmpty: rows.every(isInternal),
    match: (files) => matchRows(rows, files.map(({ path }) => path)),
  }];
}

export function matchRows(rows: readonly Source[], paths: readonly string[]): ForeignMatch {
  const locked = rows.filter((row) => row.locked === true);
  const ordered = rows.filter((row) => !isInternal(row))
    .flatMap((row) => {
      const version = versionOf(String(row.version));
      return version ? [{ row, version }] : [];
    })
    .sort((a, b) => compareVersions(a.version, b.version));
  return {
    rows: [
      ...ordered.map(({ row, version }) => {
        const name = String(row.scriptName);
        const path = fileIn(name, version, paths);
        const checksum = {
          recorded: String(row.checksum),
          of: hashCodes,
          original: path === undefined ? name : path.replace(/\.json$/i, ".http"),
        };
        return {
          name,
          ...defined({ path, durationMs: numberOf(row.executionRuntimeInMillis) }),
          ...(row.success !== true && { failed: "elasticsearch-evolution recorded a failure" }),
          ...(typeof row.checksum === "number" && { checksum }),
          executedAt: readTime(row.executionTimestamp),
          executedBy: "elasticsearch-evolution",
        };
      }),
      ...locked.length === 0 ? [] : [{
        name: String(locked[0]!.scriptName),
        failed: "elasticsearch-evolution holds its lock: it is running, or was killed",
      }],
    ],
    order: byVersion(paths, versionOfFile),
  };
}

function isInternal({ version }: Source): boolean {
  const [major] = versionOf(String(version)) ?? [];
  return major === undefined || major === 0n;
}

function fileIn(name: string, version: Version, paths: readonly string[]): string | undefined {
  const json = name.replace(/\.[^.]*$/, ".json");
  return paths.find((path) => path === json || path.endsWith(`/${json}`)) ??
    paths.find((path) => {
      const own = versionOfFile(path);
      return own !== undefined && compareVersions(own, version) === 0;
    });
}

function versionOfFile(path: string): Version | undefined {
  return versionIn(path, /(?:^|\/)V(\d+(?:\.\d+)*)__[^/]*$/);
}

/** Java's `String.hashCode()` of the content with LF, with and without line breaks at the end. */
function hashCodes(bytes: Uint8Array): Promise<readonly string[]> {
  const text = new TextDecoder().decode(bytes).replace(/\r\n|\r/g, "\n");
  return Promise.resolve([text, text.replace(/\n+$/, "")].map(hashCode));
}

/** Strings of ECMA-262 and of Java both consist of UTF-16 units. */
function hashCode(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return String(hash);
}
