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
  return MAYBE_PROTO.test(text) ? JSON.parse(text, withoutProto) : JSON.parse(text);
}

/** The key `__proto__`, possibly written with escapes. */
const MAYBE_PROTO = /__proto__|\\u00(?:5[fF]|[67])/;

function withoutProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
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
