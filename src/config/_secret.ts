const SECRET =
  /pass(?:word|phrase|wd)|pwd|secret|token|credential|private|api[-_]?key|client[-_]?key|authorization/i;

/** Whether the value of a key must never be shown. */
export function isSecret(key: string): boolean {
  return SECRET.test(key);
}

/** A value for a message: `, found 'abc'`, or nothing where it is a secret. */
export function found(key: string, value: unknown): string {
  if (isSecret(key)) return "";
  if (value === null || value === undefined) return ", found nothing";
  if (Array.isArray(value)) return ", found a list";
  return typeof value === "object"
    ? ", found a map"
    : `, found '${withoutUserinfo(String(value))}'`;
}

/** URLs may hold a user and a password. */
export function withoutUserinfo(text: string): string {
  return text.replace(/:\/\/[^/\s]*@/g, "://…@");
}
