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

/** @returns how strings end behind a statement that sets something; nothing where it changes nothing of that */
export type ReadSettings = (
  parts: readonly string[],
  current: StringSettings,
) => StringSettings | undefined;

export interface Grammar {
  /** Follows a statement from its start. */
  readonly blocks: () => Blocks;
  /** Follows the statements of a file that begin with `SET`, `RESET` or `DISCARD`. */
  readonly settings: (initial: StringSettings) => ReadSettings;
  readonly strings: StringSettings;
  readonly lineComment: RegExp;
  readonly lineEnd: RegExp;
  readonly nestedComments: boolean;
  /** Characters that start a quoted part, with the ones that end it. Doubling the end escapes it. */
  readonly quotes: Readonly<Record<string, string>>;
  /** Whether names in quotes differ by case alone. */
  readonly quotedCase: boolean;
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

export const STANDARD = {
  strings: { backslashes: false, ansiQuotes: true },
  lineComment: /--/y,
  lineEnd: /\n/g,
  nestedComments: false,
  quotedCase: false,
  backslashes: "",
  postgresQuotes: false,
  conditionalComments: false,
  delimiterCommand: false,
};

export function withStrings(grammar: Grammar, strings: StringSettings): Grammar {
  const { backslashes, ansiQuotes } = strings;
  const { strings: before } = grammar;
  if (before.backslashes === backslashes && before.ansiQuotes === ansiQuotes) return grammar;
  const quotes = ansiQuotes ? "'" : `'"`;
  return { ...grammar, strings, backslashes: backslashes ? quotes : "" };
}
