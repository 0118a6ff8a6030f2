/** How a block of code is written on a runtime. */
export interface Variant {
  /** The runtime's name, as on its tab. */
  readonly runtime: string;
  readonly code: string;
}

/**
 * The spellings of a block: guides write `@irori/irori`, which is the name on JSR; npm's is `irori`. Blocks that import
 * the library or run its command line have one for each runtime, others have none, and neither has what is Deno's alone.
 */
export function variantsOf(language: string, code: string): readonly Variant[] {
  if (/^(?:ts|tsx|js)$/.test(language)) {
    if (!IMPORT.test(code)) return [];
    const variants = RUNTIMES.map(imported(code));
    return variants.some(({ runtime, code }) => runtime !== "Deno" && OF_DENO.test(code))
      ? []
      : variants;
  }
  if (OF_DENO.test(code)) return [];
  if (language === "sh") {
    return [CALL, ADDITION, SCRIPT].some((pattern) => pattern.test(code))
      ? RUNTIMES.map(typed(code))
      : [];
  }
  return [];
}

interface Runtime {
  readonly name: string;
  readonly library: string;
  readonly command: string;
  /** How packages are added; absent where pages write it so. */
  readonly add?: (packages: readonly string[], isForDevelopment: boolean) => string;
  /** Rewrites the commands of a generated project; absent for the runtime whose commands the pages show. */
  readonly scripts?: readonly (readonly [pattern: RegExp, text: string])[];
}

const RUNTIMES: readonly Runtime[] = [
  {
    name: "Node",
    library: "irori",
    command: "npx irori",
  },
  {
    name: "Deno",
    library: "@irori/irori",
    command: "deno run -A jsr:@irori/irori/cli",
    add: (packages, isForDevelopment) =>
      `deno add${isForDevelopment ? " --dev" : ""} ${
        packages.filter((name) => name !== "hono")
          .map((name) => name === "irori" ? "jsr:@irori/irori" : `npm:${name}`).join(" ")
      }`,
    scripts: [
      [
        /npm create irori (\S+) -- --runtime node/g,
        "deno create jsr:@irori/irori -- $1 --runtime deno",
      ],
      [/^npm install\n|npm install && /gm, ""],
      [/npm run (?:-s )?|npm (?=test|start)/g, "deno task "],
      [/npx tsx /g, "deno run -E -N "],
      [/npx irori-migrate\b/g, "deno run -A npm:irori-migrate"],
    ],
  },
  {
    name: "Bun",
    library: "irori",
    command: "bunx irori",
    add: (packages, isForDevelopment) =>
      `bun add${isForDevelopment ? " --dev" : ""} ${packages.join(" ")}`,
    scripts: [
      [/npm create irori (\S+) -- --runtime node/g, "bunx --bun create-irori $1 --runtime bun"],
      [/npm install(?=\n| &&)/g, "bun install"],
      [/npm run (?:-s )?|npm (?=start)/g, "bun run "],
      [/npm test/g, "bun test"],
      [/npx tsx /g, "bun "],
      [/npx irori-migrate\b/g, "bunx --bun irori-migrate"],
    ],
  },
];

const IMPORT = /(\bfrom |\bimport\(|\bimport )"@irori\/irori(?=["/])/;
/** Most examples import this assertion, which runtimes other than Deno have in `node:assert` by another name. */
const ASSERTION = 'import { assertEquals } from "@std/assert";';
const SAME_ASSERTION = 'import { deepStrictEqual as assertEquals } from "node:assert/strict";';
/** Other runtimes do not have these, or name them differently. */
const OF_DENO = /@std\/|\bDeno\./;
/** A call of the command line at the beginning of a line, after variables: every spelling that pages have. */
export const CALL: RegExp =
  /^((?:[A-Z_]+=(?:"[^"]*"|\S*) +)*)(?:(?:npx|bunx)(?: -p \S+)* irori|irori|deno run(?: -\S+)* jsr:@irori\/irori\/cli)(?= |$)/m;
/** A command of a generated project, or the one that generates it. */
const SCRIPT =
  /^(?:[A-Z_]+=\S+ )*(?:npm (?:create irori|run|test|start)|npx (?:tsx|irori-migrate))(?= |$)/m;
/** The library is added to a project. */
const ADDITION = /^npm install (?:[^#\n]* )?irori(?= |$)/m;

function imported(code: string): (runtime: Runtime) => Variant {
  const every = new RegExp(IMPORT, "g");
  return ({ name, library }) => ({
    runtime: name,
    code: (name === "Deno" ? code : code.replace(ASSERTION, SAME_ASSERTION))
      .replace(every, (_, before: string) => `${before}"${library}`),
  });
}

function typed(code: string): (runtime: Runtime) => Variant {
  const every = new RegExp(CALL, "gm");
  return ({ name, command, add, scripts = [] }) => ({
    runtime: name,
    code: scripts.reduce((text, [pattern, by]) => text.replace(pattern, by), code)
      // A command that installs another package beside it (`-p`) is the same for each runtime.
      .replace(every, (call, variables: string) => / -p /.test(call) ? call : variables + command)
      .replace(/^npm install ([^#\n]*?)( *#.*)?$/gm, (whole, list: string, comment = "") => {
        const words = list.split(/ +/);
        const packages = words.filter((word) => !word.startsWith("-"));
        return add ? add(packages, words.includes("--save-dev")) + comment : whole;
      })
      // In the file the other spelling is a comment; on the site it has a tab.
      .replace(/ +# npx irori\b.*$/gm, ""),
  });
}

/** A token of markdown-it, as far as it is looked at here. */
export interface Token {
  readonly type: string;
  tag: string;
  readonly content: string;
  info: string;
  readonly children?: readonly Token[] | null;
  attrs?: [name: string, value: string][] | null;
}

/** Markdown-it passes this to each rule. */
export interface State {
  tokens: Token[];
  readonly env: { readonly isForSearch?: boolean };
  readonly Token: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;
}

/** Markdown-it, as far as it is used here. */
export interface Markdown {
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
