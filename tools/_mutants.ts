import { type Node, programOf, shortened, visit } from "./_syntax.ts";

export type MutantKind =
  | "returned field"
  | "status"
  | "thrown problem"
  | "parameter type"
  | "parameter"
  | "default"
  | "enumeration"
  | "limit"
  | "annotation of security";

/** One change of one file. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly kind: MutantKind;
  /** The old text and the new text. */
  readonly change: string;
  /** The file with the change. */
  readonly source: string;
  /** The method that it is in: `UserController.get`. */
  readonly method?: string;
  /** The returned field that becomes `null`. */
  readonly nulled?: string;
}

/**
 * Every mutant of a source: each returned field left out and set to `null`, each status and thrown problem exchanged, each
 * throw left out, each parameter's type, default and name changed, each enumeration one shorter, each limit moved both
 * ways, and each annotation of security removed.
 */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const program = programOf(source);
  const found: Mutant[] = [];
  const lists = listsOf(program);
  visit(program, [], (node, parents) => {
    const owner = parents.findLast(({ type }) => type === "ClassDeclaration")?.id;
    const key = parents.findLast(({ type }) => type === "ClassMethod")?.key;
    for (
      const { kind, text, whole = node, change, nulled } of changesOf(node, parents, source, lists)
    ) {
      const { start, end, loc } = whole;
      found.push({
        file,
        line: loc.start.line,
        kind,
        change: change ??
          `${shortened(source.slice(start, end))} → ${shortened(text) || "nothing"}`,
        source: source.slice(0, start) + text + source.slice(end),
        ...(owner !== undefined && key !== undefined && {
          method: `${identifierText(owner)}.${identifierText(key)}`,
        }),
        ...(nulled !== undefined && { nulled }),
      });
    }
  });
  return found;
}

interface Change {
  readonly kind: MutantKind;
  readonly text: string;
  /** The node that it replaces, if that is another one. */
  readonly whole?: Node;
  readonly change?: string;
  readonly nulled?: string;
}

/** Texts that stand in a list: enumerations, of which a default is one. */
type Lists = readonly (readonly string[])[];

function listsOf(program: Node): Lists {
  const lists: string[][] = [];
  visit(program, [], (node) => {
    if (node.type !== "ArrayExpression") return;
    const elements = node.elements as (Node | null)[];
    if (elements.every((one) => one?.type === "StringLiteral")) {
      lists.push(elements.map((one) => String(one?.value)));
    }
  });
  return lists;
}

function* changesOf(
  node: Node,
  parents: readonly Node[],
  source: string,
  lists: Lists,
): Iterable<Change> {
  const sourceText = (of: Node) => source.slice(of.start, of.end);
  switch (node.type) {
    case "Decorator":
      if (ANNOTATIONS.has(identifierText((node.expression as Node).callee))) {
        yield { kind: "annotation of security", text: "" };
      }
      return;
    case "ObjectProperty": {
      const value = node.value as Node;
      const name = identifierText(node.key);
      if (name === "defaultValue") {
        yield { kind: "default", text: `defaultValue: ${other(value, sourceText(value), lists)}` };
      } else if (name === "required" && isInBinder(parents)) {
        yield {
          kind: "parameter",
          text: `required: ${sourceText(value) === "true" ? "false" : "true"}`,
        };
      } else if (name === "status" && sourceText(value).startsWith("HttpStatus.")) return;
      else if (isReturned(parents, sourceText)) yield* fieldChanges(node, name, value, sourceText);
      return;
    }
    case "MemberExpression": {
      const name = identifierText(node.property);
      if (identifierText(node.object) === "HttpStatus" && STATUSES[name]) {
        yield { kind: "status", text: `HttpStatus.${STATUSES[name]}` };
      }
      return;
    }
    case "ObjectExpression":
      if (isReturned([...parents, node], sourceText)) {
        const text = `{ secret: "changed", ${sourceText(node).slice(1)}`;
        yield { kind: "returned field", text, change: "a field 'secret' is added" };
      }
      return;
    case "ThrowStatement":
      yield { kind: "thrown problem", text: ";" };
      yield { kind: "thrown problem", text: `throw new Error("changed");` };
      return;
    case "CallExpression":
      yield* callChanges(node, sourceText, lists);
  }
}

/** A field left out, and one of another type. */
function* fieldChanges(
  node: Node,
  name: string,
  value: Node,
  sourceText: (of: Node) => string,
): Iterable<Change> {
  yield {
    kind: "returned field",
    text: "",
    change: `field '${name}' is left out`,
    whole: withComma(node, sourceText),
  };
  const changed = value.type === "NullLiteral" ? `"changed"` : "null as never";
  yield { kind: "returned field", text: `${name}: ${changed}`, nulled: name };
}

