/** Follows one statement, token by token, to know where a delimiter is part of it. */
export interface Blocks {
  feed(part: string): void;
  isComplete(): boolean;
}

export interface StringSettings {
  /** Whether a backslash escapes in plain strings: `standard_conforming_strings`, `NO_BACKSLASH_ESCAPES`. */
  readonly backslashes: boolean;
  /** Whether `"…"` is a name: `ANSI_QUOTES`. */
  readonly ansiQuotes: boolean;
}

export interface Statement {
  /** Without its delimiter, and without the comments before and behind it. */
  readonly text: string;
  /** Where it stands in the whole text, in UTF-16 units; `end` excluded. */
  readonly start: number;
  readonly end: number;
  /** Its first keywords and unquoted names, in upper case; at most 12. Before them a number may stand. */
  readonly words: readonly string[];
}

export interface Grammar {
  readonly blocks: "postgresql" | "mysql" | "sqlite";
  readonly strings: StringSettings;
  readonly lineComment: RegExp;
  readonly lineEnd: RegExp;
  readonly nestedComments: boolean;
  /** Characters that start a quoted part, with the ones that end it. Doubling the end escapes it. */
  readonly quotes: Readonly<Record<string, string>>;
  /** The quotes among them inside which a backslash escapes. */
  readonly backslashes: string;
  /** `E'…'`, in which a backslash escapes, and `$tag$ … $tag$`. */
  readonly postgresQuotes: boolean;
  /** Whether a comment that starts with an exclamation mark is code. */
  readonly conditionalComments: boolean;
  /** Whether a line `DELIMITER //` changes what ends a statement. */
  readonly delimiterCommand: boolean;
  readonly word: RegExp;
}

const STANDARD = {
  strings: { backslashes: false, ansiQuotes: true },
  lineComment: /--/y,
  lineEnd: /\n/g,
  nestedComments: false,
  backslashes: "",
  postgresQuotes: false,
  conditionalComments: false,
  delimiterCommand: false,
};

/** PostgreSQL 15, "Lexical Structure", with `standard_conforming_strings` on. */
export const POSTGRESQL: Grammar = {
  ...STANDARD,
  blocks: "postgresql",
  lineEnd: /[\n\r]/g,
  nestedComments: true,
  quotes: { "'": "'", '"': '"' },
  postgresQuotes: true,
  word: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*/y,
};

/** MySQL 8 and MariaDB 10, "Language Structure", in their default `sql_mode`. */
export const MYSQL: Grammar = {
  ...STANDARD,
  blocks: "mysql",
  strings: { backslashes: true, ansiQuotes: false },
  // A `--` counts only before white space or a control character.
  lineComment: /#|--(?=[\0-\x20]|$)/y,
  quotes: { "'": "'", '"': '"', "`": "`" },
  backslashes: `'"`,
  conditionalComments: true,
  delimiterCommand: true,
  word: /[\w$\u0080-\uffff]+/y,
};

/** SQLite 3, `tokenize.c` as documented under "SQL As Understood By SQLite". */
export const SQLITE: Grammar = {
  ...STANDARD,
  blocks: "sqlite",
  quotes: { "'": "'", '"': '"', "`": "`", "[": "]" },
  word: /[\w\u0080-\uffff][\w$\u0080-\uffff]*/y,
};

export function withStrings(grammar: Grammar, strings: StringSettings): Grammar {
  const { backslashes, ansiQuotes } = strings;
  const { strings: before, blocks } = grammar;
  const isSame = before.backslashes === backslashes && before.ansiQuotes === ansiQuotes;
  if (isSame || blocks === "sqlite") return grammar;
  const quotes = blocks === "mysql" && !ansiQuotes ? `'"` : "'";
  return { ...grammar, strings, backslashes: backslashes ? quotes : "" };
}
