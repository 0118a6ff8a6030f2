import { notInstalled } from "../runtime/mod.ts";

/** Parses without running: components have a decorator imported as a stereotype. @throws {SyntaxError} */
export async function componentClasses(source: string, path: string): Promise<readonly string[]> {
  const { parse } = await import("@babel/parser").catch(notInstalled("@babel/parser"));
  const { program } = parse(source, { sourceType: "module", plugins: pluginsOf(path) });
  const statements = program.body as readonly unknown[] as readonly Node[];
  const imported = importedNames(statements);
  const components = new Set<string>();
  const exported = new Map<string, string>();
  for (const statement of statements) {
    const declaration = statement.declaration ?? statement;
    const name = declaration.id?.name ?? ANONYMOUS;
    if (isClass(declaration) && hasStereotype(declaration, imported)) components.add(name);
    for (const [as, local] of exportsOf(statement, name)) exported.set(as, local);
  }
  const names = [...exported.keys()].sort();
  const first = new Map([...names].reverse().map((as) => [exported.get(as), as]));
  return names.filter((as) => {
    const local = exported.get(as) ?? "";
    return components.has(local) && first.get(local) === as;
  });
}

const STEREOTYPES = ["Component", "Configuration", "ControllerAdvice", "RestController", "Service"];
const ANONYMOUS = "*";

interface Node extends Readonly<Partial<Record<ChildName, Node | null>>> {
  readonly type: string;
  readonly name?: string;
  readonly value?: string;
  readonly specifiers?: readonly Node[];
  readonly decorators?: readonly Node[] | null;
}

type ChildName =
  | ("id" | "declaration" | "source" | "imported" | "local" | "exported")
  | ("expression" | "callee" | "object" | "property");

function pluginsOf(path: string): ("typescript" | "jsx" | "decorators")[] {
  if (/\.[cm]?ts$/.test(path)) return ["typescript", "decorators"];
  return path.endsWith(".tsx") ? ["typescript", "jsx", "decorators"] : ["jsx", "decorators"];
}

/** Imported name by local name; `*` for a namespace import. */
function importedNames(statements: readonly Node[]): ReadonlyMap<string, string> {
  const specifiers = statements.filter(({ type }) => type === "ImportDeclaration")
    .flatMap((statement) => statement.specifiers ?? []);
  return new Map(specifiers.map(({ type, local, imported }) => [
    nodeName(local),
    type === "ImportNamespaceSpecifier" ? ANONYMOUS : nodeName(imported),
  ]));
}

function exportsOf(statement: Node, declared: string): readonly (readonly [string, string])[] {
  const { type, declaration, source, specifiers = [] } = statement;
  if (type === "ExportDefaultDeclaration" && declaration) {
    return [["default", isClass(declaration) ? declared : nodeName(declaration)]];
  }
  if (type !== "ExportNamedDeclaration" || source) return [];
  if (declaration) return [[declared, declared]];
  return specifiers.map(({ exported, local }) => [nodeName(exported), nodeName(local)]);
}

function isClass({ type }: Node): boolean {
  return type === "ClassDeclaration" || type === "ClassExpression";
}

function hasStereotype(declaration: Node, imported: ReadonlyMap<string, string>): boolean {
  return (declaration.decorators ?? []).some(({ expression }) => {
    const called = expression?.type === "CallExpression" ? expression.callee : expression;
    const isMember = called?.type === "MemberExpression" &&
      imported.get(nodeName(called.object)) === ANONYMOUS;
    return STEREOTYPES.includes(
      (isMember ? nodeName(called.property) : imported.get(nodeName(called))) ?? "",
    );
  });
}

function nodeName(node: Node | null | undefined): string {
  return node?.name ?? node?.value ?? "";
}
