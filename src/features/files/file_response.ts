import type { Context } from "hono";
import { getMimeType } from "hono/utils/mime";
import { etag, type Version } from "../conditional/mod.ts";
import {
  isRangeCurrent,
  preconditionStatus,
  type Validators,
} from "../conditional/preconditions.ts";
import {
  discard,
  HttpError,
  markFixed,
  NOSNIFF,
  UPGRADE,
  type Upgrade,
  valueKind,
} from "../../http/mod.ts";
import { openBelow, type OpenedFile } from "../../runtime/opened_file.ts";
import { contentDisposition, isServedName } from "./names.ts";
import { type Span, spansOf } from "./ranges.ts";

/** How {@linkcode fileResponse} describes a file to the client. */
export interface FileOptions {
  /** The media type. @default that of the extension of the path or `name`, otherwise `application/octet-stream` */
  readonly type?: string;
  /** The name under which clients save the file, instead of showing it (`Content-Disposition: attachment`). */
  readonly name?: string;
  /** The version of the file. @default of a path its size and time of change, as a weak tag; of a stream none */
  readonly etag?: Version;
}

/** Options of {@linkcode fileResponse} for a path. */
export interface FileAtPathOptions extends FileOptions {
  /** The folder that contains all files which may be sent; relative to the working directory. */
  readonly root: string | URL;
}

/** The bytes of a file, which a handler returns to send it. */
export type FileResponse = AsyncIterable<Uint8Array<ArrayBuffer>>;

/**
 * Sends a file below `root` as the response of a handler, with `ETag`, `Last-Modified`, preconditions and ranges of bytes
 * (RFC 9110, 13 and 14). A path may come from a request: 404 for what leads out of `root`, also by links, for dot files and
 * folders, device names of Windows, `:`, `\`, control characters, and names that end with a dot or a space.
 *
 * ```ts ignore
 * @GetMapping("/documents/{*path}", PathVariable("path"))
 * document(path: string) {
 *   return fileResponse(path, { root: "documents" });
 * }
 * ```
 *
 * @param path with `/` between its segments; one at the start is skipped
 * @throws {TypeError} without `root`
 */
