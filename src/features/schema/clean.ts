import { isSecret, LONG, masker, secretPlaceholders, withoutUserinfo } from "../../text/mod.ts";

/**
 * Removes from the output of `pg_dump` everything but the schema: names of versions, the token that it guards a file for `psql` with, time
 * limits of the session that loads it, passwords for foreign servers. So the same schema gives the same text.
 */
export function cleanPostgresql(dump: string): string {
  const first = dump.indexOf(ENTRY);
  const head = first < 0 ? dump : dump.slice(0, first);
  const tail = first < 0 ? "" : dump.slice(first);
  const end = tail.lastIndexOf("\n--\n-- PostgreSQL database dump complete");
  const body = end < 0 ? tail : tail.slice(0, end);
  const kept = head.split("\n").filter((line) => !PASSING.some((form) => form.test(line)));
  const settings = kept.join("\n").replace(/\n{3,}/g, "\n\n").trimEnd();
  return withoutEdges(`${settings}\n${withoutForeignSecrets(body)}`);
}

const ENTRY = "\n--\n-- Name: ";
const PASSING = [
  /^\\(?:un)?restrict\b/,
  /^--/,
  /^SET (?:statement|lock|idle_in_transaction_session|transaction)_timeout = 0;$/,
];

/**
 * Removes from the output of `mariadb-dump` or `mysqldump` everything but the schema: the next values of counters and sequences, passwords for foreign servers, and who has defined
 * views, routines and triggers, which goes with privileges.
 */
export function cleanMysql(dump: string): string {
  const lines = dump.split("\n").filter((line) =>
    !/^\/\*M?!\d*\\- enable the sandbox mode|^(?:DO|SELECT) SETVAL\(`/.test(line)
  );
  const text = lines.map((line) => {
    if (line.startsWith(") ENGINE=")) {
      return withoutServerSecrets(line.replace(/ AUTO_INCREMENT=\d+/, ""));
    }
    const isDefinition = /^(?:\/\*!|CREATE )/.test(line);
    return isDefinition ? line.replace(DEFINER, "").replace(EMPTY_COMMENT, "") : line;
  });
  return withoutEdges(text.join("\n"));
}

const DEFINER = /DEFINER=`(?:[^`]|``)*`(?:@`(?:[^`]|``)*`)? ?/;
const EMPTY_COMMENT = /\/\*!\d+ *\*\/ ?/;

/** Nothing else is taken away from texts, which may be those of functions. */
function withoutEdges(text: string): string {
  return `${text.trim()}\n`;
}

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
 * Removes the logins of users of foreign servers from the output of `pg_dump`: they go with roles, which are no part of it.
 * Options of servers and tables that are named like secrets lose their values.
 */
function withoutForeignSecrets(dump: string): string {
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
function withoutServerSecrets(line: string): string {
  return withoutUserinfo(line).replace(
    /\b(pass(?:word|wd)?["'\\]*\s*[=\s]\s*(?:\\?["']){0,2})[^"'\\,;\s]+/gi,
    "$1***",
  );
}
