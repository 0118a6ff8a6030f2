import type { Blocks } from "../../syntax/grammar.ts";

const ROUTINES = new Set(["PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE"]);
const OTHER_OBJECTS = new Set(["TABLE", "VIEW", "INDEX", "DATABASE", "SCHEMA", "USER", "ROLE"]);
const LOOPS = new Set(["IF", "LOOP", "REPEAT", "WHILE", "FOR"]);
/** A statement of a compound statement starts behind these. */
const STARTS = new Set(
  "; : BEGIN THEN ELSE DO LOOP REPEAT FOUND SQLEXCEPTION SQLWARNING".split(" "),
);
/** The body of a routine that is no block starts behind these. */
const HEADER_ENDS = new Set(") ' : ROW DO SQL DATA DETERMINISTIC INVOKER DEFINER".split(" "));
/** Behind these, `begin` and `end` are names of columns. */
const BEFORE_NAMES = new Set(
  (". , = ( + - * / % < > @ ! | & ^ SELECT DISTINCT BY SET WHERE AND OR NOT ON AS INTO XA").split(
    " ",
  ),
);
/** How many parts of a statement are read to see whether it is a program. */
const HEADER = 24;

/** `BEGIN`, `IF`, `CASE` and loops with their `END`; MariaDB has them outside of stored programs too. */
export class MysqlBlocks implements Blocks {
  readonly #header: string[] = [];
  readonly #open: string[] = [];
  #isProgram: boolean | undefined;
  #previous = "";
  #opened = "";
  /** Set while the parenthesis right behind an `IF` is read: with two commas it is the function. */
  #condition: { depth: number; commas: number } | undefined;

  feed(part: string): void {
    if (this.#isProgram === undefined) {
      if (this.#header.length < HEADER) this.#header.push(part);
      this.#isProgram = beginsProgram(this.#header, part);
    }
    // The first words may have to be seen before it is clear that they open a block.
    if (this.#isProgram && this.#header.join(" ") === "BEGIN NOT" && part === "NOT") {
      this.#open.push("BEGIN");
    } else if (this.#isProgram) this.#follow(part);
    this.#previous = part;
  }

  isComplete(): boolean {
    return this.#open.length === 0;
  }

  #follow(part: string): void {
    this.#followCondition(part);
    const isOpening = this.#opens(part);
    if (isOpening) this.#open.push(part);
    else if (part === "END" && !BEFORE_NAMES.has(this.#previous)) this.#open.pop();
    else if (part === "(" && this.#opened === "IF") this.#condition = { depth: 1, commas: 0 };
    else if (part === "(" && this.#opened === "REPEAT") this.#open.pop(); // The function.
    this.#opened = isOpening ? part : "";
  }

  #opens(part: string): boolean {
    const previous = this.#previous;
    if (part === "BEGIN") return !BEFORE_NAMES.has(previous);
    if (part === "CASE") return previous !== "END" && previous !== ".";
    if (!LOOPS.has(part)) return false;
    return previous === "" || (this.#open.length > 0 ? STARTS : HEADER_ENDS).has(previous);
  }

  #followCondition(part: string): void {
    const condition = this.#condition;
    if (condition === undefined) return;
    if (part === "(") condition.depth++;
    else if (part === ")") condition.depth--;
    else if (part === "," && condition.depth === 1) condition.commas++;
    if (condition.depth > 0) return;
    if (condition.commas === 2) this.#open.pop();
    this.#condition = undefined;
  }
}

function beginsProgram(header: readonly string[], part: string): boolean | undefined {
  const [first = "", second] = header;
  if (LOOPS.has(first) || first === "CASE") return true;
  if (first === "BEGIN") return second === undefined ? undefined : second === "NOT";
  if (second === ":") return true;
  if (first !== "CREATE" && first !== "ALTER") return second === undefined ? undefined : false;
  if (ROUTINES.has(part)) return true;
  return OTHER_OBJECTS.has(part) || header.length === HEADER ? false : undefined;
}