export function fileResponse(path: string, options: FileAtPathOptions): FileResponse;
/** Sends a stream as a file. Its length is unknown, so that it has no ranges. */
export function fileResponse(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  options?: FileOptions,
): FileResponse;
export function fileResponse(
  source: string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  options: FileOptions & Partial<FileAtPathOptions> = {},
): FileResponse {
  if (typeof source !== "string") return responseOfStream(source as FileResponse, options);
  const { root } = options;
  if (root === undefined) {
    throw new TypeError(`Cannot send the file '${source}': expected the option 'root', a folder`);
  }
  return responseOfPath(source.replace(/^\//, ""), { ...options, root });
}

function responseOfPath(path: string, options: FileAtPathOptions): FileResponse & Upgrade {
  const open = async (shown: string) => {
    const file = await openBelow(options.root, path, isServedName);
    if (file) return file;
    throw new HttpError(404, `No resource at '${shown}'`);
  };
  return {
    async *[Symbol.asyncIterator]() {
      const file = await open(path);
      yield* bytesOf(file, [{ start: 0, end: file.size - 1 }]);
    },
    async [UPGRADE](context) {
      const file = await open(context.req.path);
      try {
        return await respond(context, file, path, options);
      } catch (error) {
        await file.close();
        throw error;
      }
    },
  };
}

function responseOfStream(stream: FileResponse, options: FileOptions): FileResponse & Upgrade {
  const tag = options.etag === undefined ? {} : { etag: etag(options.etag) };
  const headers = { ...fileHeaders("", options), ...headersOf(tag), "Accept-Ranges": "none" };
  return {
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
    async [UPGRADE](context) {
      const empty = withoutBody(context, headers, tag, () => discard(stream));
      if (empty) return empty;
      const type = headers["Content-Type"];
      const response = await valueKind(stream).open?.(stream, { context, type });
      return new Response(response ? response.body : stream as BodyInit, { headers });
    },
  };
}

function fileHeaders(path: string, { type, name }: FileOptions) {
  return {
    "Content-Type": type ?? getMimeType(path) ?? getMimeType(name ?? "") ?? BINARY,
    ...(name !== undefined && { "Content-Disposition": contentDisposition(name) }),
    ...NOSNIFF,
  };
}

const BINARY = "application/octet-stream";

/** @throws {HttpError} 412, 416 */
async function respond(
  context: Context,
  file: OpenedFile,
  path: string,
  options: FileOptions,
): Promise<Response> {
  const { method, raw } = context.req;
  const { size } = file;
  const validators = validatorsOf(file, options.etag);
  const headers: Record<string, string> = {
    ...fileHeaders(path, options),
    ...headersOf(validators),
    "Accept-Ranges": "bytes",
  };
  const whole = { ...headers, "Content-Length": `${size}` };
  const empty = withoutBody(context, whole, validators, file.close);
  if (empty) return empty;
  const isRanged = method === "GET" && isRangeCurrent(raw.headers, validators);
  const spans = isRanged ? spansOf(raw.headers.get("Range"), size) : undefined;
  if (spans === undefined) return await send(file, 200, headers, [{ start: 0, end: size - 1 }]);
  const [only, another] = spans;
  if (only === undefined) {
    const range = { "Content-Range": `bytes */${size}` };
    throw new HttpError(416, `Expected a range within ${size} bytes`, { headers: range });
  }
  if (another !== undefined) return await send(file, 206, headers, multipart(spans, size, headers));
  headers["Content-Range"] = rangeOf(only, size);
  return await send(file, 206, headers, spans);
}

/** Reads a small file at once, and any other while it is sent. */
async function send(
  file: OpenedFile,
  status: number,
  headers: Readonly<Record<string, string>>,
  parts: readonly BodyPart[],
): Promise<Response> {
  const length = parts.reduce(
    (sum, part) => sum + (part instanceof Uint8Array ? part.length : part.end - part.start + 1),
    0,
  );
  if (length > CHUNK) {
    const fields = { ...headers, "Content-Length": `${length}` };
    return new Response(streamOf(file, parts), { status, headers: fields });
  }
  const pieces = await Array.fromAsync(bytesOf(file, parts));
  const body = pieces.length === 1 ? pieces[0]! : new Blob(pieces);
  return markFixed(new Response(body, { status, headers }), false);
}

/** 304, or the response to HEAD, for which the source is given up. @throws {HttpError} 412 */
function withoutBody(
  { req: { method, raw } }: Context,
  headers: Readonly<Record<string, string>>,
  validators: Validators,
  giveUp: () => unknown,
): Response | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const status = preconditionStatus(raw.headers, validators);
  if (status === undefined && method === "GET") return undefined;
  giveUp();
  if (status === undefined) return new Response(null, { headers });
  if (status === 304) return new Response(null, { status, headers: headersOf(validators) });
  throw new HttpError(status, "The file has another version than the request names");
}

/** A file that was changed less than two seconds ago may change again without another `Last-Modified`. */
function validatorsOf({ size, modified }: OpenedFile, version?: Version): Validators {
  const seconds = modified - modified % 1000;
  return {
    etag: etag(version ?? `W/"${size.toString(16)}-${modified.toString(16)}"`),
    ...(seconds + 2000 <= Date.now() && { modified: seconds }),
  };
}

function headersOf({ etag, modified }: Validators): Readonly<Record<string, string>> {
  return {
    ...(etag !== undefined && { "ETag": etag }),
    ...(modified !== undefined && { "Last-Modified": new Date(modified).toUTCString() }),
  };
}

type BodyPart = Span | Uint8Array<ArrayBuffer>;

/** The parts, and their type in `headers` (RFC 9110, 14.6). */
function multipart(
  spans: readonly Span[],
  size: number,
  headers: Record<string, string>,
): readonly BodyPart[] {
  const encoder = new TextEncoder();
  const boundary = crypto.randomUUID();
  const type = headers["Content-Type"];
  headers["Content-Type"] = `multipart/byteranges; boundary=${boundary}`;
  const parts = spans.flatMap((span, index): BodyPart[] => {
    const fields = `Content-Type: ${type}\r\nContent-Range: ${rangeOf(span, size)}`;
    const start = index === 0 ? "" : "\r\n";
    return [encoder.encode(`${start}--${boundary}\r\n${fields}\r\n\r\n`), span];
  });
  return [...parts, encoder.encode(`\r\n--${boundary}--\r\n`)];
}

function rangeOf({ start, end }: Span, size: number): string {
  return `bytes ${start}-${end}/${size}`;
}

/** Closes the file at its end, and when the client does not want the rest. */
function streamOf(file: OpenedFile, parts: readonly BodyPart[]): ReadableStream<Uint8Array> {
  const bytes = bytesOf(file, parts);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => file.close(),
  }, { highWaterMark: 0 });
}

const CHUNK = 65_536;

async function* bytesOf(
  file: OpenedFile,
  parts: readonly BodyPart[],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  try {
    for (const part of parts) {
      if (part instanceof Uint8Array) {
        yield part;
        continue;
      }
      for (let at = part.start; at <= part.end;) {
        const bytes = await file.read(at, Math.min(CHUNK, part.end - at + 1));
        at += bytes.length;
        yield bytes;
      }
    }
  } finally {
    await file.close();
  }
}
