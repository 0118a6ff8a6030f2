import { escaped } from "../../../text/mod.ts";

/**
 * A dump without the objects of these names, and without what belongs to such tables: indexes, constraints, triggers,
 * policies.
 *
 * @param names with `*` for any characters; a name with a point includes the schema
 */
export function withoutObjects(dump: string, names: readonly string[]): string {
  if (names.length === 0) return dump;
  const isIgnored = matcherOf(names);
  const kept = dump.split(STATEMENT).filter((part) => !objectsOf(part).some(isIgnored));
  // The blank line before a statement is a part of the one before it.
  return `${kept.join("").trimEnd()}\n`;
}

/** Where a statement of a dump begins: PostgreSQL writes a comment before each, others none. */
const STATEMENT =
  /(?=^--\n-- Name: )|(?<!^--\n)(?=^(?:\/\*M?!\d+ )?CREATE )|(?=^(?:ALTER TABLE|COMMENT ON) )/gm;
const NAME = String.raw`(?:(?:"(?:[^"]|"")+"|\`(?:[^\`]|\`\`)+\`|[\w$]+)\.?)+`;
const CREATED = new RegExp(
  String
    .raw`\b(?:TABLE|VIEW|INDEX|TRIGGER|FUNCTION|PROCEDURE|SEQUENCE|TYPE|DOMAIN|POLICY|EVENT|SCHEMA|EXTENSION)` +
    String.raw` (?:IF NOT EXISTS |ONLY |CONCURRENTLY )*(${NAME})|\bON (?:ONLY )?(${NAME})`,
  "g",
);

/** The names of an object and of the table that it belongs to, with and without their schemas. */
function objectsOf(statement: string): readonly string[] {
  const head = /^--\n-- Name: (.+?); Type: [^;]+; Schema: ([^;]+);/.exec(statement);
  if (head) {
    const [, name = "", schema = ""] = head;
    // `users users_pkey` is a constraint of a table.
    const [own = "", other] = name.split(" ");
    return [own, other ?? own].flatMap((one) => [one, `${schema}.${one}`]);
  }
  const [first = ""] = statement.split("\n");
  return [...first.matchAll(CREATED)].flatMap(([, created = "", on = ""]) =>
    [created, on].filter(Boolean).flatMap((name) => {
      const plain = name.replace(/["\`]/g, "");
      return [plain, plain.slice(plain.lastIndexOf(".") + 1)];
    })
  );
}

/** Whether one of these names, in which `*` stands for any characters, is the name of an object. */
export function matcherOf(names: readonly string[]): (name: string) => boolean {
  const wanted = new RegExp(`^(?:${names.map(patternOf).join("|")})$`, "i");
  return (name) => names.length > 0 && wanted.test(name);
}

function patternOf(name: string): string {
  return name.split("*").map(escaped).join(".*");
}
