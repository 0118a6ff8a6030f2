/** A name in the quotes of standard SQL, which a database reads whatever its case. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function backquoted(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

/** A text as a literal of standard SQL; it must not have backslashes where the database takes them for escapes. */
export function stringLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function isNamed(text: string, name: string): boolean {
  const [statement, wanted] = [text.toLowerCase(), name.toLowerCase()];
  if (!/^[\w$\x80-\uffff]+$/.test(wanted)) return statement.includes(wanted);
  return statement.split(/[^\w$\x80-\uffff]+/).includes(wanted);
}
