import { isBodiless } from "../runtime/web.ts";
import { pointerToken } from "../text/mod.ts";
import { isPieceSource, Pieces, PLAIN_PIECES } from "./pieces.ts";
import { isProblemDetail } from "./problem.ts";

export type RawBody = string | ArrayBufferView<ArrayBuffer> | ArrayBuffer | Blob | ReadableStream;

/**
 * Whether a value is neither an object of a class, nor a problem, nor given piece by piece: most are, and nothing more has to be asked
 * of them. Bodies, responses and entities have prototypes of their own.
 */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  return Object.getPrototypeOf(value) === Object.prototype && !(Symbol.asyncIterator in value) &&
    !isProblemDetail(value);
}

export { isBodiless };

export function discard(body: unknown): void {
  // No caller is left that could receive the error.
  if (body instanceof ReadableStream) body.cancel().catch(() => {});
  else if (isPieceSource(body)) new Pieces(body, PLAIN_PIECES).stream().cancel().catch(() => {});
}

export function discardBody(response: Response): void {
  if (isCancellable(response)) discard(response.body);
}

/**
 * Whether the body of a response may be cancelled. Node 24 adds to that of a `FormData` even then, by which the process
 * would end (undici 7.20 and later); such a body holds nothing that has to be released.
 */
export function isCancellable({ headers }: Response): boolean {
  return !headers.get("content-type")?.includes("-formdata-undici-");
}

/** @throws {TypeError} for a bigint, a cycle, a function, a symbol, a `Map`, an `Error` */
export function toJson(value: unknown): string {
  checkWritable(value);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw unwritable(value, cause);
  }
  if (text === undefined) throw new TypeError(`Cannot write a value as JSON: it is ${kind(value)}`);
  return text;
}

/** Names the value that JSON cannot hold, with its place; an error of a getter or `toJSON` stays as it is. */
function unwritable(value: unknown, cause: unknown): unknown {
  const values: unknown[] = [];
  const keys: string[] = [];
  try {
    JSON.stringify(value, function (this: unknown, key, value) {
      // The object around it is the last one, except for those that are written already.
      const depth = values.lastIndexOf(this) + 1;
      values.splice(depth, Infinity, value);
      keys.splice(depth, Infinity, key);
      return value;
    });
  } catch {
    // For the second time.
  }
  const last = values.at(-1);
  const isCycle = typeof last === "object" && values.indexOf(last) < values.length - 1;
  if (typeof last !== "bigint" && !isCycle) return cause;
  const what = isCycle ? "a cycle" : "a bigint";
  const found = keys.length > 1
    ? `it has ${what} at '${keys.map(pointerToken).join("/")}'`
    : `it is ${what}`;
  return new TypeError(`Cannot write a value as JSON: ${found}`, { cause });
}

/** Refuses what JSON and XML would write as if it were empty. @throws {TypeError} */
export function checkWritable(value: unknown): void {
  if (isPlain(value) || "toJSON" in (value as object)) return;
  const advice = value instanceof Map
    ? "a Map; expected Object.fromEntries(map)"
    : value instanceof Error
    ? "an Error; expected it to be thrown"
    : Symbol.iterator in (value as object) && Object.keys(value as object).length === 0
    ? "an iterable; expected a list, such as [...iterable]"
    : undefined;
  if (advice !== undefined) throw new TypeError(`Cannot write a value: it is ${advice}`);
}

function kind(value: unknown): string {
  if (value === undefined) return "undefined";
  return typeof value === "object" ? "an object that says so itself" : `a ${typeof value}`;
}
