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
  const { paths } = new DefaultMembers(kind, JSON.parse(text));
  return paths.reduce(
    (left, path) => applyEdits(left, modify(left, [...path], undefined, {})),
    text.trim(),
  );
}

type Path = readonly (string | number)[];

class DefaultMembers {
  readonly paths: Path[] = [];
  readonly #kind: Kind;
  readonly #state: string;
  /** Objects that are part of the compared form have no defaults. */
  readonly #verbatim = new Set<unknown>();
  #value: unknown;

  constructor(kind: Kind, value: unknown) {
    this.#kind = kind;
    this.#value = value;
    const state = kind.wanted(value);
    this.#state = JSON.stringify(state);
    this.#collect(state);
    this.#look(value, []);
  }

  #collect(state: unknown): void {
    if (typeof state !== "object" || state === null || this.#verbatim.has(state)) return;
    this.#verbatim.add(state);
    for (const part of Object.values(state)) this.#collect(part);
  }

  #look(value: unknown, path: Path): void {
    if (Array.isArray(value)) value.forEach((item, index) => this.#look(item, [...path, index]));
    if (!isObject(value) || this.#verbatim.has(value)) return;
    // From the last, so that the first of several alternative members stays.
    for (const [name, part] of Object.entries(value).reverse()) {
      const below = [...path, name];
      if (!this.#drop(below)) this.#look(part, below);
    }
  }

  #drop(path: Path): boolean {
    const rest = omitAt(this.#value, path);
    if (JSON.stringify(this.#kind.wanted(rest)) !== this.#state) return false;
    if (path.length === 1 && this.#isBody(this.#value) && !this.#isBody(rest)) return false;
    this.#value = rest;
    this.paths.push(path);
    return true;
  }

  #isBody(value: unknown): boolean {
    const text = JSON.stringify(value);
    const { file } = this.#kind;
    return file === undefined || isBodyOf(file, { text, members: membersOf(text, { offset: 0 }) });
  }
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
