/** Reads settings in files of other tools as text: nothing is executed, and what is not plain is not guessed. */

/** One of these: its text, the environment variable that has it, or its key where it cannot be read. */
export type Setting = Readonly<Partial<Record<"text" | "variable" | "unread", string>>>;

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[\w$]+|\S/g;
const VARIABLE =
  /^(?:(?:process \. env|import \. meta \. env|Bun \. env|env) (?:\. |\[ ["'])|(?:Deno \. env \. get|env) \( ["'])(\w+)(?:["'] [\])])?(?: !| as string| (?:\? \?|\| \|) .*)?$/;

/** Reads JSON, or an object of JavaScript, by keys from the outermost one on. One that stands twice, or may be set behind it, is not read. */
export function objectSetting(source: string, ...keys: readonly string[]): Setting | undefined {
  const unread = { unread: keys.join(".") };
  let tokens = (source.match(TOKEN) ?? []).filter((token) => !/^\/[/*]/.test(token));
  for (const key of keys) {
    const isKey = ([name = "", next = ":"]: readonly string[]) =>
      next === ":" && name.replace(/^(["'])(.*)\1$/, "$2") === key;
    const found = membersOf(tokens).filter((member) => isKey(member) || member[0] === ".");
    const last = found.at(-1);
    if (last === undefined) return tokens.includes("return") ? unread : undefined;
    if (!isKey(last) || found.filter(isKey).length > 1 || last[1] !== ":") return unread;
    tokens = last.slice(2);
  }
  const [, variable] = VARIABLE.exec(tokens.join(" ")) ?? [];
  if (variable !== undefined) return { variable };
  const [token = ""] = tokens;
  const isText = tokens.length === 1 && /^(["'`]).*\1$/s.test(token) && !/\\|^`.*\$\{/s.test(token);
  return isText ? { text: token.slice(1, -1) } : unread;
}

/** The tokens of each member of the objects that are in no other object. A block counts as one, too. */
function membersOf(tokens: readonly string[]): readonly (readonly string[])[] {
  const members: string[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth > 0 && /^[})\]]$/.test(token)) depth--;
    if (depth === 0 ? token === "{" : depth === 1 && token === ",") members.push([]);
    else if (depth > 0) members.at(-1)!.push(token);
    if (token === "{" || depth > 0 && /^[([]$/.test(token)) depth++;
  }
  return members;
}

/** Reads the block `datasource` of a schema of Prisma. */
export function prismaSetting(schema: string, key: string): Setting | undefined {
  const [, block = ""] = /^\s*datasource\s+\w+\s*\{([^}]*)\}/m.exec(schema) ?? [];
  const [, value] = new RegExp(`^\\s*${key}\\s*=\\s*(.*)$`, "m").exec(block) ?? [];
  if (value === undefined) return undefined;
  const [, text, variable] = /^(?:"([^"\\]*)"|env\("(\w+)"\))/.exec(value) ?? [];
  if (variable !== undefined) return { variable };
  return text === undefined ? { unread: key } : { text };
}

/** Reads a value of Flyway, which may be a variable of the environment: `${NAME}`, in TOML `${env.NAME}`. */
export function flywayValue(key: string, value: unknown = ""): Setting | undefined {
  const text = `${value}`;
  const [, variable] = /^\$\{(?:env\.)?(\w+)\}$/.exec(text) ?? [];
  if (variable !== undefined) return { variable };
  if (text.includes("${")) return { unread: key };
  return text === "" ? undefined : { text };
}

/** Reads lines of Java's properties: `#` and quotes in a value are a part of it. */
export function properties(source: string): Readonly<Record<string, string>> {
  const lines = source.matchAll(/^[ \t]*([\w.]+)[ \t]*[=:](.*)/gm);
  return Object.fromEntries(lines.map(([, name, value = ""]) => [name, value.trim()]));
}

/** Reads lines of `.env`, such as `DATABASE_URL="…"`. */
export function lineSettings(source: string): Readonly<Record<string, string>> {
  const line = /^[ \t]*(?:export[ \t]+)?([\w.]+)[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|(.*))/gm;
  const entries = source.matchAll(line).map(([, name, double, single, bare = ""]) => {
    return [name, double ?? single ?? bare.replace(/(?:^|\s)#.*/, "").trim()];
  });
  return Object.fromEntries(entries);
}
