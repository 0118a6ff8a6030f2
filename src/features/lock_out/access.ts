import { decodeLeniently as decoded, defined, nameOfToken } from "../../text/mod.ts";
import { bodyOf } from "../../migrations/search/json/json.ts";
import { isObject, type Json } from "../../migrations/search/json/json_values.ts";
import { kindOfList, SECURITY_PATH } from "../../migrations/search/kinds/security.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";

export interface Access {
  /** That of a kind; `account`: the user of the request; `other`: unknown, and perhaps not harmless. */
  readonly noun: string;
  readonly name?: string;
}

export interface Change {
  readonly name?: string;
  readonly value?: unknown;
  readonly member?: string;
  readonly isAddition?: boolean;
  /** Whether the result is unknown: clusters read the valid part of a body that is not JSON. */
  readonly isUnclear?: boolean;
}

const HARMLESS = ["tenants", "tenancy", "cache", "audit"];

export function accessOf({ method, path }: SearchRequest): Access | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  // Clusters accept slashes at the end, and proxies may accept more.
  const steps = (path.split("?")[0] ?? "").split("/").filter((step) => step !== "").map(decoded);
  const parts = SECURITY_PATH.exec(steps.map((step) => `/${encodeURIComponent(step)}`).join(""));
  const [list, name, deeper] = parts?.slice(1).map((part) => part && decoded(part)) ?? [];
  if (list === undefined || HARMLESS.includes(list)) return undefined;
  const noun = list === "account" ? list : kindOfList(list)?.noun;
  if (noun === undefined) return { noun: "other", name: list };
  // The only path below a name is that of a token for a user.
  if (deeper !== undefined) return undefined;
  return { noun, ...(name !== undefined && { name }) };
}

export function changesOf({ name }: Access, { method, body }: SearchRequest): readonly Change[] {
  if (method === "DELETE") return name === undefined ? [] : [{ name }];
  const json = bodyOf({ body });
  if (method === "PATCH") {
    if (!Array.isArray(json)) return [unclear(name)];
    return json.flatMap((step) => isObject(step) ? patched(step, name) : [unclear(name)]);
  }
  return [isObject(json) ? { ...(name !== undefined && { name }), value: json } : unclear(name)];
}

function patched({ op, path, from, value }: Json, list: string | undefined): readonly Change[] {
  switch (op) {
    case "test":
      return [];
    case "remove":
      return [changed(path, list)];
    case "add":
    case "replace":
      return [changed(path, list, value ?? null, op === "add")];
    case "copy":
      return [changed(path, list, null, true)];
    case "move":
      return [changed(from, list), changed(path, list, null, true)];
    default:
      return [unclear(list)];
  }
}

function changed(
  pointer: unknown,
  list: string | undefined,
  value?: unknown,
  isAdded = false,
): Change {
  if (typeof pointer !== "string" || (pointer !== "" && !pointer.startsWith("/"))) {
    return unclear(list);
  }
  const steps = pointer.split("/").slice(1).map(nameOfToken);
  const [name, member, ...deeper] = list === undefined ? steps : [list, ...steps];
  if (name === undefined) return unclear(undefined);
  const isAddition = isAdded && /^(?:\d+|-)$/.test(deeper.at(-1) ?? "");
  const whole = deeper.length > 0 ? undefined : value;
  return defined<Change>({ name, value: whole, member, isAddition: isAddition || undefined });
}

function unclear(name: string | undefined): Change {
  return { ...(name !== undefined && { name }), isUnclear: true };
}

/**
 * Whether a name certainly matches a pattern of the security plugin: `*` and `?`, or between slashes an expression of
 * Java. An expression that Java might read in another way matches no user.
 */
export function matches(pattern: string, name: string): boolean {
  const [, expression] = /^\/([^]*)\/$/.exec(pattern) ?? [];
  if (expression === undefined) return fits(pattern, name);
  if (!COMMON.test(expression) || !isQuick(expression) || !PLAIN.test(name)) return false;
  try {
    return new RegExp(`^(?:${expression})$`).test(name);
  } catch {
    return false;
  }
}

/** Whether a name fits a pattern of `*` and `?`; the steps are at most the product of their lengths. */
function fits(pattern: string, name: string): boolean {
  const characters = Array.from(name);
  const all = [...characters.keys(), characters.length];
  // How long the beginnings of the name are that the pattern so far fits.
  let ends = [0];
  for (const one of pattern) {
    ends = one === "*"
      ? all.slice(ends[0] ?? all.length)
      : ends.filter((end) => one === characters[end] || (one === "?" && end < characters.length))
        .map((end) => end + 1);
  }
  return ends.at(-1) === characters.length;
}

function isQuick(expression: string): boolean {
  const bare = expression.replace(/\\.|\[[^\]]*\]/g, "x").replaceAll("(?:", "(");
  const repetitions = bare.match(/[*+?{]/g) ?? [];
  return repetitions.length <= 3 && !/\)[*+?{]/.test(bare);
}

/** Expressions that mean the same in Java and in JavaScript consist of these alone. */
const COMMON = new RegExp(
  `^(?:${
    [
      /[\w @:=,%~!#&<>"'`;/-]/,
      /[.^$|)*+?]/,
      /\((?!\?)|\(\?:/,
      /\{\d{1,3}(?:,\d{0,3})?\}/,
      /\\[dw.*+?^$|()[\]{}/@:-]/,
      /\[\^?[\w.@:-]+\]/,
    ].map(({ source }) => source).join("|")
  })*$`,
);
/** Characters that both count as one, without line breaks. */
const PLAIN = /^[ -~\u00a1-\u1fff]*$/;
