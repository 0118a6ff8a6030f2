import { parse } from "@babel/parser";

/** The facts about a source file that the rules of the architecture need. */
export interface Module {
  readonly imports: readonly Import[];
  /** Names of runtimes (`Deno`, `Bun`, `process`) that its code uses, types included. */
  readonly runtimes: readonly string[];
  readonly hasDecorators: boolean;
}

/** One `import`, `export … from`, `import()` or `import("…")` type. */
export interface Import {
  /** `undefined` when it is computed. */
  readonly specifier?: string;
  /** Whether it is loaded together with the module; types never are. */
  readonly isLoadedAtOnce: boolean;
}

/** Parses a TypeScript module. @throws {SyntaxError} when it is none */
export function moduleOf(source: string): Module {
  const { program } = parse(source, {
    sourceType: "module",
    plugins: ["typescript", "decorators"],
  });
  const imports: Import[] = [];
  const runtimes = new Set<string>();
  let hasDecorators = false;
  walk(program as unknown as Node, undefined, (node, parent) => {
    if (node.type === "Decorator") hasDecorators = true;
    const found = importOf(node);
    if (found) imports.push(found);
    const runtime = runtimeOf(node, parent);
    if (runtime !== undefined) runtimes.add(runtime);
  });
  return { imports, runtimes: [...runtimes], hasDecorators };
}

const RUNTIMES = ["Deno", "Bun", "process"];

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

function walk(
  node: Node,
  parent: Node | undefined,
  visit: (node: Node, parent: Node | undefined) => void,
): void {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, node, visit);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string";
}

function importOf(node: Node): Import | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration": {
      const specifier = stringValue(node.source);
      if (specifier === undefined) return undefined;
      return { specifier, isLoadedAtOnce: (node.importKind ?? node.exportKind) !== "type" };
    }
    case "ImportExpression":
    case "TSImportType":
      return { specifier: stringValue(node.source), isLoadedAtOnce: false };
    case "TSExternalModuleReference":
      return { specifier: stringValue(node.expression), isLoadedAtOnce: true };
  }
}

function stringValue(node: unknown): string | undefined {
  return isNode(node) && node.type === "StringLiteral" ? String(node.value) : undefined;
}

function runtimeOf(node: Node, parent: Node | undefined): string | undefined {
  const name = node.type === "Identifier" ? String(node.name) : stringValue(node);
  if (name === undefined || !RUNTIMES.includes(name) || parent === undefined) return undefined;
  if (/^(?:Optional)?MemberExpression$/.test(parent.type) && parent.property === node) {
    // globalThis.Deno and globalThis["Deno"], but not thing.process
    return isNode(parent.object) && parent.object.name === "globalThis" ? name : undefined;
  }
  if (node.type === "StringLiteral") {
    return parent.type === "BinaryExpression" && parent.operator === "in" ? name : undefined;
  }
  const isOnlyName = (parent.key === node && parent.computed !== true && !parent.shorthand) ||
    parent.right === node && parent.type === "TSQualifiedName" ||
    parent.imported === node || parent.exported === node;
  return isOnlyName ? undefined : name;
}
