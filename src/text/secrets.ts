import { escaped } from "./regular_expression.ts";

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

/** Whether a placeholder is named like a secret, or is part of what is: `key.id`. */
export function isSecretPlaceholder(name: string): boolean {
  return isSecret(name) || name.split(".").some(isSecret);
}

/**
 * The values of placeholders that are named like secrets, with what is shown in their place, for {@linkcode masker}. Of maps
 * and lists those below such a name; `true` and `false` are no secrets.
 */
export function secretPlaceholders(
  placeholders: Readonly<Record<string, unknown>>,
): readonly (readonly [value: string, shown: string])[] {
  return Object.entries(placeholders).flatMap(([name, value]) =>
    secretLeaves(name, value).map((leaf) => [leaf, `\${${name}}`] as const)
  );
}

/** The texts and numbers below a name that are secret. */
function secretLeaves(name: string, value: unknown, isBelow = false): readonly string[] {
  const hidden = isBelow || isSecretPlaceholder(name);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => secretLeaves(key, item, hidden));
  }
  const isLeaf = typeof value === "string" || typeof value === "number";
  return hidden && isLeaf ? [String(value)] : [];
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
/** What is left of a longer value that was cut off: so much of it by itself, or less before an ellipsis. */
const CUT = { alone: 8, beforeEllipsis: 3 };

/**
 * Makes a function that takes secrets out of a text, as they are and as URLs, JSON, and URLs of JSON write them. A final line break, as
 * files of secrets have it, may be missing; whoever repeats a value may show one of its lines, or its beginning.
 *
 * @param secrets values, with what is shown in their place
 */
export function masker(
  secrets: Iterable<readonly [value: string, shown: string]>,
): (text: string) => string {
  const shownBy = new Map<string, string>();
  for (const [value, shown] of secrets) {
    const whole = withoutFinalLineBreak(value);
    const lines = whole.split(/\r?\n/).filter((line) => Array.from(line).length >= SHORT);
    for (const form of [value, whole, ...lines]) {
      const json = JSON.stringify(form).slice(1, -1);
      for (const written of [form, encodeURIComponent(form), json, encodeURIComponent(json)]) {
        if (written !== "") shownBy.set(written, shown);
      }
    }
  }
  if (shownBy.size === 0) return (text) => text;
  // The longest first: one secret may begin with another one.
  const forms = [...shownBy.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(patternOf).join("|"), "gu");
  return (text) =>
    forms.reduce(
      (left, form) => withoutBeginnings(left, form, shownBy.get(form)!),
      text.replace(pattern, (found) => shownBy.get(found) ?? found),
    );
}

/** The text without what a value begins with. */
function withoutBeginnings(text: string, value: string, shown: string): string {
  if (value.length <= CUT.beforeEllipsis) return text;
  const head = value.slice(0, CUT.beforeEllipsis);
  let left = "";
  let from = 0;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    let end = at + head.length;
    while (end < text.length && text[end] === value[end - at]) end++;
    const isCut = end - at >= CUT.alone || /^(?:\.{3}|…)/.test(text.slice(end, end + 3));
    left += text.slice(from, at) + (isCut ? shown : text.slice(at, end));
    from = end;
  }
  return left + text.slice(from);
}

function patternOf(value: string): string {
  const literal = escaped(value);
  if (Array.from(value).length >= SHORT) return literal;
  return `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`;
}
