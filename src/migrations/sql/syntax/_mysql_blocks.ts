import type { Blocks } from "./types.ts";

const ROUTINES = new Set(["PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE"]);
const OTHER_OBJECTS = new Set(["TABLE", "VIEW", "INDEX", "DATABASE", "SCHEMA", "USER", "ROLE"]);
const LOOPS = new Set(["IF", "LOOP", "REPEAT", "WHILE", "FOR"]);
/** A statement of a compound statement starts behind these. */
const STARTS = new Set([
  ...[";", ":", "BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT"],
  ...["FOUND", "SQLEXCEPTION", "SQLWARNING"],
]);
/** The body of a routine that is no block starts behind these. */
const HEADER_ENDS = new Set([
  ...[")", "'", ":", "ROW", "DO", "SQL", "DATA", "DETERMINISTIC", "INVOKER", "DEFINER"],
]);
/** Behind these, `begin` and `end` are names of columns. */
const BEFORE_NAMES = new Set([
  ...[".", ",", "=", "(", "+", "-", "*", "/", "%", "<", ">", "@", "!", "|", "&", "^"],
  ...["SELECT", "DISTINCT", "BY", "SET", "WHERE", "AND", "OR", "NOT", "ON", "AS", "INTO", "XA"],
]);

/**
 * `BEGIN`, `IF`, `CASE`, `LOOP`, `REPEAT`, `WHILE` and `FOR` with their `END`, in stored programs and, as
 * MariaDB has it, outside of them.
 */
export function mysqlBlocks(): Blocks {
  const header: string[] = [];
  const open: string[] = [];
  let isProgram: boolean | undefined;
  let previous = "";
  /** The part before this one, where that opened a block. */
  let opened = "";
  /** Set while the parenthesis right behind an `IF` is read: with two commas it is the function. */
  let condition: { depth: number; commas: number } | undefined;

  const decide = (part: string) => {
    if (header.length < 24) header.push(part);
    const [first = "", second] = header;
    if (LOOPS.has(first) || first === "CASE") isProgram = true;
    else if (first === "BEGIN") isProgram = second === undefined ? undefined : second === "NOT";
    else if (second === ":") isProgram = true;
    else if (first !== "CREATE" && first !== "ALTER") {
      if (second !== undefined) isProgram = false;
    } else if (ROUTINES.has(part)) isProgram = true;
    else if (OTHER_OBJECTS.has(part) || header.length === 24) isProgram = false;
  };

  const opens = (part: string): boolean => {
    if (part === "BEGIN") return !BEFORE_NAMES.has(previous);
    if (part === "CASE") return previous !== "END" && previous !== ".";
    if (!LOOPS.has(part)) return false;
    return previous === "" || (open.length > 0 ? STARTS : HEADER_ENDS).has(previous);
  };

  const followCondition = (part: string) => {
    if (condition === undefined) return;
    if (part === "(") condition.depth++;
    else if (part === ")") condition.depth--;
    else if (part === "," && condition.depth === 1) condition.commas++;
    if (condition.depth > 0) return;
    if (condition.commas === 2) open.pop();
    condition = undefined;
  };

  const follow = (part: string) => {
    followCondition(part);
    const isOpening = opens(part);
    if (isOpening) open.push(part);
    else if (part === "END" && !BEFORE_NAMES.has(previous)) open.pop();
    else if (part === "(" && opened === "IF") condition = { depth: 1, commas: 0 };
    else if (part === "(" && opened === "REPEAT") open.pop(); // The function.
    opened = isOpening ? part : "";
  };

  return {
    feed(part) {
      if (isProgram === undefined) decide(part);
      // The first words may have to be seen before it is clear that they open a block.
      if (isProgram === true && header.length === 2 && header[0] === "BEGIN" && part === "NOT") {
        open.push("BEGIN");
      } else if (isProgram) follow(part);
      previous = part;
    },
    isComplete: () => open.length === 0,
  };
}
