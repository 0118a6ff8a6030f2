/**
 * The name, or, where it is taken, the first of `name_2`, `name_3` and so on that is not; it is taken then.
 *
 * @param taken names that are
 */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  taken.add(free);
  return free;
}

/** A text as an identifier, which may be a word of the language. */
export function identifier(text: string): string {
  return text.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
}

/** The names of the types of a TypeScript module: one for each component. */
export class TypeNames {
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  /** @param own names that the module has itself */
  constructor(own: readonly string[]) {
    this.#taken = new Set([...KEYWORDS, ...TYPES, ...own]);
  }

  /** The type of a component. */
  of(component: string): string {
    const known = this.#names.get(component);
    if (known !== undefined) return known;
    const name = freeName(identifier(component), this.#taken);
    this.#names.set(component, name);
    return name;
  }
}

/** Words that no identifier of a module may be (ECMAScript, 12.7.2). */
export const KEYWORDS: readonly string[] = [
  ..."break case catch class const continue debugger default delete do else enum export".split(" "),
  ..."extends false finally for function if import in instanceof new null return super".split(" "),
  ..."switch this throw true try typeof var void while with await yield let static".split(" "),
  ..."implements interface package private protected public arguments eval".split(" "),
];

/** Types of the language and of its globals that the module names, or that no other type may be named like. */
const TYPES: readonly string[] = [
  ..."any bigint boolean never number object string symbol undefined unknown".split(" "),
  ..."Blob Date ReadableStream Record Response Uint8Array globalThis".split(" "),
  ..."asserts infer is keyof readonly unique".split(" "),
];
