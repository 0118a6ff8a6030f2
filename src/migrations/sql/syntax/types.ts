/** Follows one statement, token by token, to know where a delimiter is part of it. */
export interface Blocks {
  /** @param part a word in upper case, a symbol, or `'` for anything quoted */
  feed(part: string): void;
  /** Whether a delimiter here ends the statement. */
  isComplete(): boolean;
}
