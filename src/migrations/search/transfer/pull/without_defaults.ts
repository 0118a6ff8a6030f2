import { applyEdits, modify } from "jsonc-parser";
import { isObject } from "../../json/json_values.ts";
import { membersOf } from "../../json/json.ts";
import { isBodyOf } from "../../kinds/names.ts";
import type { Kind } from "../../kinds/types.ts";

/**
 * A body without default members: a member that does not change the compared form is a default of the cluster. The rest
 * keeps its text and order.
 */
export function withoutDefaults(kind: Kind, text: string): string {
  const paths = defaultPaths(kind, JSON.parse(text));
  return paths.reduce(
    (left, path) => applyEdits(left, modify(left, [...path], undefined, {})),
    text.trim(),
  );
}

type Path = readonly (string | number)[];

function defaultPaths(kind: Kind, body: unknown): readonly Path[] {
  const wanted = kind.wanted(body);
  const state = JSON.stringify(wanted);
  // Objects that are part of the compared form have no defaults.
  const verbatim = new Set<unknown>();
  const collect = (part: unknown): void => {
    if (typeof part !== "object" || part === null || verbatim.has(part)) return;
    verbatim.add(part);
    Object.values(part).forEach(collect);
  };
  collect(wanted);
  const paths: Path[] = [];
  let left = body;
  const drops = (path: Path): boolean => {
    const rest = omitAt(left, path);
    if (JSON.stringify(kind.wanted(rest)) !== state) return false;
    if (path.length === 1 && isBody(kind, left) && !isBody(kind, rest)) return false;
    left = rest;
    paths.push(path);
    return true;
  };
  const visit = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]));
    if (!isObject(value) || verbatim.has(value)) return;
    // From the last, so that the first of several alternative members stays.
    for (const [name, part] of Object.entries(value).reverse()) {
      const below = [...path, name];
      if (!drops(below)) visit(part, below);
    }
  };
  visit(body, []);
  return paths;
}

function isBody({ file }: Kind, value: unknown): boolean {
  const text = JSON.stringify(value);
  return file === undefined || isBodyOf(file, { text, members: membersOf(text, { offset: 0 }) });
}

function omitAt(value: unknown, [first, ...rest]: Path): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => index === first ? omitAt(item, rest) : item);
  }
  const members = Object.entries(value as object);
  return Object.fromEntries(
    rest.length === 0
      ? members.filter(([name]) => name !== first)
      : members.map(([name, part]) => [name, name === first ? omitAt(part, rest) : part]),
  );
}
