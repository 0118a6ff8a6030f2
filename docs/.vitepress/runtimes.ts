/** How a block of code is written on a runtime. */
export interface Variant {
  /** The runtime's name, as on its tab. */
  readonly runtime: string;
  readonly code: string;
}

/**
 * The spellings of a block: guides write `@irori/irori`, which is the name on JSR; npm's is `irori`. Blocks that import
 * the library or run its command line have one for each runtime, others have none.
 */
export function variantsOf(language: string, code: string): readonly Variant[] {
  if (/^(?:ts|tsx|js)$/.test(language)) {
    return IMPORT.test(code) ? RUNTIMES.map(imported(code)) : [];
  }
  if (language === "sh") return COMMAND.test(code) ? RUNTIMES.map(typed(code)) : [];
  return [];
}

interface Runtime {
  readonly name: string;
  readonly library: string;
  readonly command: string;
  readonly add: (packages: readonly string[], isForDevelopment: boolean) => string;
}

const RUNTIMES: readonly Runtime[] = [
  {
    name: "Deno",
    library: "@irori/irori",
    command: "deno run -A jsr:@irori/irori/cli",
    add: (packages, isForDevelopment) =>
      `deno add${isForDevelopment ? " --dev" : ""} ${
        packages.filter((name) => name !== "hono")
          .map((name) => name === "irori" ? "jsr:@irori/irori" : `npm:${name}`).join(" ")
      }`,
  },
  {
    name: "Node",
    library: "irori",
    command: "npx irori",
    add: (packages, isForDevelopment) =>
      `npm install${isForDevelopment ? " --save-dev" : ""} ${packages.join(" ")}`,
  },
  {
    name: "Bun",
    library: "irori",
    command: "bunx irori",
    add: (packages, isForDevelopment) =>
      `bun add${isForDevelopment ? " --dev" : ""} ${packages.join(" ")}`,
  },
];

const IMPORT = /(\bfrom |\bimport\(|\bimport )"@irori\/irori(?=["/])/;
/** The command line, or what is installed with it, at the beginning of a line or after a variable. */
const COMMAND =
  /^((?:[A-Z_]+=\S+ )*)(?:deno run -A jsr:@irori\/irori\/cli|npx irori|irori)(?= |$)|^npm install (.*\birori\b)/m;

function imported(code: string): (runtime: Runtime) => Variant {
  const every = new RegExp(IMPORT, "g");
  return ({ name, library }) => ({
    runtime: name,
    code: code.replace(every, (_, before: string) => `${before}"${library}`),
  });
}

function typed(code: string): (runtime: Runtime) => Variant {
  const every = new RegExp(COMMAND.source.split("|^npm")[0]!, "gm");
  return ({ name, command, add }) => ({
    runtime: name,
    code: code
      .replace(every, (_, variables: string) => variables + command)
      .replace(
        /^npm install( --save-dev)? ([^#\n]*?)( *#.*)?$/gm,
        (_, dev, packages, comment) =>
          add(packages.split(" "), dev !== undefined) + (comment ?? ""),
      )
      // Readers of the file are told the other spelling; here it has a tab.
      .replace(/ +# npx irori\b.*$/gm, ""),
  });
}

/** A token of markdown-it, as far as it is looked at here. */
interface Token {
  readonly type: string;
  readonly tag: string;
  readonly content: string;
  info: string;
}

/** What a rule of markdown-it is given. */
interface State {
  tokens: Token[];
  readonly env: { readonly isForSearch?: boolean };
  readonly Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;
}

/** Markdown-it, as far as it is used here. */
interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
}

/** Makes blocks that have variants groups with a tab for each runtime. The search looks at one of them alone. */
export function runtimeTabs(markdown: Markdown): void {
  markdown.core.ruler.push("runtime_tabs", (state) => {
    state.tokens = state.tokens.flatMap((token) => {
      if (token.type !== "fence") return [token];
      const [language = ""] = token.info.trim().split(/\s+/);
      token.info = language;
      const variants = state.env.isForSearch ? [] : variantsOf(language, token.content);
      if (variants.length === 0) return [token];
      return [
        new state.Token("container_code-group_open", "div", 1),
        ...variants.map(({ runtime, code }) =>
          Object.assign(new state.Token("fence", "code", 0), {
            content: code,
            info: `${language} [${runtime}]`,
            markup: "```",
            block: true,
          })
        ),
        new state.Token("container_code-group_close", "div", -1),
      ];
    });
  });
}
