import { escaped } from "./regular_expression.ts";
import { hexOf } from "./values.ts";

/** From this length on a secret is hidden inside words too; a shorter one is a word or a number by chance (ADR 165). */
export const LONG = 8;
/** Values so short that they are hidden only between quotes, with nothing else between them. */
const SHORT = /^(?:.{1,3}|true|false|null)$/is;
const QUOTES = [["'", "'"], ['"', '"'], ['"', '\\"'], ["`", "`"]] as const;
/** Forms are looked for by so many characters, which are hidden without the rest before an ellipsis. */
const HEAD = 3;

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
const xml = (text: string) =>
  text.replace(/[&<>"']/g, (found) => ENTITIES[found as keyof typeof ENTITIES]);
const percent = (unsafe: RegExp) => (text: string) =>
  text.replace(unsafe, (found) => hexOfText(found).replace(/../g, "%$&"));

/**
 * How a text is written within another one. Two of them may be combined: a URL in JSON. Case does not matter. A function,
 * so that bundles of applications without migrations leave it out.
 */
const escapes = (): readonly ((text: string) => string)[] => [
  (text) => text,
  (text) => text.replaceAll("'", "''"),
  (text) => text.replaceAll("'", "\\'"),
  (text) => text.replaceAll("\\", "\\\\"),
  (text) => JSON.stringify(text).slice(1, -1),
  xml,
  (text) => xml(text).replaceAll("&apos;", "&#39;"),
  // RFC 3986, `encodeURIComponent`, forms, paths, and user names and passwords of URLs.
  ...[/[^\w.~-]+/g, /[^\w.~!*'()-]+/g].map(percent),
  (text) => percent(/[^\w.* -]+/g)(text).replaceAll(" ", "+"),
  ...[/[^!-~]+|["<>^`{|}]+/g, /[^!-~]+|["<>^`{|}#?/:;=@[\]\\]+/g].map(percent),
];

/** MariaDB quotes the bytes of a value like this. */
const byteEscaped = (text: string) =>
  text.replace(/[^ -~]+/g, (found) => hexOfText(found).replace(/../g, "\\x$&"));

/** Servers quote parts of a value with their delimiters: those of 6 characters or more, except plain words. */
function quotes(text: string): readonly string[] {
  return text.split(/[\s"'`,()[\]{}<>]+/).filter((part) => {
    const isWord = !/[^\p{L}.:_-]/u.test(part) &&
      (part.slice(1) === part.slice(1).toLowerCase() || part === part.toUpperCase());
    return part.length >= 6 && !isWord;
  });
}

function hexOfText(text: string): string {
  return hexOf(new TextEncoder().encode(text));
}

/** A text in base64 by itself, and what there is of it wherever it begins in a longer one. */
function base64Of(text: string): readonly string[] {
  const bytes = Array.from(
    new TextEncoder().encode(text),
    (byte) => String.fromCharCode(byte),
  ).join("");
  const within = [0, 1, 2].map((before) => {
    const end = Math.floor((before + bytes.length) * 8 / 6);
    return btoa("\0".repeat(before) + bytes).slice(before && before + 1, end);
  }).filter(({ length }) => length >= LONG);
  const forms = [btoa(bytes).replace(/=+$/, ""), ...within];
  return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

interface Form {
  readonly shown: string;
  /** Whether it is hidden only where it is no part of a word. */
  readonly isApart?: boolean;
  /** How much of its beginning is hidden without the rest; nothing when absent. */
  readonly least?: number;
}

/**
 * Makes a function that takes secrets out of a text, in all the forms that servers, programs and formats write them in,
 * their lines and their beginnings too, since servers cut texts off. What it has inserted stays as it is the second
 * time.
 */
export function masker(
  secrets: readonly (readonly [value: string, shown: string])[],
  { whole = false }: { readonly whole?: boolean } = {},
): (text: string) => string {
  let byHead: Map<string, [string, Form][]> | undefined;
  let heads: RegExp;
  return (text) => {
    // Most runs have no text that could hold a secret.
    byHead ??= Map.groupBy(formsOf(secrets, whole), ([form]) => form.slice(0, HEAD));
    if (byHead.size === 0) return text;
    heads ??= new RegExp([...byHead.keys()].map(escaped).join("|"), "g");
    // One pass from left to right: the longest form at each place, and what overlaps it.
    const low = folded(text);
    let left = "";
    let from = 0;
    let last = "";
    heads.lastIndex = 0;
    for (let hit = heads.exec(low); hit !== null; hit = heads.exec(low)) {
      const at = hit.index;
      heads.lastIndex = at + 1;
      let end = from;
      let shown = "";
      for (const [form, how] of byHead.get(hit[0]) ?? []) {
        const found = endOf(low, at, form, how);
        if (found > end) [end, shown] = [found, how.shown];
      }
      if (end === from) continue;
      if (at >= from || shown !== last) left += text.slice(from, Math.max(from, at)) + shown;
      [from, last] = [end, shown];
    }
    return left + text.slice(from);
  };
}

/** A secret without the final line break of its file, which no server counts as part of a password. */
export function withoutFinalLineBreak(secret: string): string {
  return secret.replace(/\r?\n$/, "");
}

function formsOf(secrets: Parameters<typeof masker>[0], isWhole: boolean): Map<string, Form> {
  const forms = new Map<string, Form>();
  const ways = escapes();
  for (const [value, shown] of secrets) {
    const whole = withoutFinalLineBreak(value);
    const lines = isWhole ? [] : whole.split(/\r?\n/).filter((line) => !SHORT.test(line));
    for (const text of new Set([value, whole, ...lines].filter((text) => text !== ""))) {
      if (SHORT.test(text)) {
        for (const [before, after] of QUOTES) {
          forms.set(folded(before + text + after), { shown: before + shown + after });
        }
        continue;
      }
      const written = ways.flatMap((outer) =>
        [...ways, byteEscaped].map((inner) => outer(inner(text)))
      );
      const parts = isWhole ? [] : quotes(text).flatMap((part) => ways.map((way) => way(part)));
      for (const form of new Set([...written, hexOfText(text), ...base64Of(text), ...parts])) {
        // Otherwise a secret URL would hide all of its scheme.
        const least = LONG + (/^\w+:\/\//.exec(form)?.[0].length ?? 0);
        const isApart = form.length < LONG || text.length < LONG && written.includes(form);
        forms.set(folded(form), { shown, isApart, ...(!isWhole && { least }) });
      }
    }
    forms.set(folded(shown), { shown });
  }
  forms.delete("");
  return forms;
}

/** In lower case, as PostgreSQL writes names, in the same length and without regard to what follows. */
function folded(text: string): string {
  return text.replaceAll("\u0130", "i").toLowerCase().replaceAll("\u03c2", "\u03c3");
}

/** Where a form ends that begins here, or what is left of it; 0 where there is nothing to hide. */
function endOf(text: string, at: number, form: string, { isApart, least }: Form): number {
  let end = at + HEAD;
  while (end - at < form.length && text[end] === form[end - at]) end++;
  if (end - at === form.length) return isApart && isInWord(text, at, end) ? 0 : end;
  if (least === undefined) return 0;
  return end - at >= least || /^(?:…|\.{3})/.test(text.slice(end, end + 3)) ? end : 0;
}

function isInWord(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - 6), at);
  // The letter before it may be the end of an escape.
  const isEscape = /(?:\\(?:[bfnrt]|x[\da-f]{2}|u[\da-f]{4})|%[\da-f]{2})$/.test(before);
  return /[\p{L}\p{N}_]$/u.test(before) && !isEscape || /[\p{L}\p{N}_]/u.test(text.charAt(end));
}
