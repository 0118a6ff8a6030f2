import { parse } from "@babel/parser";

/** The members of Babel's nodes that are read here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/**
 * Rewrites a module of TypeScript without decorator syntax: a `decorate()` after each class, `inject()` in fields, and
 * no parameter properties, which Node's type stripping refuses.
 */
export function withoutSyntax(source: string): string {
  const { program } = parse(source, {
    sourceType: "module",
    plugins: ["typescript", "decorators"],
  });
  const edits: Edit[] = [];
  const needed = new Set<string>();
  for (const { node, statement } of classesIn(program as unknown as Node)) {
    rewriteClass(source, node, statement, edits, needed);
  }
  if (needed.size > 0) edits.push(importOf(source, program as unknown as Node, needed));
  return edits.toSorted((a, b) => b.start - a.start).reduce(
    (text, { start, end, by }) => text.slice(0, start) + by + text.slice(end),
    source,
  );
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Declarations of classes with the statements that they are, such as an `export`. */
function classesIn(node: Node, statement = node): { node: Node; statement: Node }[] {
  const isClass = node.type === "ClassDeclaration";
  const outer = /^Export\w+Declaration$/.test(node.type) ? node : undefined;
  const inner = Object.values(node).flat().filter(isNode).flatMap((child) =>
    classesIn(child, outer ?? child)
  );
  return isClass ? [{ node, statement }, ...inner] : inner;
}

function isNode(value: unknown): value is Node {
  return typeof (value as Node | null)?.type === "string" && "start" in (value as Node);
}

function rewriteClass(
  source: string,
  node: Node,
  statement: Node,
  edits: Edit[],
  needed: Set<string>,
): void {
  const text = ({ start, end }: Node) => source.slice(start, end);
  const take = (decorated: Node): string[] =>
    listOf(decorated.decorators).map((one) => {
      const space = /^\s*/.exec(source.slice(one.end))![0].length;
      edits.push({ start: one.start, end: one.end + space, by: "" });
      return text(one.expression as Node);
    });
  const ofClass = take(node);
  const methods: string[] = [];
  for (const member of (node.body as Node).body as Node[]) {
    if (member.type === "ClassMethod" && member.kind === "constructor") {
      edits.push(...withoutParameterProperties(source, member));
    }
    const decorators = take(member);
    if (decorators.length === 0) continue;
    if (member.type === "ClassMethod") {
      methods.push(`${text(member.key as Node)}: [${decorators.join(", ")}],`);
    } else {
      const value = valueOf(decorators, needed);
      const type = member.typeAnnotation as Node;
      // `users!: Users` would still have no value for TypeScript.
      edits.push({ start: (member.key as Node).end, end: type.start, by: "" });
      edits.push({ start: type.end, end: type.end, by: ` = ${value}` });
    }
  }
  if (ofClass.length + methods.length === 0) return;
  needed.add("decorate");
  const by = `\ndecorate({ ${text(node.id as Node)} }, {\n${methods.join("\n")}\n}, ${
    ofClass.join(", ")
  });`;
  edits.push({ start: statement.end, end: statement.end, by });
}

/** The value that replaces the decorators of a field. */
function valueOf(decorators: readonly string[], needed: Set<string>): string {
  const [first = "", second] = decorators;
  needed.add("inject");
  const named = /^Qualifier\((.*)\)$/s.exec(second ?? first)?.[1];
  if (named !== undefined) return `inject(${named})`;
  const autowired = /^Autowired\((.*)\)$/s.exec(first)?.[1];
  if (autowired !== undefined) return `inject(${autowired})`;
  const [, key, fallback, type] = /^Value\("\$\{([^:}]+)(?::([^}]*))?\}", (.*)\)$/s.exec(first) ??
    [];
  if (key === undefined) throw new Error(`Cannot rewrite @${first}`);
  needed.add("type Config");
  const config = 'inject<Config>("config")';
  return /^"(?:int|number)"$/.test(type!)
    ? `${config}.number("${key}", ${fallback})`
    : `${config}.bind("${key}", ${type})`;
}

/** `constructor(readonly size: number) {}` as a field that the constructor sets. */
function withoutParameterProperties(source: string, constructor: Node): Edit[] {
  const properties = listOf(constructor.params).filter(({ type }) =>
    type === "TSParameterProperty"
  );
  const edits: Edit[] = [];
  const body = constructor.body as Node;
  const [first] = body.body as Node[];
  const callsSuper = first !== undefined && /^super\(/.test(source.slice(first.start, first.end));
  const start = callsSuper ? first.end : body.start + 1;
  for (const property of properties) {
    const parameter = property.parameter as Node;
    const target = (parameter.left ?? parameter) as Node & { readonly name: string };
    const { name } = target;
    const type = target.typeAnnotation as Node;
    const declared = `${source.slice(property.start, parameter.start)}${name}${
      source.slice(type.start, type.end)
    };\n`;
    edits.push(
      { start: property.start, end: parameter.start, by: "" },
      { start: constructor.start, end: constructor.start, by: declared },
      { start, end: start, by: `\nthis.${name} = ${name};` },
    );
  }
  return edits;
}

/** Adds to the import of the library what is missing in it. */
function importOf(source: string, program: Node, needed: ReadonlySet<string>): Edit {
  const found = listOf(program.body).find((one) =>
    one.type === "ImportDeclaration" && one.importKind !== "type" &&
    /(?:\/mod\.ts|irori)$/.test((one.source as Node).value as string)
  );
  if (found === undefined) throw new Error("The module imports nothing of the library");
  const names = listOf(found.specifiers).map(({ start, end }) => source.slice(start, end));
  const missing = [...needed].filter((name) => !names.includes(name));
  const start = (found.specifiers as Node[])[0]!.start;
  return { start, end: start, by: missing.map((name) => `${name}, `).join("") };
}

function listOf(value: unknown): readonly Node[] {
  return (value ?? []) as readonly Node[];
}
