/** A path as OpenAPI writes it: every variable is a name in braces. */
export interface PathTemplate {
  /** Such as `/users/{id}`. */
  readonly text: string;
  /** Names in the text, from left to right. */
  readonly names: readonly string[];
  /** Regular expressions of variables that have one, by name. */
  readonly patterns: ReadonlyMap<string, string>;
}

/**
 * Writes our path as OpenAPI does (OpenAPI 3.1, 4.8.8), which knows only `{name}`: a regular expression becomes
 * the pattern of its variable, and wildcards are given names.
 */
export function pathTemplate(path: string): PathTemplate {
  const names: string[] = [];
  const patterns = new Map<string, string>();
  const add = (name: string): string => {
    names.push(name);
    return `{${name}}`;
  };
  let wildcards = 0;
  const text = piecesOf(path).map((piece) => {
    if (piece === "**") return add("rest");
    if (piece === "*") return add(wildcards++ === 0 ? "any" : `any${wildcards}`);
    if (!piece.startsWith("{")) return piece;
    const inner = piece.slice(1, -1).replace(/^\*/, "");
    const colon = inner.indexOf(":");
    if (colon < 0) return add(inner);
    patterns.set(inner.slice(0, colon), `^(?:${inner.slice(colon + 1)})$`);
    return add(inner.slice(0, colon));
  }).join("");
  // What takes the rest of a path takes its slash as well.
  return { text: text === "" ? "/" : text, names, patterns };
}

/** Splits into `{…}`, braces within braces included, `**`, `*` and what is between them. */
export function piecesOf(path: string): readonly string[] {
  const pieces: string[] = [];
  let depth = 0;
  for (const [token] of path.matchAll(/\*\*|[{}*]|[^{}*]+/g)) {
    if (depth > 0) pieces[pieces.length - 1] += token;
    else pieces.push(token);
    if (token === "{") depth++;
    if (token === "}") depth--;
  }
  return pieces;
}
