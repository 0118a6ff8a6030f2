import { checkWritable } from "./body.ts";

/** A value that XML 1.0 cannot hold. */
export class XmlError extends TypeError {
  override readonly name = "XmlError";
}

/**
 * Writes plain data as an XML 1.0 document: `<response>` with a child for each key of an object or an `<item>` for
 * each element of an array. An array below a key repeats the key's element, `null` is an empty element,
 * `undefined` is left out, dates are ISO 8601, whatever has `toJSON` is what that gives.
 *
 * @throws {XmlError} for names and characters that XML cannot hold, for functions, symbols and cycles
 */
export function toXml(value: unknown): string {
  checkWritable(value);
  const root = element(ROOT, plain(value) ?? null, `/${ROOT}`, new Set());
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

const ROOT = "response";

function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
  return typeof value.toJSON === "function" ? value.toJSON() : value;
}

function element(name: string, value: unknown, path: string, parents: Set<object>): string {
  if (!NAME.test(name)) throw xmlError(path, `${JSON.stringify(name)} is not a valid element name`);
  const content = xmlOf(value, path, parents);
  return content === "" ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

function xmlOf(value: unknown, path: string, parents: Set<object>): string {
  switch (typeof value) {
    case "string":
      return text(value, path);
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      return value === null ? "" : children(value, path, parents);
    default:
      throw xmlError(path, `it is a ${typeof value}`);
  }
}

function children(value: object, path: string, parents: Set<object>): string {
  if (parents.has(value)) throw xmlError(path, "it contains itself");
  parents.add(value);
  const content = Array.isArray(value)
    ? items("item", value, path, parents)
    : Object.entries(value).map(([name, child]) => {
      const written = plain(child);
      const below = `${path}/${name}`;
      if (Array.isArray(written)) return items(name, written, below, parents);
      return written === undefined ? "" : element(name, written, below, parents);
    }).join("");
  parents.delete(value);
  return content;
}

function items(name: string, list: unknown[], path: string, parents: Set<object>): string {
  return list.map((item, index) => element(name, plain(item) ?? null, `${path}/${index}`, parents))
    .join("");
}

function xmlError(path: string, reason: string): XmlError {
  return new XmlError(`Cannot write '${path}' as XML: ${reason}`);
}

/** `Name` of XML 1.0 (fifth edition) without the colon, which would be a namespace's. */
const NAME = new RegExp(
  "^[A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}" +
    "\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}" +
    "\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}]" +
    "[-.0-9A-Z_a-z\\u{B7}\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{37D}\\u{37F}-\\u{1FFF}" +
    "\\u{200C}\\u{200D}\\u{203F}\\u{2040}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}" +
    "\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}]*$",
  "u",
);

/** All characters that `Char` of XML 1.0 excludes. */
// deno-lint-ignore no-control-regex -- control characters are what it is about
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  // Parsers turn a bare carriage return into a line feed.
  "\r": "&#13;",
};

function text(value: string, path: string): string {
  if (FORBIDDEN.test(value) || !value.isWellFormed()) {
    throw xmlError(path, "it has a character that XML does not allow");
  }
  return value.replace(/[&<>\r]/g, (character) => ESCAPES[character]!);
}
