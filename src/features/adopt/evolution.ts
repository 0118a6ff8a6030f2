import {
  byVersion,
  compareVersions,
  type FileWrite,
  type ForeignFiles,
  type ForeignHistory,
  type ForeignMatch,
  InvalidFilesError,
  readTime,
  type Version,
  versionIn,
  versionOf,
} from "../../migrations/runner/mod.ts";
import { describeFailure } from "../../migrations/search/cluster/answer.ts";
import { type Cluster, TransportError } from "../../migrations/search/cluster/cluster.ts";
import { hasLines } from "../../migrations/search/cluster/request.ts";
import { field, valueOf } from "../../migrations/search/json/json_values.ts";

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
    const message = `Cannot read the index '${INDEX}' on ${answer.host}: ${
      describeFailure(answer)
    }`;
    throw new TransportError(connection, cluster.redact(message), false);
  }
  if (hits.length === 0) return [];
  const rows = hits.map((hit) => field(hit, "_source") as Source);
  return [{
    ...history,
    isEmpty: rows.every(isInternal),
    match: (paths) => matchRows(rows, paths),
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
        const path = fileOf(name, version, paths);
        const checksum = {
          recorded: String(row.checksum),
          of: hashCodes,
          original: path === undefined ? name : path.replace(/\.json$/i, ".http"),
        };
        return {
          name,
          ...(path !== undefined && { path }),
          ...(row.success !== true && { failed: "elasticsearch-evolution recorded a failure" }),
          ...(typeof row.checksum === "number" && { checksum }),
          executedAt: readTime(row.executionTimestamp),
          executedBy: "elasticsearch-evolution",
          ...(typeof row.executionRuntimeInMillis === "number" && {
            durationMs: row.executionRuntimeInMillis,
          }),
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

function fileOf(name: string, version: Version, paths: readonly string[]): string | undefined {
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

export const HTTP_FILES: ForeignFiles = { extension: ".http", rewrite };

const METHODS = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)[ \t]+(\S+)[ \t]*$/;

/** The first line is method and path, lines up to an empty one are headers, the rest is the body. */
function rewrite(
  { path, bytes }: Parameters<ForeignFiles["rewrite"]>[0],
): readonly FileWrite[] {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
  // Comments count everywhere, also in bodies.
  const isComment = (line: string) => /^(?:#|\/\/)/.test(line);
  const first = lines.findIndex((line) => line.trim() !== "" && !isComment(line));
  const request = METHODS.exec(lines[first] ?? "");
  if (request === null) {
    const message = "Expected a method and a path in the first line, as in 'PUT /logs', found " +
      `'${(lines[first] ?? "").slice(0, 80)}'`;
    throw invalid(path, message, Math.max(first, 0) + 1);
  }
  const [, method = "", target = ""] = request;
  const empty = lines.findIndex((line, index) => index > first && line.trim() === "");
  const body = empty < 0
    ? ""
    : lines.slice(empty + 1).filter((line) => !isComment(line)).join("\n").trim();
  for (const [index, line] of lines.slice(first + 1, empty < 0 ? undefined : empty).entries()) {
    if (isComment(line) || /^(?:content-type|accept)[ \t]*[:=]/i.test(line)) continue;
    const message = `Expected an empty line before the body, found '${line.slice(0, 80)}': ` +
      "headers other than Content-Type and Accept are not supported";
    throw invalid(path, message, first + index + 2);
  }
  const head = { method, path: target.startsWith("/") ? target : `/${target}` };
  const json = path.replace(/\.http$/i, ".json");
  if (body === "") return [{ path: json, text: `${JSON.stringify(head, null, 2)}\n` }];
  if (hasLines(head)) return [{ path: json, text: enveloped(head, JSON.stringify(`${body}\n`)) }];
  const isJson = /^[{[]/.test(body) && valueOf(body) !== undefined;
  if (!isJson) return [{ path: json, text: enveloped(head, JSON.stringify(body)) }];
  // Not serialized again, so numbers keep their digits.
  return [{ path: json, text: enveloped(head, body.replaceAll("\n", "\n  ")) }];
}

function enveloped({ method, path }: { method: string; path: string }, body: string): string {
  return `{\n  "method": ${JSON.stringify(method)},\n  "path": ${JSON.stringify(path)},\n` +
    `  "body": ${body}\n}\n`;
}

function invalid(path: string, message: string, line: number): InvalidFilesError {
  return new InvalidFilesError([{ severity: "error", path, message, line, column: 1 }]);
}
