export interface PathTemplate {
  readonly text: string;
  readonly names: readonly string[];
  readonly patterns: ReadonlyMap<string, string>;
}

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
  // A variable for the rest of a path includes its slash.
  return { text: text === "" ? "/" : text, names, patterns };
}

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
