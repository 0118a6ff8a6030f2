import { isSecret, LONG, masker, secretPlaceholders, withoutUserinfo } from "../../../text/mod.ts";

/**
 * A schema with `${name}` instead of the values of placeholders whose names say that they are secret: it is made for a
 * repository. Short values may be names, too: outside of literals they stay, so that the schema can be loaded.
 */
export function withPlaceholders(
  schema: string,
  placeholders: Readonly<Record<string, string>>,
): string {
  const secrets = secretPlaceholders(placeholders);
  const long = masker(secrets.filter(([value]) => value.length >= LONG), { whole: true });
  return long(schema).replace(/'(?:[^'\n]|'')*'/g, masker(secrets, { whole: true }));
}

/**
 * What `pg_dump` wrote without what users of foreign servers log in with: that goes with roles, which are no part of it.
 * Options of servers and tables that are named like secrets lose their values.
 */
export function withoutForeignSecrets(dump: string): string {
  const parts = dump.replace(USER_MAPPING, "").split(/(?=\n--\n-- Name: )/);
  return parts.map((part) => {
    if (!FOREIGN.test(part)) return part;
    return part.replace(OPTION, (option, before: string, name: string) => {
      return isSecret(name) ? `${before}'***'` : option;
    });
  }).join("");
}

const USER_MAPPING =
  /\n--\n-- Name: [^\n]*; Type: USER MAPPING;[^\n]*\n--\n\nCREATE USER MAPPING (?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[^;'"])*;\n*(?=\n)/g;
const FOREIGN = /^\n--\n-- Name: [^\n]*; Type: (?:SERVER|FOREIGN TABLE|FOREIGN DATA WRAPPER);/;
/** An option with its value, each on a line as it is written there. */
const OPTION = /^(\s+"?([\w.-]+)"? )E?'(?:[^']|'')*'(?=,?$)/gm;

/** A line about a table's engine: some name another server, and how to log in there. */
export function withoutServerSecrets(line: string): string {
  return withoutUserinfo(line).replace(
    /\b(pass(?:word|wd)?["'\\]*\s*[=\s]\s*(?:\\?["']){0,2})[^"'\\,;\s]+/gi,
    "$1***",
  );
}
