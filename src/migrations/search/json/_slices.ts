export interface Slice {
  readonly start: number;
  readonly end: number;
}

export interface MemberSlice {
  readonly name: Slice;
  readonly value: Slice;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The parts of an object or array of parsed text; `jsonc-parser` takes five times as long (ADR 188). */
export function memberSlices(text: string, start: number): readonly MemberSlice[] {
  const parts: MemberSlice[] = [];
  let depth = 0;
  let name: Slice = { start, end: start };
  let from = start + 1;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (isOpening(code)) depth++;
    else if (code === COLON && depth === 1) {
      name = trim(text, from, i);
      from = i + 1;
    } else if ((code === COMMA && depth === 1) || (isClosing(code) && depth-- === 1)) {
      const value = trim(text, from, i);
      if (value.start < value.end) parts.push({ name, value });
      if (depth === 0) break;
      name = { start: i, end: i };
      from = i + 1;
    }
  }
  return parts;
}

export function compact(json: string): string {
  let kept = "";
  let from = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = endOfString(json, i);
    else if (isSpace(code)) {
      kept += json.slice(from, i);
      from = i + 1;
    }
  }
  return from === 0 ? json : kept + json.slice(from);
}

/** The offset of the bracket that exceeds a depth; the text need not be JSON. */
export function bracketBeyond(text: string, levels: number): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (isOpening(code) && ++depth > levels) return i;
    else if (isClosing(code)) depth--;
  }
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length;
}

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

/** White space by RFC 8259, section 2. */
function trim(text: string, start: number, end: number): Slice {
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return { start, end };
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
