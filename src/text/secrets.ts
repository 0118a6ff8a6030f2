const SECRET = new RegExp(
  [
    "pass(?:word|phrase|wd|code|key)?s?(?![a-z])",
    "(?:^|[-_.])pw(?![a-z])|pwd|secret|token|credential|private|authorization",
    "(?:api|client|access|signing|encryption)[-_]?key",
    "(?:^|[-_.\\]])key$",
  ].join("|"),
  "i",
);

/** Whether what has this name, a key of the configuration or a placeholder, must never be shown. */
export function isSecret(name: string): boolean {
  return SECRET.test(name);
}

/** A secret as it is meant: files of secrets end with a line break, and no server takes one for a part of a password. */
export function withoutFinalLineBreak(secret: string): string {
  return secret.replace(/\r?\n$/, "");
}

/** URLs may hold a user and a password. */
export function withoutUserinfo(text: string): string {
  return text.replace(/:\/\/[^/\s]*@/g, "://…@");
}

/** Shorter values stand in words by chance, so they are hidden only where they stand alone. */
const SHORT = 4;

/**
 * Makes a function that takes secrets out of a text, as they are and as URLs and JSON write them. A final line break, as
 * files of secrets have it, may be missing.
 *
 * @param secrets values, with what is shown in their place
 */
export function masker(
  secrets: Iterable<readonly [value: string, shown: string]>,
): (text: string) => string {
  const shownBy = new Map<string, string>();
  for (const [value, shown] of secrets) {
    for (const form of [value, withoutFinalLineBreak(value)]) {
      for (const written of [form, encodeURIComponent(form), JSON.stringify(form).slice(1, -1)]) {
        if (written !== "") shownBy.set(written, shown);
      }
    }
  }
  if (shownBy.size === 0) return (text) => text;
  // The longest first: one secret may begin with another one.
  const forms = [...shownBy.keys()].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(forms.join("|"), "gu");
  return (text) => text.replace(pattern, (found) => shownBy.get(found) ?? found);
}

function patternOf(value: string): string {
  // Under the flag `u` nothing else may be escaped, not even a hyphen.
  const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  if (Array.from(value).length >= SHORT) return literal;
  return `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`;
}
