import { declaredPlaceholders, replaceParts } from "../../text/mod.ts";
import { classifyContent } from "../../migrations/search/files/classify.ts";
import { JsonFile } from "../../migrations/search/files/json_file.ts";
import { printed } from "../../migrations/search/json/json.ts";
import { LIFECYCLES } from "../../migrations/search/kinds/named.ts";
import { POLICIES } from "../../migrations/search/kinds/policies.ts";
import { INDEX_TEMPLATES } from "../../migrations/search/kinds/templates.ts";
import type { Kind } from "../../migrations/search/kinds/types.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";

export interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

export interface WrittenResource {
  readonly kind: Kind;
  readonly name: string;
  /** The body of the request: JSON text as it was read, or a value. An ISM policy is in `policy`. */
  readonly body: unknown;
}

/** The file that makes a resource: named by the convention, or with the whole request. */
export function fileOf(kind: Kind, name: string, body: unknown): WrittenFile {
  return writeFile({ kind, name, body }, /^[a-z\d][a-z\d._-]*$/);
}

/** Files of resources, in the order of a run; no two paths differ in case alone. */
export function filesOf<R extends WrittenResource>(
  resources: readonly R[],
): readonly (WrittenFile & { readonly of: R })[] {
  const all = resources.map((of) => ({ ...writeFile(of, /^[A-Za-z\d][\w. @-]*$/), of }));
  const byPath = Map.groupBy(all, ({ path }) => path.toLowerCase());
  return all.map((file) => {
    const { path, of } = file;
    const isAlone = byPath.get(path.toLowerCase())!.length === 1;
    return isAlone ? file : { ...fileOf(of.kind, of.name, of.body), of };
  }).sort((a, b) => a.path < b.path ? -1 : 1);
}

const ENDINGS: ReadonlyMap<Kind, string> = new Map([
  [INDEX_TEMPLATES, "-template"],
  [POLICIES, "-policy"],
  [LIFECYCLES, "-policy"],
]);

const MOST_BYTES = 200;

function writeFile({ kind, name, body }: WrittenResource, plain: RegExp): WrittenFile {
  const folder = kind.folder ?? "99-others";
  const ending = ENDINGS.get(kind) ?? kind.file?.ending ?? "";
  const stem = kind.isSingle && name === "" ? ending.slice(1) : `${name}${ending}`;
  const path = `${folder}/${stem}.json`;
  const text = printed(typeof body === "string" ? body : JSON.stringify(body));
  const request = { method: "PUT", path: kind.path(encodeURIComponent(name)), body: text };
  const isName = plain.test(stem) && stem.length <= MOST_BYTES && !isDeviceName(stem);
  if (ending !== "" && isName && makes(path, text, request)) return { path, text };
  const lines = [
    `"method": ${JSON.stringify(request.method)}`,
    `"path": ${JSON.stringify(request.path)}`,
    ...(kind.file?.isEmpty ? [] : [`"body": ${text}`]),
  ];
  return {
    path: `${folder}/${escapedName(name, ending)}${ending}.json`,
    text: printed(`{${lines.join(",")}}`),
  };
}

/** Windows reserves these names, with any extension. */
function isDeviceName(stem: string): boolean {
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(stem);
}

function makes(path: string, text: string, { method, path: target }: SearchRequest): boolean {
  try {
    const { kind, request } = classifyContent(new JsonFile(path, text));
    return kind !== "request" && request.method === method && request.path === target;
  } catch {
    return false;
  }
}

function escapedName(name: string, ending: string): string {
  const bytes = new TextEncoder().encode(name);
  const isDevice = isDeviceName(name + ending);
  const text = Array.from(bytes, (byte, index) => {
    const character = String.fromCharCode(byte);
    const isPlain = index === 0
      ? !isDevice && /[a-z\d]/.test(character)
      : /[a-z\d._-]/.test(character);
    return isPlain ? character : `=${byte.toString(16).padStart(2, "0")}`;
  }).join("");
  return text.length <= MOST_BYTES ? text : `${text.slice(0, MOST_BYTES - 20)}=${nameHash(bytes)}`;
}

/**
 * A name for the placeholder of a secret, `USER_ADA_PASSWORD`. It depends on the arguments alone, so that files agree on
 * it, and no two users get one secret.
 * @param subject the owner of the secret: `USER`, `REPOSITORY` @param name of the owner @param secret `PASSWORD`
 */
export function placeholderName(subject: string, name: string, secret: string): string {
  return `${subject}_${distinct(name)}_${capitals(secret)}`;
}

/** A run would fill `${name}`; `$${name}` is the text itself. */
export function escapedText(text: string, isDeclared: (name: string) => boolean): string {
  const declared = [...declaredPlaceholders(text, isDeclared)];
  return replaceParts(
    text,
    declared.map(({ start, end }) => ({ start, end, text: `$${text.slice(start, end)}` })),
  ).text;
}

/** `log-reader` is `LOG_READER`, `log_reader` is `LOG__READER`; any other name gets a hash. */
function distinct(name: string): string {
  if (/^[a-z\d]+(?:[-_][a-z\d]+)*$/.test(name)) return capitals(name.replaceAll("_", "__"));
  const hash = nameHash(new TextEncoder().encode(name)).slice(0, 8);
  return `${capitals(name).replace(/^_+|_+$/g, "").replace(/_+/g, "_")}___${capitals(hash)}`;
}

function capitals(text: string): string {
  return text.replace(/[^A-Za-z\d]/g, "_").toUpperCase();
}

/** FNV-1a of 64 bits, as 16 hexadecimal digits; not for secrets. */
function nameHash(name: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of name) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
