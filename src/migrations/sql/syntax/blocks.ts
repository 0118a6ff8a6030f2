import type { Blocks, Grammar } from "./grammar.ts";
import { MysqlBlocks } from "./mysql_blocks.ts";

export function blocksOf(kind: Grammar["blocks"]): Blocks {
  if (kind === "postgresql") return postgresqlBlocks();
  return kind === "mysql" ? new MysqlBlocks() : sqliteBlocks();
}

/** Parentheses, for `CREATE RULE … DO (…; …)`, and `BEGIN ATOMIC … END` with `CASE … END` inside. */
function postgresqlBlocks(): Blocks {
  let parentheses = 0;
  let depth = 0;
  let previous = "";
  const follow = (part: string) => {
    if (part === "(") parentheses++;
    else if (part === ")") parentheses = Math.max(0, parentheses - 1);
    else if (part === "ATOMIC" && previous === "BEGIN") depth = 1;
    else if (depth > 0 && previous !== "AS" && previous !== ".") {
      if (part === "CASE") depth++;
      if (part === "END") depth--;
    }
  };
  return {
    feed(part) {
      follow(part);
      previous = part;
    },
    isComplete: () => parentheses === 0 && depth === 0,
  };
}

/** A trigger ends with `; END`, which the `END` of a `CASE` never follows. */
function sqliteBlocks(): Blocks {
  const opening: string[] = [];
  let last = ["", ""];
  return {
    feed(part) {
      if (opening.length < 6) opening.push(part);
      last = [last[1] ?? "", part];
    },
    isComplete: () => {
      const isTrigger = /^(EXPLAIN (QUERY PLAN )?)?CREATE (TEMP |TEMPORARY )?TRIGGER\b/
        .test(opening.join(" "));
      return !isTrigger || last.join(" ") === "; END";
    },
  };
}
