import type { StringSettings } from "./types.ts";

/** What the text of one kind of database looks like, as far as finding the ends of statements needs it. */
export interface Grammar {
  readonly blocks: "postgresql" | "mysql" | "sqlite";
  /** Settings of the session for strings. */
  readonly strings: StringSettings;
  /** Start of a comment that ends with the line. */
  readonly lineComment: RegExp;
  /** What ends such a comment. */
  readonly lineEnd: RegExp;
  /** Comments between slash and asterisk: whether they nest, and whether one may end with the text. */
  readonly nestedComments: boolean;
  readonly openComments: boolean;
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
  /** A keyword, name or number. */
  readonly word: RegExp;
}

/** PostgreSQL 15, "Lexical Structure", with `standard_conforming_strings` on. */
export const POSTGRESQL: Grammar = {
  blocks: "postgresql",
  strings: { backslashes: false, ansiQuotes: true },
  lineComment: /--/y,
  lineEnd: /[\n\r]/g,
  nestedComments: true,
  openComments: false,
  quotes: { "'": "'", '"': '"' },
  backslashes: "",
  postgresQuotes: true,
  conditionalComments: false,
  delimiterCommand: false,
  word: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d[\w.]*/y,
};

/** MySQL 8 and MariaDB 10, "Language Structure", in their default `sql_mode`. */
export const MYSQL: Grammar = {
  blocks: "mysql",
  strings: { backslashes: true, ansiQuotes: false },
  // A `--` counts only before white space or a control character.
  lineComment: /#|--(?=[\0-\x20]|$)/y,
  lineEnd: /\n/g,
  nestedComments: false,
  openComments: false,
  quotes: { "'": "'", '"': '"', "`": "`" },
  backslashes: `'"`,
  postgresQuotes: false,
  conditionalComments: true,
  delimiterCommand: true,
  word: /[\w$\u0080-\uffff]+/y,
};

/** SQLite 3, `tokenize.c` as documented under "SQL As Understood By SQLite". */
export const SQLITE: Grammar = {
  blocks: "sqlite",
  strings: { backslashes: false, ansiQuotes: true },
  lineComment: /--/y,
  lineEnd: /\n/g,
  nestedComments: false,
  openComments: true,
  quotes: { "'": "'", '"': '"', "`": "`", "[": "]" },
  backslashes: "",
  postgresQuotes: false,
  conditionalComments: false,
  delimiterCommand: false,
  word: /[\w\u0080-\uffff][\w$\u0080-\uffff]*/y,
};

/** The grammar with other settings of the session; SQLite has none. */
export function withStrings(grammar: Grammar, strings: StringSettings): Grammar {
  const { backslashes, ansiQuotes } = strings;
  const { strings: before, blocks } = grammar;
  const isSame = before.backslashes === backslashes && before.ansiQuotes === ansiQuotes;
  if (isSame || blocks === "sqlite") return grammar;
  const quotes = blocks === "mysql" && !ansiQuotes ? `'"` : "'";
  return { ...grammar, strings, backslashes: backslashes ? quotes : "" };
}
