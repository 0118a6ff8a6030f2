import type { Blocks, Grammar, Statement } from "./grammar.ts";
import { BREAKPOINT, nextToken, skipSpace, stringFollower, type Token } from "./lexer.ts";

export interface Split {
  readonly statements: readonly Statement[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
  /** Indices of statements behind which the text is cut: strings end in another way, or a delimiter is missing. */
  readonly turns: readonly number[];
  readonly unfinished?: { readonly offset: number; readonly message: string };
}

const WORDS = 12;
/** How many lists of words are kept to be shared. */
const KNOWN = 1000;

/** Finds the statements of a text as the client of the database does, valid SQL or not. */
export function split(text: string, grammar: Grammar): Split {
  return new Splitter(text, grammar).split();
}

/** Large files have hundreds of thousands: their texts are cut out when they are asked for. */
class Span implements Statement {
  readonly #source: string;

  constructor(
    source: string,
    readonly start: number,
    readonly end: number,
    readonly words: readonly string[],
  ) {
    this.#source = source;
  }

  get text(): string {
    return this.#source.slice(this.start, this.end);
  }
}

class Splitter {
  readonly #statements: Statement[] = [];
  readonly #comments: { start: number; end: number }[] = [];
  readonly #turns: number[] = [];
  readonly #follow: ReturnType<typeof stringFollower>;
  #unfinished: Split["unfinished"];
  #delimiter = ";";
  #blocks: Blocks;
  #start = -1;
  #end = -1;
  #words: string[] = [];
  /** Lists of words that many statements of a large file have in common. */
  readonly #known = new Map<string, readonly string[]>();
  #conditional = 0;

  constructor(private readonly text: string, private grammar: Grammar) {
    this.#blocks = grammar.blocks();
    this.#follow = stringFollower(grammar);
  }

  split(): Split {
    let position = 0;
    for (let token = this.#next(0); token !== undefined; token = this.#next(position)) {
      position = this.#take(token);
    }
    this.#finish();
    return {
      statements: this.#statements,
      comments: this.#comments,
      turns: this.#turns,
      ...(this.#unfinished && { unfinished: this.#unfinished }),
    };
  }

  #next(from: number): Token | undefined {
    // The clients of MySQL take `-----` for a comment where a statement may begin.
    const isFirst = this.#start < 0 && this.grammar.delimiterCommand;
    const grammar = isFirst ? { ...this.grammar, lineComment: /#|--/y } : this.grammar;
    const token = nextToken(this.text, from, grammar);
    if (token === undefined || this.#delimiter === ";") return token;
    // A delimiter of the file's own may stand anywhere but in quotes and comments, even inside a word.
    const start = skipSpace(this.text, from);
    if (this.text.startsWith(this.#delimiter, start)) {
      return { kind: "symbol", start, end: start + this.#delimiter.length };
    }
    const inside = token.kind === "word"
      ? this.text.slice(token.start, token.end).indexOf(this.#delimiter)
      : -1;
    return inside < 0 ? token : { ...token, end: token.start + inside };
  }

  #take(token: Token): number {
    const { kind, start, end, missing } = token;
    const part = kind === "quoted" ? "'" : this.text.slice(start, end).toUpperCase();
    if (missing !== undefined) this.#noteUnfinished(token, missing);
    if (kind === "comment") {
      if (this.text.startsWith(BREAKPOINT, start)) this.#finish({ isCut: true });
      else if (this.#start < 0) this.#comments.push({ start, end });
      return end;
    }
    if (this.#start < 0 && part === "DELIMITER" && this.grammar.delimiterCommand) {
      return this.#changeDelimiter(end);
    }
    const behind = this.#behindDelimiter(part, end);
    if (behind !== undefined) {
      this.#finish();
      return behind;
    }
    if (this.#start < 0) this.#start = start;
    const next = this.#conditionalEnd(part, start) ?? end;
    this.#end = next;
    if (kind === "word" && this.#words.length < WORDS) this.#addWord(part);
    this.#blocks.feed(part);
    return next;
  }

  /** Numbers count where they may be the version of a conditional comment: at the start. */
  #addWord(word: string): void {
    if (this.#words.length === 0 || !/^[\d.]+$/.test(word)) this.#words.push(word);
  }

  /** Behind what ends a statement: the delimiter, or `\g` and `\G` of the clients of MySQL. */
  #behindDelimiter(part: string, end: number): number | undefined {
    if (part === this.#delimiter.toUpperCase() && this.#isComplete()) return end;
    const isGo = part === "\\" && this.grammar.delimiterCommand;
    return isGo && /g/i.test(this.text.charAt(end)) ? end + 1 : undefined;
  }

  #isComplete(): boolean {
    return this.#delimiter !== ";" || (this.#conditional === 0 && this.#blocks.isComplete());
  }

  /** Behind the end of a `/*!` where that is what `part` starts. */
  #conditionalEnd(part: string, start: number): number | undefined {
    if (part.length > 1 && part.endsWith("!")) this.#conditional++;
    if (this.#conditional === 0 || !this.text.startsWith("*/", start)) return undefined;
    this.#conditional--;
    return start + 2;
  }

  /** The command takes the first word of the rest of its line. */
  #changeDelimiter(from: number): number {
    const line = /[^\n]*/y;
    line.lastIndex = from;
    const rest = line.exec(this.text)?.[0] ?? "";
    this.#delimiter = rest.trim().split(/\s/)[0] || ";";
    return from + rest.length;
  }

  #noteUnfinished({ kind, start }: Token, missing: string): void {
    const what = kind === "comment"
      ? "comment"
      : ['"', "`", "]"].includes(missing)
      ? "quoted name"
      : "string";
    this.#unfinished ??= { offset: start, message: `Unterminated ${what}: expected ${missing}` };
  }

  #finish({ isCut = false } = {}): void {
    if (this.#start >= 0) {
      this.#add(new Span(this.text, this.#start, this.#end, this.#shared(this.#words)), isCut);
    }
    this.#blocks = this.grammar.blocks();
    this.#start = -1;
    this.#words = [];
    this.#conditional = 0;
  }

  #shared(words: readonly string[]): readonly string[] {
    const key = words.join(" ");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size < KNOWN) this.#known.set(key, words);
    return words;
  }

  #add(statement: Statement, isCut: boolean): void {
    this.#statements.push(statement);
    const next = this.#follow(statement, this.grammar);
    if (next === this.grammar && !isCut) return;
    this.grammar = next;
    this.#turns.push(this.#statements.length - 1);
  }
}
