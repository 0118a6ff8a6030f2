import { excerpt, isSecret, withoutUserinfo } from "../text/mod.ts";
import { join } from "./_path.ts";

interface Frame {
  readonly kind: "map" | "list";
  readonly column: number;
  readonly path: string;
  last: string;
  index: number;
}

const KEY =
  /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?)\s*:(?=\s|$)/;

const REST: Readonly<Record<string, RegExp>> = {
  '"': /^(?:[^"\\]|\\.)*"/,
  "'": /^(?:[^']|'')*'(?!')/,
};

/**
 * The 1-based lines of each key and list item of a YAML document in block style, by full key. What is written in flow
 * style has the line of its nearest parent. Made for messages: anything it does not understand it leaves out.
 */
export function linesOf(yaml: string): ReadonlyMap<string, readonly number[]> {
  const lines = new Map<string, number[]>();
  const frames: Frame[] = [];
  let scalarIndent = -1; // Lines that are deeper belong to a block scalar.
  let open: string | undefined; // The quote that a text began with on a line above.
  yaml.split(/\r\n|\r|\n/).forEach((line, number) => {
    if (open !== undefined) {
      if (REST[open]!.test(line)) open = undefined;
      return;
    }
    const indent = line.search(/[^ ]/);
    if (indent < 0 || (scalarIndent >= 0 && indent > scalarIndent)) return;
    scalarIndent = -1;
    let column = indent;
    let dashColumn = indent;
    let rest = line.slice(indent);
    if (/^(?:#|---|\.\.\.|%)/.test(rest)) return;
    const note = (path: string) => {
      const found = lines.get(path);
      if (!found) lines.set(path, [number + 1]);
      else if (!found.includes(number + 1)) found.push(number + 1);
    };
    for (let dash = /^-(\s+|$)/.exec(rest); dash; dash = /^-(\s+|$)/.exec(rest)) {
      note(pathAt(frames, "list", column));
      dashColumn = column;
      column += dash[0].length;
      rest = rest.slice(dash[0].length);
    }
    const key = KEY.exec(rest);
    if (key) note(pathAt(frames, "map", column, key[1]!.replace(/^(["'])(.*)\1$/, "$2")));
    if (/(?:^|:\s+|\s)[|>][+-]?\d?[+-]?\s*(?:#.*)?$/.test(rest)) {
      scalarIndent = key ? column : dashColumn;
    }
    const value = rest.slice(key?.[0].length ?? 0).replace(/^\s*(?:[&!]\S*\s+)*/, "");
    const quote = value[0] ?? "";
    if (quote in REST && !REST[quote]!.test(value.slice(1))) open = quote;
  });
  return lines;
}

/** The path of a key, or of the next item of a list, at a column. */
function pathAt(frames: Frame[], kind: Frame["kind"], column: number, name?: string): string {
  const isAround = (top: Frame) =>
    top.column < column || top.column === column && (kind === "list" || top.kind === "map");
  for (let top = frames.at(-1); top && !isAround(top); top = frames.at(-1)) frames.pop();
  let frame = frames.at(-1);
  if (frame?.kind !== kind || frame.column < column) {
    frame = { kind, column, path: frame?.last ?? "", last: "", index: 0 };
    frames.push(frame);
  }
  return frame.last = join(frame.path, name ?? frame.index++);
}

/** A line of a YAML file with a caret below a column, without secrets. */
export function sourceLine(text: string, line: number, column: number): string {
  const full = text.split(/\r\n|\r|\n/)[line - 1] ?? "";
  const source = isSecretLine(text, line) ? masked(full) : withoutUserinfo(full);
  return excerpt({ line, column, source }).join("\n");
}

/** Whether a line has or continues the value of a secret: that of the last key at or above it, or of one around that. */
export function isSecretLine(text: string, line: number): boolean {
  let indent = Infinity;
  for (const source of text.split(/\r\n|\r|\n/).slice(0, line).reverse()) {
    const column = source.search(/[^\s-]/);
    if (column < 0 || column >= indent || !/:(?:\s|$)/.test(source)) continue;
    if (isSecret(source)) return true;
    indent = column;
  }
  return false;
}

function masked(source: string): string {
  const [start] = /^[\s-]*["']?[\w.-]+["']?\s*:(?=\s|$)/.exec(source) ?? /^\s*/.exec(source) ??
    [""];
  return `${start} …`;
}
