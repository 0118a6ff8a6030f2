import { type Grammar, type Statement, type StringSettings, withStrings } from "./grammar.ts";
import { dividedAtCommas, tokensOf } from "./lexer.ts";

/** Follows what the statements of a file set that decides where the strings behind them end. */
export class StringFollower {
  /** Values of `sql_mode` in MySQL's user variables, as dumps keep them. */
  readonly #variables = new Map<string, string>();

  constructor(private readonly initial: Grammar) {}

  behind(statement: Statement, grammar: Grammar): Grammar {
    if (grammar.blocks === "sqlite" || !VERBS.test(statement.words.slice(0, 2).join(" "))) {
      return grammar;
    }
    const parts = partsOf(statement, grammar);
    const settings = grammar.blocks === "postgresql"
      ? this.#postgresql(parts, grammar.strings)
      : this.#mysql(parts, grammar.strings);
    return settings === undefined ? grammar : withStrings(grammar, settings);
  }

  #postgresql(parts: readonly string[], current: StringSettings): StringSettings | undefined {
    const words = parts.map((part) => part.toLowerCase());
    const [verb, ...rest] = words.filter((word) => word !== "session" && word !== "local");
    const [name, , value = ""] = rest;
    if (verb !== "set") {
      return name === "all" || name === SETTING ? this.initial.strings : undefined;
    }
    if (name !== SETTING) return undefined;
    if (value === "default") return this.initial.strings;
    const isOff = /^(?:of|off|f|fa|fal|fals|false|n|no|0)$/.test(unquoted(value));
    return { ...current, backslashes: isOff };
  }

  #mysql(parts: readonly string[], current: StringSettings): StringSettings | undefined {
    let settings: StringSettings | undefined;
    let isSession = true;
    for (const [left, right] of assignmentsOf(parts.slice(1))) {
      const [first = "", name = ""] = [left[0]?.toUpperCase(), left.at(-1)?.toUpperCase()];
      const value = this.#value(right, settings ?? current);
      if (first === "@" && left[1] !== "@") {
        if (value !== undefined) this.#variables.set(name, value);
        continue;
      }
      const scope = left.map((part) => part.toUpperCase()).find((part) => SCOPES.has(part));
      if (scope !== undefined) isSession = scope === "SESSION" || scope === "LOCAL";
      if (name === "SQL_MODE" && isSession && value !== undefined) settings = settingsOf(value);
    }
    return settings;
  }

  /** The text that an expression stands for, as far as it is one of those that files set `sql_mode` to. */
  #value(parts: readonly string[], current: StringSettings): string | undefined {
    const [first = "", second = ""] = parts;
    if (parts.length === 1) return this.#word(first);
    if (first === "@") {
      if (second !== "@") return this.#variables.get(second.toUpperCase());
      return parts.at(-1)?.toUpperCase() === "SQL_MODE" ? modesOf(current) : undefined;
    }
    if (parts.at(-1) !== ")") return undefined;
    if (first === "(") {
      const from = second.toUpperCase() === "SELECT" ? 2 : 1;
      return this.#value(parts.slice(from, -1), current);
    }
    if (second !== "(") return undefined;
    const values = listOf(parts.slice(2, -1)).map((argument) => this.#value(argument, current));
    return values.includes(undefined) ? undefined : resultOf(first, values as string[]);
  }

  #word(word: string): string | undefined {
    if (/^['"]/.test(word)) return unquoted(word);
    if (word.toUpperCase() === "DEFAULT") return modesOf(this.initial.strings);
    return /^\w+$/.test(word) ? word : undefined;
  }
}

function resultOf(name: string, values: readonly string[]): string | undefined {
  const [text = "", from = "", to = ""] = values;
  if (name.toUpperCase() === "REPLACE") return text.replaceAll(from, to);
  return name.toUpperCase() === "CONCAT" ? values.join("") : undefined;
}

const SETTING = "standard_conforming_strings";
/** MySQL's conditional comments have a version before the verb. */
const VERBS = /^(?:\d+ )?SET\b|^(?:RESET|DISCARD)\b/;
const SCOPES = new Set(["SESSION", "LOCAL", "GLOBAL", "PERSIST", "PERSIST_ONLY"]);
const ANSI = new Set(["ANSI_QUOTES", "ANSI", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL"]);
/** Bits of a `sql_mode` that is given as a number. */
const BITS = { ANSI_QUOTES: 4, NO_BACKSLASH_ESCAPES: 1 << 20 };

/** Words, symbols and quoted parts of a statement, without what makes it a conditional comment. */
function partsOf({ text }: Statement, grammar: Grammar): readonly string[] {
  const parts = tokensOf(text, grammar).map(({ start, end }) => text.slice(start, end));
  if (!parts[0]?.endsWith("!")) return parts;
  const isClosed = parts.at(-1) === "/" && parts.at(-2) === "*";
  return parts.slice(/^\d+$/.test(parts[1] ?? "") ? 2 : 1, isClosed ? -2 : undefined);
}

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

function settingsOf(value: string): StringSettings {
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

function unquoted(text: string): string {
  return text.replace(/^(['"`])(.*)\1$/s, "$2");
}
