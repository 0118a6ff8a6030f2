import type { ConfigValue } from "../../../config/mod.ts";
import {
  type DeclaredPlaceholder,
  declaredPlaceholders,
  type FilledText,
  hexDigest,
  isSecret,
  isSecretPlaceholder,
  type Replacement,
  replaceParts,
} from "../../../text/mod.ts";
import { inParallel, type MigrationFile } from "../../runner/mod.ts";
import { type JsonProblem, jsonProblem } from "../json/json.ts";
import { isObject, valueOf } from "../json/json_values.ts";

export type Placeholders = Readonly<Record<string, PlaceholderValue>>;

export interface PlaceholderValue {
  readonly data: ConfigValue;
  readonly json: string;
  /** Within a text; maps and lists have none. */
  readonly text?: string;
}

/**
 * Fills the values of declared placeholders into JSON text: `${name}` as the only content of a string value becomes the
 * value as JSON, within a text or a key it becomes text, and `$${name}` is the text `${name}`. Everything else stays.
 */
export function filledText(source: string, placeholders: Placeholders): FilledText | JsonProblem {
  const used = usedIn(source, placeholders);
  const problem = used.length === 0 ? undefined : problemOf(source, used, placeholders);
  return problem ?? replaceParts(
    source,
    used.map(({ name, start, end, isEscaped }): Replacement => {
      if (isEscaped) return { start, end, text: source.slice(start + 1, end) };
      const { json, text = "" } = placeholders[name]!;
      return isWholeValue(source, start, end)
        ? { start: start - 1, end: end + 1, text: json }
        : { start, end, text: JSON.stringify(text).slice(1, -1) };
    }),
  );
}

/** The text has to be JSON before it is filled, so that editors and other tools can read it. */
function problemOf(
  source: string,
  used: readonly DeclaredPlaceholder[],
  placeholders: Placeholders,
): JsonProblem | undefined {
  const problem = jsonProblem(source);
  if (problem) {
    const unquoted = used.find(({ start }) => start === problem.offset);
    if (unquoted === undefined) return problem;
    const message = `A placeholder needs quotes, whatever its value is: "\${${unquoted.name}}"`;
    return { ...problem, message };
  }
  for (const { name, start: offset, end, isEscaped } of used) {
    const { data, text } = placeholders[name]!;
    if (isEscaped || text !== undefined || isWholeValue(source, offset, end)) continue;
    const kind = Array.isArray(data) ? "list" : "map";
    const message = `'\${${name}}' is a ${kind}: use it only as a whole value, "\${${name}}"`;
    return { offset, message };
  }
}

/** Whether it is the whole content of a string value. The text is JSON, so it is in a string. */
function isWholeValue(source: string, start: number, end: number): boolean {
  if (source[start - 1] !== '"' || source[start - 2] === "\\" || source[end] !== '"') return false;
  const colon = /[ \t\r\n]*:/y;
  colon.lastIndex = end + 1;
  return !colon.test(source);
}

/** Requests with secrets that a cluster keeps: users of either kind, their account, repositories. */
const KEEPS_SECRETS = /\/_security\/|^\/*_snapshot\//;

/**
 * Why a file is rejected: the text of an unfilled placeholder would become the secret. This looks at the file before it is
 * filled, because a filled value may look like a placeholder.
 */
export function unfilledSecret(
  path: string,
  source: string,
  placeholders: Placeholders,
): string | undefined {
  if (!KEEPS_SECRETS.test(path)) return undefined;
  for (const [name, text] of textsIn(JSON.parse(source))) {
    if (!isSecret(name) && name !== "hash") continue;
    const declared = usedIn(text, placeholders).map((one) => ({ ...one, text: " " }));
    const [left] = /\$\{[^}]*\}/.exec(replaceParts(text, declared).text) ?? [];
    if (left === undefined) continue;
    // Within a longer text it may be a part of the secret itself.
    const what = left === text ? `the placeholder ${left}` : "a placeholder";
    return `'${name}' has ${what}, which 'migrations.placeholders' of the ` +
      "connection does not declare";
  }
}

