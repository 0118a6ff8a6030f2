import { InvalidFilesError } from "../../migrations/runner/mod.ts";
import { hasLines } from "../../migrations/search/cluster/request.ts";
import { valueOf } from "../../migrations/search/json/json_values.ts";

export interface ForeignFiles {
  readonly extension: string;
  /** Empty if the file is one of ours already. Pure. @throws {InvalidFilesError} */
  rewrite(file: { readonly path: string; readonly bytes: Uint8Array }): readonly FileWrite[];
}

export interface FileWrite {
  readonly path: string;
  readonly text: string;
}

/** Turns files of elasticsearch-evolution into files as ours. */
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
