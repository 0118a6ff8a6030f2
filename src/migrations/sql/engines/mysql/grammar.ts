import {
  type Grammar,
  type ReadSettings,
  STANDARD,
  type StringSettings,
} from "../../syntax/grammar.ts";
import { dividedAtCommas, withoutQuotes } from "../../syntax/lexer.ts";
import { MysqlBlocks } from "./blocks.ts";

/** MySQL 8 and MariaDB 10, "Language Structure", in their default `sql_mode`. */
export const MYSQL: Grammar = {
  ...STANDARD,
  blocks: () => new MysqlBlocks(),
  settings: sqlModes,
  strings: { backslashes: true, ansiQuotes: false },
  // A `--` counts only before white space or a control character.
  lineComment: /#|--(?=[\0-\x20]|$)/y,
  quotes: { "'": "'", '"': '"', "`": "`" },
  backslashes: `'"`,
  conditionalComments: true,
  delimiterCommand: true,
  word: /[\w$\u0080-\uffff]+/y,
};

function sqlModes(initial: StringSettings): ReadSettings {
  /** Values of `sql_mode` in user variables, as dumps keep them. */
  const variables = new Map<string, string>();
  /** The text that an expression stands for, as far as it is one of those that files set `sql_mode` to. */
  const valueOf = (parts: readonly string[], current: StringSettings): string | undefined => {
    const [first = "", second = ""] = parts;
    if (parts.length === 1) return wordOf(first, initial);
    if (first === "@") {
      if (second !== "@") return variables.get(second.toUpperCase());
      return parts.at(-1)?.toUpperCase() === "SQL_MODE" ? modesOf(current) : undefined;
    }
    if (parts.at(-1) !== ")") return undefined;
    if (first === "(") {
      return valueOf(parts.slice(second.toUpperCase() === "SELECT" ? 2 : 1, -1), current);
    }
    if (second !== "(") return undefined;
    const values = listOf(parts.slice(2, -1)).map((argument) => valueOf(argument, current));
    return values.includes(undefined) ? undefined : resultOf(first, values as string[]);
  };
  return (parts, current) => {
    let settings: StringSettings | undefined;
    let isSession = true;
    for (const [left, right] of assignmentsOf(parts.slice(1))) {
      const [first = "", name = ""] = [left[0]?.toUpperCase(), left.at(-1)?.toUpperCase()];
      const value = valueOf(right, settings ?? current);
      if (first === "@" && left[1] !== "@") {
        if (value !== undefined) variables.set(name, value);
        continue;
      }
      const scope = left.map((part) => part.toUpperCase()).find((part) => SCOPES.has(part));
      if (scope !== undefined) isSession = scope === "SESSION" || scope === "LOCAL";
      if (name === "SQL_MODE" && isSession && value !== undefined) settings = parseModes(value);
    }
    return settings;
  };
}

function wordOf(word: string, initial: StringSettings): string | undefined {
  if (/^['"]/.test(word)) return withoutQuotes(word);
  if (word.toUpperCase() === "DEFAULT") return modesOf(initial);
  return /^\w+$/.test(word) ? word : undefined;
}

function resultOf(name: string, values: readonly string[]): string | undefined {
  const [text = "", from = "", to = ""] = values;
  if (name.toUpperCase() === "REPLACE") return text.replaceAll(from, to);
  return name.toUpperCase() === "CONCAT" ? values.join("") : undefined;
}

const SCOPES = new Set(["SESSION", "LOCAL", "GLOBAL", "PERSIST", "PERSIST_ONLY"]);
const ANSI = new Set(["ANSI_QUOTES", "ANSI", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL"]);
/** Bits of a `sql_mode` that is given as a number. */
const BITS = { ANSI_QUOTES: 4, NO_BACKSLASH_ESCAPES: 1 << 20 };

function assignmentsOf(parts: readonly string[]): [string[], string[]][] {
  return listOf(parts).map((assignment) => {
    const at = assignment.indexOf("=");
    const end = assignment[at - 1] === ":" ? at - 1 : at;
    return at < 0 ? [assignment, []] : [assignment.slice(0, end), assignment.slice(at + 1)];
  });
}

function listOf(parts: readonly string[]): string[][] {
  return dividedAtCommas(parts, (part) => part);
}

function parseModes(value: string): StringSettings {
  const bits = /^\d+$/.test(value) ? Number(value) : 0;
  const modes = value.toUpperCase().split(",").map((mode) => mode.trim());
  return {
    ansiQuotes: (bits & BITS.ANSI_QUOTES) !== 0 || modes.some((mode) => ANSI.has(mode)),
    backslashes: (bits & BITS.NO_BACKSLASH_ESCAPES) === 0 &&
      !modes.includes("NO_BACKSLASH_ESCAPES"),
  };
}

function modesOf({ ansiQuotes, backslashes }: StringSettings): string {
  return [...ansiQuotes ? ["ANSI_QUOTES"] : [], ...backslashes ? [] : ["NO_BACKSLASH_ESCAPES"]]
    .join(",");
}
