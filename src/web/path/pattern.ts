import { MappingError } from "../errors.ts";

export interface Pattern {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly variables: readonly string[];
}

/** All but `rest` match exactly one segment. */
export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string }
  /** Text, `*` and variables side by side (`{name}.{ext}`, `*.txt`), or a variable with a regex. */
  | {
    readonly kind: "expression";
    /** Anchored; its named groups are `v0`, `v1`, … in the order of `names`. */
    readonly expression: RegExp;
    readonly names: readonly string[];
    readonly literals: number;
  }
  | { readonly kind: "wildcard" }
  /** A closing `**` or `{*name}` matches the rest of the path, which may be empty. */
  | { readonly kind: "rest"; readonly name?: string };

/** Adds a missing leading slash; the empty path stays empty. @throws {MappingError} */
export function parsePattern(path: string): Pattern {
  const text = path === "" || path.startsWith("/") ? path : `/${path}`;
  const refuse = (reason: string): never => {
    throw new MappingError(`Cannot read the path '${path}': ${reason}`);
  };
  const parts = splitSegments(text, refuse).slice(1);
  const segments = parts.map((part, index) => {
    const segment = parseSegment(part, refuse);
    const last = index === parts.length - 1;
    if (segment.kind === "rest" && !last) refuse(`'${part}' is only allowed at the end`);
    if (part === "" && !last) refuse("a segment is empty");
    // The syntax of Hono, Express and NestJS: as literal text it would never match.
    const [, name] = /^:([\w-]+)/.exec(part) ?? [];
    if (name !== undefined) refuse(`a variable is written '{${name}}', not ':${name}'`);
    if (/^[^:]*%[\da-f]{2}/i.test(part)) {
      refuse("expected a path such as '/my api', not percent-encoded");
    }
    if (/^[^:]*\?/.test(part)) {
      refuse("expected no '?'; write a mapping for each path");
    }
    return segment;
  });
  const variables = segments.flatMap(variablesOf);
  const twice = variables.find((name, index) => variables.indexOf(name) !== index);
  if (twice !== undefined) refuse(`the variable '${twice}' is declared twice`);
  return { text, segments, variables };
}

export function variablesOf(segment: Segment): readonly string[] {
  if (segment.kind === "variable") return [segment.name];
  if (segment.kind === "expression") return segment.names;
  return segment.kind === "rest" && segment.name !== undefined ? [segment.name] : [];
}

type Refuse = (reason: string) => never;

function splitSegments(text: string, refuse: Refuse): string[] {
  // Fast path: no nested braces, no slash in braces.
  if (/^[^{}]*(?:\{[^{}/]*\}[^{}]*)*$/.test(text)) return text.split("/");
  const segments = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth++;
    if (character === "}" && --depth < 0) refuse("'}' has no '{' before it");
    if (character === "/" && depth === 0) segments.push("");
    else segments[segments.length - 1] += character;
  }
  if (depth > 0) refuse("'{' is not closed");
  return segments;
}

function parseSegment(part: string, refuse: Refuse): Segment {
  if (!/[{*]/.test(part)) return { kind: "literal", text: part };
  const name = /^\{([^\s{}*:/]+)\}$/.exec(part)?.[1];
  if (name !== undefined) return { kind: "variable", name };
  if (part === "*") return { kind: "wildcard" };
  if (part === "**") return { kind: "rest" };
  if (part.includes("**")) refuse("'**' must be a whole segment");
  const pieces = piecesOf(part);
  const only = pieces.length === 1 ? pieces[0] : undefined;
  if (only?.startsWith("{*")) return { kind: "rest", name: checkName(only.slice(2, -1), refuse) };
  if (only && !only.includes(":")) {
    return { kind: "variable", name: checkName(only.slice(1, -1), refuse) };
  }
  return parseExpression(pieces, refuse);
}

/** Pieces of a path or a segment: `{…}` with its braces, `*`, `**`, or literal text. */
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

function parseExpression(pieces: readonly string[], refuse: Refuse): Segment {
  const names: string[] = [];
  let literals = 0;
  const source = pieces.map((piece) => {
    if (piece === "*") return ".*";
    if (!piece.startsWith("{")) {
      literals += piece.length;
      return piece.replace(/[\\^$.*+?()[\]{}|\/-]/g, "\\$&");
    }
    if (piece.startsWith("{*")) refuse(`'${piece}' must be a whole segment, as in '/${piece}'`);
    const colon = piece.indexOf(":");
    const name = piece.slice(1, colon < 0 ? -1 : colon);
    names.push(checkName(name, refuse));
    const body = colon < 0 ? ".+?" : piece.slice(colon + 1, -1);
    if (body === "") refuse(`the variable '${name}' has an empty regular expression`);
    return `(?<v${names.length - 1}>${body})`;
  }).join("");
  try {
    return { kind: "expression", expression: new RegExp(`^(?:${source})$`, "s"), names, literals };
  } catch (error) {
    return refuse(`its regular expression is invalid (${(error as Error).message})`);
  }
}

function checkName(name: string, refuse: Refuse): string {
  if (!/^[^\s{}*:\/]+$/.test(name)) refuse(`'{${name}}' is not a valid name of a variable`);
  return name;
}
