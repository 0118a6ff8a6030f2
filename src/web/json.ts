/** How deep lists and objects may be nested: what is deeper overflows the stack of whoever walks it. */
const MAX_DEPTH = 1000;

/**
 * Reads a JSON text that a client sent. A key `__proto__` is left out: it would change prototypes wherever
 * the value is copied.
 *
 * @throws {SyntaxError} when the text is malformed or nested more than 1,000 levels deep
 */
export function parseJson(text: string): unknown {
  // Two characters for each level: a shorter text cannot be too deep.
  if (text.length > 2 * MAX_DEPTH && isTooDeep(text)) {
    throw new SyntaxError(`It is nested more than ${MAX_DEPTH} levels deep`);
  }
  const value: unknown = JSON.parse(text);
  return PROTO_KEY.test(text) ? withoutProto(value) : value;
}

/** The key `__proto__`, each of its letters possibly written as an escape. */
const PROTO_KEY = new RegExp(
  `"${
    [..."__proto__"].map((letter) => {
      const [high, low = ""] = letter.charCodeAt(0).toString(16);
      return `(?:${letter}|\\\\u00${high}[${low}${low.toUpperCase()}])`;
    }).join("")
  }"\\s*:`,
);

/** Not by a reviver, which costs many times what reading does; nor by `delete`, which makes objects slow. */
function withoutProto(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = withoutProto(value[index]);
    return value;
  }
  const source = value as Record<string, unknown>;
  const target = Object.hasOwn(source, "__proto__") ? {} as Record<string, unknown> : source;
  for (const key in source) {
    if (key === "__proto__") continue;
    const inner = withoutProto(source[key]);
    if (target !== source || inner !== source[key]) target[key] = inner;
  }
  return target;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) inString = !inString;
    else if (inString) {
      if (code === BACKSLASH) index++;
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
