import { partsOf } from "./_slices.ts";

/**
 * A JSON text with two spaces for each level and a line break at its end. Its tokens stay as they are, and in their order:
 * numbers keep their digits.
 */
export function printed(json: string): string {
  return `${valueAt(json, json.search(/\S/), "")}\n`;
}

function valueAt(text: string, start: number, indent: string): string {
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return text.slice(start).trimEnd();
  const inner = `${indent}  `;
  const lines = partsOf(text, start).map(({ name, value }) => {
    const key = isObject ? `${text.slice(name.start, name.end)}: ` : "";
    const isScalar = !"{[".includes(text[value.start]!);
    const content = isScalar
      ? text.slice(value.start, value.end)
      : valueAt(text, value.start, inner);
    return `${inner}${key}${content}`;
  });
  const [open, close] = isObject ? ["{", "}"] : ["[", "]"];
  return lines.length === 0 ? open + close : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
