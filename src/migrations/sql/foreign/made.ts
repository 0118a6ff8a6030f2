import type { Grammar } from "../syntax/grammar.ts";
import { tokensOf } from "../syntax/lexer.ts";
import type { SqlMigration } from "../types.ts";

export interface MadeTable {
  /** Empty where it is what the connection works in; absent where a table is only renamed. */
  readonly schema?: string;
  readonly name: string;
}

const NAME = /(?:[\w$\u0080-\uffff]+|"[^"]+"|`[^`]+`|\[[^\]]+\])/.source;
const MAKES = new RegExp(
  String.raw`^(?:SET (?:LOCAL |SESSION )?SEARCH_PATH (?:=|TO)|USE) (?<path>${NAME})|` +
    String.raw`(?:\bCREATE (?:(?!TEMP)\w+ ){0,3}TABLE (?:IF NOT EXISTS )?|(?<to>\bTO )|` +
    String
      .raw`^(?:SELECT|WITH)\b.*?(?<!\b(?:INSERT|MERGE) )\bINTO (?!TEMP)(?:UNLOGGED )?(?:TABLE )?)` +
    String.raw`(?:(?<schema>${NAME}) \. )*(?<name>${NAME})`,
  "gim",
);
const CHANGES_ROWS = /^(?:INSERT|REPLACE|UPDATE|DELETE|MERGE|COPY)$/;

/** The tables that files create. One too many is only one that is not asked about. */
export function madeBy(
  migrations: readonly SqlMigration[],
  grammar: Grammar,
): readonly MadeTable[] {
  return migrations.flatMap(({ statements }) => {
    const text = statements.filter(({ words: [first = ""] }) => !CHANGES_ROWS.test(first))
      .map(({ text }) => plainText(text, grammar)).join("\n");
    let path = "";
    return [...text.matchAll(MAKES)].flatMap(({ groups = {} }): MadeTable[] => {
      if (groups.path !== undefined) path = groups.path.replace(/^(?:DEFAULT|"\$user")$/i, "");
      if (groups.name === undefined) return [];
      const [name = "", schema = ""] = [groups.name, groups.schema ?? path]
        .map((quoted) => quoted.replace(/^["`[]|["`\]]$/g, ""));
      return /^(?:pg_)?temp$/.test(schema) ? [] : [{ name, ...(!groups.to && { schema }) }];
    });
  });
}

/** With one space between tokens, without comments and strings; the bodies of functions and of `DO` are code. */
function plainText(text: string, grammar: Grammar): string {
  const hasBody = /^\s*(?:DO|CREATE[\s\w]+?(?:FUNCTION|PROCEDURE))\b/i.test(text);
  return tokensOf(text, grammar).map(({ kind, start, end }) => {
    const part = text.slice(start, end);
    const [quote] = part;
    if (kind !== "quoted" || quote === "`" || quote === "[") return part;
    if (quote === '"' && grammar.strings.ansiQuotes) return part;
    const [, body] = (hasBody && /^(\$[^$]*\$)(.*)\1$/s.exec(part)?.slice(1)) || [];
    return body === undefined ? "''" : plainText(body, grammar);
  }).join(" ");
}
