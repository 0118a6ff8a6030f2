/** Follows one statement, token by token, to know where a delimiter is part of it. */
export interface Blocks {
  /** @param part a word in upper case, a symbol, or `'` for anything quoted */
  feed(part: string): void;
  /** Whether a delimiter here ends the statement. */
  isComplete(): boolean;
}

/** Settings of a session that decide where strings end. */
export interface StringSettings {
  /** Whether a backslash escapes in plain strings: `standard_conforming_strings`, `NO_BACKSLASH_ESCAPES`. */
  readonly backslashes: boolean;
  /** Whether `"…"` is a name: `ANSI_QUOTES`. */
  readonly ansiQuotes: boolean;
}

/** One statement of a file. */
export interface Statement {
  /** Without its delimiter, and without the comments before and behind it. */
  readonly text: string;
  /** Where it stands in the whole text, in UTF-16 units; `end` excluded. */
  readonly start: number;
  readonly end: number;
  /** Its first keywords and unquoted names, in upper case; at most 12. Before them a number may stand. */
  readonly words: readonly string[];
}
