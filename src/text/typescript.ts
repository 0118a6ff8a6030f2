/** Parts of the TypeScript modules that commands write. */

export function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** The names of the types of a module, each given once. */
export class TypeNames {
  readonly #taken: Set<string>;

  /** @param reserved names that have another meaning in the module */
  constructor(reserved: Iterable<string>) {
    this.#taken = new Set(reserved);
  }

  /**
   * `UserAccounts` for `user_accounts`; with a number if it is taken, or a name of `with` is.
   * @param with names of further types that are made of it
   */
  take(name: string, { with: others = () => [] }: NameOptions = {}): string {
    const wanted = pascalCase(name);
    for (let number = 1;; number++) {
      const one = number === 1 ? wanted : `${wanted}${number}`;
      const all = [one, ...others(one)];
      if (all.some((each) => this.#taken.has(each))) continue;
      for (const each of all) this.#taken.add(each);
      return one;
    }
  }
}

interface NameOptions {
  readonly with?: (name: string) => readonly string[];
}

function pascalCase(name: string): string {
  const words = name.split(/[^\p{L}\p{Nd}$]+/u).map((word) => {
    const [first = "", ...rest] = word;
    return first.toUpperCase() + rest.join("");
  });
  return words.join("").replace(/^(?!\p{L}|\$)/u, "_");
}

/** A text as the comment of the declaration that follows it; nothing for an empty text. */
export function docComment(text: string, indent = ""): string {
  const lines = text.trim().replaceAll("*/", "*\\/").split(/\r?\n/).map((line) => line.trimEnd());
  if (lines.length > 1) {
    const inner = lines.map((line) => `${indent} *${line && ` ${line}`}\n`);
    return `${indent}/**\n${inner.join("")}${indent} */\n`;
  }
  return lines[0] === "" ? "" : `${indent}/** ${lines[0]} */\n`;
}

/** The head of a module that a command writes, and the declarations of {@linkcode known} that its body names. */
export function moduleOf(body: string, known: Readonly<Record<string, string>>): string {
  const used = new Map<string, string>();
  const collect = (text: string) => {
    for (const [name, declaration] of Object.entries(known)) {
      if (used.has(name) || !new RegExp(`\\b${name}\\b`).test(text)) continue;
      used.set(name, declaration);
      collect(declaration);
    }
  };
  collect(body);
  const declarations = Object.keys(known).flatMap((name) => used.get(name) ?? []);
  return [HEAD, ...declarations, body].join("\n");
}

const HEAD = `// Written by 'irori types'. Do not edit: run it again when the migrations change.
// deno-fmt-ignore-file
`;
