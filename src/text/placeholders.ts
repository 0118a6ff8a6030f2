/** Where a text has `${`, or `$${`, which stands for it. */
interface Opening {
  readonly start: number;
  readonly content: number;
  readonly isEscaped: boolean;
}

export interface Placeholder {
  readonly name: string;
  /** As it is written: it may hold placeholders. */
  readonly fallback?: string;
}

export class PlaceholderError extends Error {}

/** The grammar of the configuration and of `@Value`. @throws {PlaceholderError} without a closing brace */
export function placeholdersIn(text: string): readonly (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = [];
  let plain = "";
  let position = 0;
  for (let next = nextOpening(text, 0); next; next = nextOpening(text, position)) {
    plain += text.slice(position, next.start);
    position = next.content;
    if (next.isEscaped) {
      plain += "${";
      continue;
    }
    const end = closingBrace(text, next.content);
    if (end < 0) {
      throw new PlaceholderError(
        "Cannot fill a placeholder: expected '}', or '$${' for a literal '${'",
      );
    }
    if (plain !== "") parts.push(plain);
    plain = "";
    parts.push(placeholderOf(text.slice(next.content, end)));
    position = end + 1;
  }
  plain += text.slice(position);
  return plain === "" ? parts : [...parts, plain];
}

function placeholderOf(content: string): Placeholder {
  const colon = content.indexOf(":");
  if (colon < 0) return { name: content.trim() };
  return { name: content.slice(0, colon).trim(), fallback: content.slice(colon + 1) };
}

export function nextOpening(text: string, from: number): Opening | undefined {
  const at = text.indexOf("${", from);
  if (at < 0) return undefined;
  const isEscaped = at > from && text[at - 1] === "$";
  return { start: isEscaped ? at - 1 : at, content: at + 2, isEscaped };
}

/** Index of the brace that closes the placeholder of `from`, or -1; those inside come in pairs. */
export function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return -1;
}

/** A placeholder whose name is declared: `${name}`, or `$${name}` for that text itself. */
export interface DeclaredPlaceholder {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
}

/** The placeholders of declared names in a text, in order. What else looks like one is none. */
export function* declaredPlaceholders(
  text: string,
  isDeclared: (name: string) => boolean,
): Generator<DeclaredPlaceholder> {
  for (let next = nextOpening(text, 0), from = 0; next; next = nextOpening(text, from)) {
    const { start, content, isEscaped } = next;
    const name = nameAt(text, content);
    from = content;
    if (name === undefined || !isDeclared(name)) continue;
    from = content + name.length + 1;
    yield { name, start, end: from, isEscaped };
  }
}

function nameAt(text: string, start: number): string | undefined {
  const name = /([^{}\s]+)\}/y;
  name.lastIndex = start;
  return name.exec(text)?.[1];
}

export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface FilledText {
  readonly text: string;
  /** Where a position of `text` comes from in the text as it was. */
  originOf(offset: number, side?: "start" | "end"): number;
}

export function replaceParts(source: string, replacements: Iterable<Replacement>): FilledText {
  const done: (Replacement & { readonly to: number; readonly toEnd: number })[] = [];
  let text = "";
  let position = 0;
  for (const replacement of replacements) {
    text += source.slice(position, replacement.start);
    const to = text.length;
    text += replacement.text;
    done.push({ ...replacement, to, toEnd: text.length });
    position = replacement.end;
  }
  return {
    text: position === 0 ? source : text + source.slice(position),
    originOf(offset, side = "start") {
      const last = done.findLast(({ to }) => to < offset || (to === offset && side === "start"));
      if (last === undefined) return offset;
      if (offset >= last.toEnd) return last.end + offset - last.toEnd;
      return side === "start" ? last.start : last.end;
    },
  };
}
