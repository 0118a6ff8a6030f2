/** A module, and how many tables, views or kinds of documents it describes. */
export interface TypeModule {
  readonly text: string;
  readonly count: number;
}

/** The names of the types of a module, each given once. */
export class TypeNames {
  readonly #taken: Set<string>;

  /** @param reserved names that have another meaning in the module */
  constructor(reserved: Iterable<string>) {
    this.#taken = new Set(reserved);
  }

  /**
   * `UserAccounts` for `user_accounts`; with a number if it is taken, or one of its relatives is.
   * @param relatives further names that are made of it
   */
  take(name: string, relatives: (name: string) => readonly string[] = () => []): string {
    const wanted = pascalCase(name);
    for (let number = 1;; number++) {
      const one = number === 1 ? wanted : `${wanted}${number}`;
      const all = [one, ...relatives(one)];
      if (all.some((each) => this.#taken.has(each))) continue;
      for (const each of all) this.#taken.add(each);
      return one;
    }
  }
}

function pascalCase(name: string): string {
  const words = name.split(/[^\p{L}\p{Nd}$]+/u).map((word) =>
    word.replace(/^./u, (first) => first.toUpperCase())
  );
  return words.join("").replace(/^(?!\p{L}|\$)/u, "_");
}

/** A text as the comment of the declaration that follows it; nothing for an empty text. */
export function docComment(text: string, indent = ""): string {
  const lines = text.trim().replaceAll("*/", "*\\/").split(/\r?\n/).map((line) => line.trimEnd());
  if (lines.length === 1) return lines[0] === "" ? "" : `${indent}/** ${lines[0]} */\n`;
  const inner = lines.map((line) => `${indent} *${line && ` ${line}`}\n`);
  return `${indent}/**\n${inner.join("")}${indent} */\n`;
}

const HEAD = `// Written by 'irori types'. Do not edit: run it again when the migrations change.
// deno-fmt-ignore-file
`;

export function moduleOf(body: string, known: Readonly<Record<string, string>>): string {
  const used = Object.entries(known).filter(([name]) => new RegExp(`\\b${name}\\b`).test(body));
  return [HEAD, ...used.map(([, declaration]) => declaration), body].join("\n");
}
