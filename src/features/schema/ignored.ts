import { pauses } from "../../runtime/mod.ts";
import { escaped } from "../../text/mod.ts";

/**
 * A dump without the objects of these names, and without what belongs to them: indexes, constraints, triggers, policies,
 * sequences, comments.
 *
 * @param names with `*` for any characters; a name with a point includes the schema
 */
export async function withoutObjects(dump: string, names: readonly string[]): Promise<string> {
  if (names.length === 0) return dump;
  const isWanted = matcherOf(names);
  const texts = dump.replace(SETTING, "").split(ENTRY.test(dump) ? ENTRY : STATEMENT);
  const parts: (Objects & { readonly text: string })[] = [];
  const pause = pauses();
  for (const text of texts) {
    parts.push({ text, ...objectsOf(text) });
    await pause();
  }
  const isIgnored = ({ names }: Objects) => names.some(isWanted);
  // An index or sequence of such a table has entries of its own that do not name the table.
  const owned = new Set(parts.filter(isIgnored).flatMap(({ own }) => own ?? []));
  const kept = parts.filter((part) => {
    return !isIgnored(part) && !part.names.some((name) => owned.has(name));
  });
  // The blank line before a statement is a part of the one before it.
  return `${kept.map(({ text }) => text).join("").trimEnd()}\n`;
}

/** Dump programs write these between objects to set and restore the session, and the defaults of `pg_dump`. */
const SETTING = new RegExp(
  String.raw`^(?:DELIMITER .*|\/\*!50001 DROP VIEW .*|\/\*!\d+ SET .*@(?:OLD|saved?)_.*|` +
    String.raw`SET @saved_cs_client .*|(?:\/\*!\d+ )?SET character_set_client = \S+(?: \*\/)?;|` +
    String.raw`SET default_(?:tablespace = ''|table_access_method = heap);)\n+`,
  "gmi",
);
const ENTRY = /(?=^--\n-- Name: )/m;
/** The same in other dumps. MariaDB writes the character set and mode of views and routines before them. */
const MODE = String
  .raw`^\/\*!\d+ SET (?:character_set_\w+|collation_connection|sql_mode|time_zone) `;
const STATEMENT = new RegExp(
  String.raw`(?<!${MODE}.*\n)(?=${MODE}|^(?:\/\*M?!\d+ )?CREATE\b)`,
  "m",
);

const NAME = String.raw`(?:(?:"(?:[^"]|"")+"|\`(?:[^\`]|\`\`)+\`|\[[^\]]+\]|[\w$]+)\.?)+`;
const KIND = "TABLE|VIEW|INDEX|TRIGGER|FUNCTION|PROCEDURE|AGGREGATE|SEQUENCE|TYPE|DOMAIN|POLICY|" +
  "EVENT|SCHEMA|EXTENSION|STATISTICS|RULE|PARTITION|COLUMN|CONSTRAINT|OWNED BY|ON|TO|FROM";
const NAMED = new RegExp(
  String.raw`\b(${KIND}) (?:IF NOT EXISTS |ONLY |CONCURRENTLY )*(?!(?:${KIND})\b)(${NAME})`,
  "gi",
);
const CONTENT =
  /\((?! *(?:ndistinct|dependencies|mcv)\b)|;$|\b(?:FOR EACH|BEGIN|DO|AS(?!\s+ON))\b/im;

interface Objects {
  /** The names of the object and of its owner, with and without their schemas. */
  readonly names: readonly string[];
  readonly own?: string;
}

function objectsOf(part: string): Objects {
  const entry = /^--\n-- Name: (.+?)(?:\(.*\))?; Type: ([^;]+); Schema: ([^;]+);.*\n--\n\n/.exec(
    part,
  );
  const statement = part.slice(entry?.[0].length).replace(/^\/\*!\d+ SET .*\n/gm, "");
  const [head = ""] = statement.split(CONTENT, 1);
  const found = [...head.matchAll(NAMED)].flatMap(([, kind = "", quoted = ""]) => {
    const parts = quoted.split(/\.(?=["\`[\w$])/).map(unquoteAll);
    if (/^SCHEMA$/i.test(kind)) return [...parts, `${parts.join(".")}.`];
    const path = /^(?:COLUMN|OWNED BY)$/i.test(kind) ? parts.slice(0, -1) : parts;
    return [path.join("."), ...path.slice(-1)];
  });
  if (!entry) return { names: found };
  const [, name = "", type, schema] = entry;
  // `EXTENSION x` is the name of the comment on one.
  if (type === "COMMENT") return { names: [...found, name] };
  const own = schema === "-" ? `${type} ${name}` : `${schema}.${name}`;
  return { names: [...found, name, own], own };
}

function unquoteAll(name: string): string {
  return name.replace(/^["\`[]|["\`\]]$/g, "").replace(/""/g, '"').replace(/``/g, "\`");
}

/** Whether one of these names, in which `*` stands for any characters, is the name of an object. */
export function matcherOf(names: readonly string[]): (name: string) => boolean {
  const wanted = new RegExp(`^(?:${names.map(patternOf).join("|")})$`, "i");
  return (name) => names.length > 0 && wanted.test(name);
}

function patternOf(name: string): string {
  return name.split("*").map(escaped).join(".*");
}