function* callChanges(
  node: Node,
  sourceText: (of: Node) => string,
  lists: Lists,
): Iterable<Change> {
  const callee = node.callee as Node;
  const name = identifierText(callee.type === "MemberExpression" ? callee.property : callee);
  const [first, second] = node.arguments as Node[];
  if (BINDERS.has(name) && first) {
    const [wanted = "", ...rest] = (node.arguments as Node[]).map(sourceText);
    yield { kind: "parameter", text: `${name}(${[`"other-name"`, ...rest].join(", ")})` };
    if (second?.type === "StringLiteral") {
      const type = String(second.value);
      for (const changed of TYPES[type] ?? []) {
        yield { kind: "parameter type", text: `"${changed}"`, whole: second };
      }
    } else if (second?.type === "ObjectExpression" || !second) {
      yield { kind: "parameter type", text: `${name}(${[wanted, `"int"`, ...rest].join(", ")})` };
    }
  }
  if (name === "default" && first) {
    yield { kind: "default", text: other(first, sourceText(first), lists), whole: first };
  }
  if (
    (name === "min" || name === "max") && first?.type === "NumericLiteral" &&
    callee.type === "MemberExpression" && !sourceText(callee).startsWith("Math")
  ) {
    for (const step of [1, -1]) {
      yield { kind: "limit", text: String(Number(first.value) + step), whole: first };
    }
  }
  if (
    name === "enum" && first?.type === "ArrayExpression" ||
    BINDERS.has(name) && second?.type === "ArrayExpression"
  ) {
    const list = (name === "enum" ? first : second)!;
    const items = (list.elements as Node[]).map(sourceText);
    yield { kind: "enumeration", text: `[${items.slice(0, -1).join(", ")}]`, whole: list };
    yield { kind: "enumeration", text: `[${[...items, `"changed"`].join(", ")}]`, whole: list };
  }
  if (name === "created" && first) {
    yield { kind: "status", text: "ok()", whole: afterDot(node, callee) };
  }
}

const ANNOTATIONS = new Set(["Authenticated", "RolesAllowed", "PermitAll", "PreAuthorize"]);

const BINDERS = new Set(["PathVariable", "RequestParam", "RequestHeader", "CookieValue"]);

const TYPES: Readonly<Record<string, readonly string[]>> = {
  int: ["number", "string"],
  number: ["int", "string"],
  boolean: ["string"],
  uuid: ["string"],
  date: ["string", "date-time"],
  "date-time": ["string", "date"],
};

const STATUSES: Readonly<Record<string, string>> = {
  NOT_FOUND: "GONE",
  CONFLICT: "NOT_FOUND",
  CREATED: "ACCEPTED",
  NO_CONTENT: "ACCEPTED",
  UNPROCESSABLE_ENTITY: "CONFLICT",
  INTERNAL_SERVER_ERROR: "BAD_GATEWAY",
};

/** Whether an object is what a function gives, or its body: not what is declared, configured or kept. */
function isReturned(parents: readonly Node[], sourceText: (of: Node) => string): boolean {
  const object = parents.at(-1);
  if (object?.type !== "ObjectExpression") return false;
  for (const parent of parents.slice(0, -1).toReversed()) {
    if (/^(?:Decorator|ClassProperty|ClassPrivateProperty|ImportDeclaration)$/.test(parent.type)) {
      return false;
    }
    if (parent.type === "ReturnStatement" || parent.type === "ArrowFunctionExpression") return true;
    if (parent.type === "VariableDeclarator") {
      const method = parents.findLast(({ type }) => /Method$|^Function/.test(type));
      const name = identifierText(parent.id);
      return method !== undefined &&
        new RegExp(`\\breturn ${name};|withJson\\(${name}\\)`).test(sourceText(method));
    }
    if (parent.type === "CallExpression" && /withJson$/.test(sourceText(parent.callee as Node))) {
      return true;
    }
    if (parent.type === "CallExpression" && /\.set$/.test(sourceText(parent.callee as Node))) {
      return false;
    }
  }
  return false;
}

function isInBinder(parents: readonly Node[]): boolean {
  const call = parents.at(-2);
  return call?.type === "CallExpression" && BINDERS.has(identifierText(call.callee));
}

/** Another value of the same type. */
function other(value: Node, text: string, lists: Lists): string {
  if (value.type === "NumericLiteral") return String(Number(value.value) + 1);
  if (value.type === "BooleanLiteral") return value.value ? "false" : "true";
  if (value.type === "NullLiteral") return `"changed"`;
  const list = lists.find((one) =>
    value.type === "StringLiteral" && one.includes(String(value.value))
  );
  const sibling = list?.find((one) => one !== value.value);
  if (sibling !== undefined) return JSON.stringify(sibling);
  return /^"\d{4}-\d\d-\d\d"$/.test(text) ? `"1999-01-01"` : `"changed"`;
}

/** With the comma behind it, so that what is left is an object. */
function withComma(node: Node, sourceText: (of: Node) => string): Node {
  const behind = sourceText({ ...node, start: node.end, end: node.end + 1 });
  return behind === "," ? { ...node, end: node.end + 1 } : node;
}

/** `created(…)` of `ResponseEntity.created(…)`. */
function afterDot(node: Node, callee: Node): Node {
  return { ...node, start: (callee.property as Node).start };
}

function identifierText(node: unknown): string {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown };
  return String(name ?? value ?? "");
}