/** All texts with the names of their members; a step of a JSON Patch names one by its path. */
function* textsIn(value: unknown, name = ""): Generator<readonly [name: string, text: string]> {
  if (typeof value === "string") {
    yield [name, value];
    // A request may have its body as a text.
    if (name === "body") yield* textsIn(valueOf(value));
  } else if (Array.isArray(value)) { for (const item of value) yield* textsIn(item, name); }
  else if (isObject(value)) {
    const target = typeof value.path === "string" ? value.path.replace(/^.*\//s, "") : undefined;
    for (const [member, part] of Object.entries(value)) {
      yield* textsIn(part, member === "value" ? target ?? member : member);
    }
  }
}

const AT_ONCE = 4;

/** The files with what is filled into each (ADR 150), in the same order. @throws {InvalidFilesError} */
export async function withValues(
  files: readonly MigrationFile[],
  placeholders: Placeholders,
): Promise<readonly MigrationFile[]> {
  return await inParallel(files, AT_ONCE, async (file) => {
    const values = await valuesIn(await file.read(), placeholders);
    return values ? { ...file, values } : file;
  });
}

function usedIn(source: string, placeholders: Placeholders): readonly DeclaredPlaceholder[] {
  return [...declaredPlaceholders(source, (name) => Object.hasOwn(placeholders, name))];
}

async function valuesIn(
  bytes: Uint8Array,
  placeholders: Placeholders,
): Promise<MigrationFile["values"]> {
  if (!hasOpening(bytes)) return undefined;
  // Text that is not UTF-8 is rejected where it is read as JSON.
  const used = usedIn(new TextDecoder().decode(bytes), placeholders);
  if (used.length === 0) return undefined;
  const namesOf = (isEscaped: boolean) => {
    const names = used.filter((one) => one.isEscaped === isEscaped).map(({ name }) => name);
    return [...new Set(names)].sort();
  };
  const filled = namesOf(false);
  const secretNames = filled.filter((name) => hasSecret(name, placeholders[name]!.data));
  const facts = [
    ...filled.map((name) => [name, publicPart(name, placeholders[name]!)]),
    // A newly declared name changes escaped ones too.
    ...namesOf(true).map((name) => [`$${name}`]),
  ];
  const secrets = await secretsCheck(secretNames, placeholders);
  return {
    hash: await hexDigest(JSON.stringify(facts)),
    ...(secrets !== undefined && { secrets }),
    names: filled.filter((name) => !isSecretPlaceholder(name)),
    secretNames,
  };
}

const [DOLLAR, BRACE] = [0x24, 0x7b];

function hasOpening(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(DOLLAR); at >= 0; at = bytes.indexOf(DOLLAR, at + 1)) {
    if (bytes[at + 1] === BRACE) return true;
  }
  return false;
}

function hasSecret(name: string, value: unknown): boolean {
  return isSecretPlaceholder(name) ||
    (isMapOrList(value) && Object.entries(value).some(([key, item]) => hasSecret(key, item)));
}

/** A value without its secret parts, its keys sorted: `null` where that is all of it. */
function publicPart(name: string, { data, json }: PlaceholderValue): unknown {
  if (isSecretPlaceholder(name)) return null;
  // A number as it is sent: `1.0` and `1` are two texts.
  return typeof data === "object"
    ? ["object", sorted(data, (key) => !isSecretPlaceholder(key))]
    : [typeof data, json];
}

function sorted(value: unknown, isKept: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item, isKept));
  if (!isMapOrList(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => isKept(key))
      .sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) => [key, sorted(item, isKept)]),
  );
}

/** Eight bits: the sum of those of its secrets, so that many records reveal no more than one. */
async function secretsCheck(
  names: readonly string[],
  placeholders: Placeholders,
): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  let sum = 0;
  for (const name of names) {
    const { data, json } = placeholders[name]!;
    const value = isMapOrList(data) ? JSON.stringify(sorted(data, () => true)) : json;
    sum += parseInt((await hexDigest(JSON.stringify(["secret", name, value]))).slice(0, 2), 16);
  }
  return (sum % 256).toString(16).padStart(2, "0");
}

function isMapOrList(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
