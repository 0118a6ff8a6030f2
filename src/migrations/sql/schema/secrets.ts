import {
  escaped,
  isSecret,
  secretPlaceholders,
  withoutFinalLineBreak,
  withoutUserinfo,
} from "../../../text/mod.ts";

/** Shorter values are words, too: they are taken out of literals alone, where they stand by themselves. */
const LONG = 8;

/**
 * A schema with `${name}` instead of the values of placeholders whose names say that they are secret: it is made for a
 * repository.
 */
export function withPlaceholders(
  schema: string,
  placeholders: Readonly<Record<string, string>>,
): string {
  const shownBy = new Map<string, string>();
  for (const [value, shown] of secretPlaceholders(placeholders)) {
    for (const form of formsOf(value)) shownBy.set(form, shown);
  }
  const show = (found: string) => shownBy.get(found) ?? found;
  const forms = [...shownBy.keys()];
  const long = patternOf(forms.filter((form) => form.length >= LONG));
  const short = patternOf(forms.filter((form) => form.length < LONG));
  const text = long ? schema.replace(new RegExp(long, "g"), show) : schema;
  if (short === undefined) return text;
  const alone = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${short})(?![\\p{L}\\p{N}_])`, "gu");
  return text.replace(/'(?:[^'\n]|'')*'/g, (literal) => literal.replace(alone, show));
}

/** A value as it stands in a script: as it is, or in a literal of one of the dialects. */
function formsOf(value: string): readonly string[] {
  const forms = [value, withoutFinalLineBreak(value)].flatMap((form) => {
    const doubled = form.replaceAll("\\", "\\\\");
    const lines = doubled.replaceAll("\n", "\\n").replaceAll('"', '\\"');
    return [form, form.replaceAll("'", "''"), doubled.replaceAll("'", "''"), lines]
      .flatMap((text) => [text, text.replaceAll("'", "\\'")]);
  });
  return forms.filter((form) => form !== "");
}

/** The longest first: one secret may begin with another one. */
function patternOf(forms: readonly string[]): string | undefined {
  if (forms.length === 0) return undefined;
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return sorted.map(escaped).join("|");
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
