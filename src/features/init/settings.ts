/** Reads settings in files of other tools as text: nothing is executed, and what is not plain is not guessed. */

/** A setting as it is written, or the environment variable that has it, or only the key of it. */
export type Setting = Readonly<Partial<Record<"text" | "variable" | "unread", string>>>;

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[\w$]+|\S/g;
const VARIABLE =
  /^(?:(?:process \. env|import \. meta \. env|Bun \. env|env) (?:\. (\w+)|\[ ["'](\w+)["'] \])|(?:Deno \. env \. get|env) \( ["'](\w+)["'] \))(?: !| as string| (?:\? \?|\| \|) .*)?$/;

/** Reads JSON, or an object of JavaScript. A key that stands twice, or that a spread object may have, is not read. */
export function objectSetting(source: string, ...keys: readonly string[]): Setting | undefined {
  const unread = { unread: keys.join(".") };
  let tokens = (source.match(TOKEN) ?? []).filter((token) => !/^\/[/*]/.test(token));
  for (const key of keys) {
    const isKey = (token: string, at: number) =>
      token.replace(/^(["'])(.*)\1$/, "$2") === key && /^[{,]$/.test(tokens[at - 1] ?? "") &&
      /^[:,}]$/.test(tokens[at + 1] ?? "");
    const [place, ...others] = tokens.flatMap((token, at) => isKey(token, at) ? [at] : []);
    if (place === undefined) return /[{,] \. \. \. /.test(tokens.join(" ")) ? unread : undefined;
    if (others.length > 0 || tokens[place + 1] !== ":") return unread;
    tokens = valueAt(tokens, place + 2);
  }
  const [, ...names] = VARIABLE.exec(tokens.join(" ")) ?? [];
  const variable = names.find((name) => name !== undefined);
  if (variable !== undefined) return { variable };
  const [token = ""] = tokens;
  const isText = tokens.length === 1 && /^(["'`]).*\1$/s.test(token) && !/\\|^`.*\$\{/s.test(token);
  return isText ? { text: token.slice(1, -1) } : unread;
}

function valueAt(tokens: readonly string[], start: number): string[] {
  let depth = 0;
  const end = tokens.findIndex((token, at) => {
    if (at < start) return false;
    if (depth === 0 && /^[,})\]]$/.test(token)) return true;
    depth += /^[{([]$/.test(token) ? 1 : /^[})\]]$/.test(token) ? -1 : 0;
    return false;
  });
  return tokens.slice(start, end);
}

/** Reads the block `datasource` of a schema of Prisma. */
export function prismaSetting(schema: string, key: string): Setting | undefined {
  const [, block = ""] = /^\s*datasource\s+\w+\s*\{([^}]*)\}/m.exec(schema) ?? [];
  const [, value] = new RegExp(`^\\s*${key}\\s*=\\s*(.*)$`, "m").exec(block) ?? [];
  if (value === undefined) return undefined;
  const [, text, variable] = /^(?:"([^"\\]*)"|env\("(\w+)"\))/.exec(value) ?? [];
  return variable !== undefined ? { variable } : text !== undefined ? { text } : { unread: key };
}

/** Reads lines such as `flyway.url=…` and `DATABASE_URL="…"`. */
export function lineSettings(source: string): Readonly<Record<string, string>> {
  const line = /^[ \t]*(?:export[ \t]+)?([\w.]+)[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|(.*))/gm;
  return Object.fromEntries(
    source.matchAll(line).map(([, name, double, single, bare = ""]) => {
      return [name, double ?? single ?? bare.replace(/(?:^|\s)#.*/, "").trim()];
    }),
  );
}
