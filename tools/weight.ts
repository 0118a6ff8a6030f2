/**
 * Measures the source: lines, functions, imports. `deno task weight` prints it; a test holds it to {@linkcode BOUNDS}.
 *
 * Usage: `deno task weight [folder of src]`
 */
import { parse } from "@babel/parser";
import { join } from "@std/path/posix";

/** What the source may weigh. A change that needs more says in an ADR what was removed for it. */
export const BOUNDS = {
  codeLines: 63_172,
  commentLines: 7_998,
  functionsOver60Lines: 0,
  functionsOver15Paths: 0,
  filesUnder30Lines: 66,
  longestImportChain: 38,
  webFloors: 8,
} as const;

/** A measured function. */
interface Measured {
  readonly place: string;
  readonly name: string;
  readonly lines: number;
  /** Cyclomatic complexity: branches, loops, cases and `&&`, `||`, `??`, plus one. */
  paths: number;
}

/** What {@linkcode weigh} measures. */
export interface Weight {
  /** Lines that are neither blank nor comments. */
  readonly codeLines: number;
  readonly commentLines: number;
  readonly files: number;
  readonly filesUnder30Lines: number;
  readonly functionsOver60Lines: readonly Measured[];
  readonly functionsOver15Paths: readonly Measured[];
  /** Files, each imported by the one before; imports of types count. */
  readonly longestImportChain: readonly string[];
  /** The same within `src/web`. */
  readonly webFloors: readonly string[];
}

/** A node of Babel's syntax tree. */
interface Node {
  readonly type: string;
  readonly loc: {
    readonly start: { readonly line: number };
    readonly end: { readonly line: number };
  };
  readonly [member: string]: unknown;
}

const FUNCTION =
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassMethod|ClassPrivateMethod|ObjectMethod)$/;
const BRANCH =
  /^(?:IfStatement|For(?:In|Of)?Statement|(?:Do)?WhileStatement|ConditionalExpression|CatchClause|LogicalExpression)$/;

/** Measures the TypeScript files below a folder of `src`. */
export async function weigh(folder = "src"): Promise<Weight> {
  const imports = new Map<string, readonly string[]>();
  const functions: Measured[] = [];
  let [codeLines, commentLines, files, filesUnder30Lines] = [0, 0, 0, 0];
  for await (const path of sources("src")) {
    const text = await Deno.readTextFile(path);
    const { program, comments } = parse(text, {
      sourceType: "module",
      plugins: ["typescript", "decorators"],
    }) as unknown as { program: Node; comments: readonly Node[] };
    imports.set(path, importsOf(path, program));
    if (!path.startsWith(folder)) continue;
    const lines = text.split("\n").filter((line) => line.trim() !== "").length;
    const commented = commentLinesOf(text, comments);
    codeLines += lines - commented;
    commentLines += commented;
    files++;
    if (text.split("\n").length <= 30) filesUnder30Lines++;
    measureFunctions(path, program, functions);
  }
  return {
    codeLines,
    commentLines,
    files,
    filesUnder30Lines,
    functionsOver60Lines: functions.filter(({ lines }) => lines > 60)
      .sort((a, b) => b.lines - a.lines),
    functionsOver15Paths: functions.filter(({ paths }) => paths > 15)
      .sort((a, b) => b.paths - a.paths),
    longestImportChain: longestChain(imports, () => true),
    webFloors: longestChain(imports, (path) => path.startsWith("src/web/")),
  };
}

async function* sources(folder: string): AsyncIterable<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* sources(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

/** Lines that hold comments alone. */
function commentLinesOf(text: string, comments: readonly Node[]): number {
  const lines = text.split("\n");
  const commented = comments.flatMap(({ loc: { start, end } }) =>
    Array.from({ length: end.line - start.line + 1 }, (_, index) => start.line + index)
  );
  return commented.filter((line) => /^\s*(?:\/\/|\/\*|\*)/.test(lines[line - 1]!)).length;
}

function importsOf(path: string, program: Node): readonly string[] {
  return (program.body as readonly Node[])
    .map(({ source }) => (source as { value?: string } | undefined)?.value ?? "")
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => join(path, "..", specifier));
}

function measureFunctions(path: string, program: Node, found: Measured[]): void {
  const visit = (node: Node, inside: Measured | undefined, name: string) => {
    let here = inside;
    const own = nameOf(node) ?? name;
    const { start, end } = node.loc;
    if (FUNCTION.test(node.type)) {
      const lines = end.line - start.line + 1;
      here = { place: `${path}:${start.line}`, name: own, lines, paths: 1 };
      found.push(here);
    } else if (here && (BRANCH.test(node.type) || node.type === "SwitchCase" && node.test)) {
      here.paths++;
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === "string" && child.loc && !/^Comment/.test(child.type)) {
          visit(child, here, own);
        }
      }
    }
  };
  visit(program, undefined, "");
}

function nameOf(node: Node): string | undefined {
  const { id, key } = node as {
    id?: { name?: string };
    key?: { name?: string; id?: { name?: string } };
  };
  return id?.name ?? key?.name ?? key?.id?.name;
}

function longestChain(
  imports: ReadonlyMap<string, readonly string[]>,
  counts: (path: string) => boolean,
): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const chainFrom = (path: string): readonly string[] => {
    const before = known.get(path);
    if (before) return before;
    known.set(path, []); // A cycle, which another test refuses, ends here.
    const chains = (imports.get(path) ?? []).filter(counts).map(chainFrom);
    const chain = [path, ...longest(chains)];
    known.set(path, chain);
    return chain;
  };
  return longest([...imports.keys()].filter(counts).map(chainFrom));
}

function longest(chains: readonly (readonly string[])[]): readonly string[] {
  return chains.reduce((best, chain) => chain.length > best.length ? chain : best, []);
}

if (import.meta.main) {
  const { functionsOver60Lines, functionsOver15Paths, longestImportChain, webFloors, ...counts } =
    await weigh(Deno.args[0]);
  for (const [what, count] of Object.entries(counts)) console.log(what.padEnd(22), count);
  const list = (title: string, rows: readonly string[]) =>
    console.log([`${title.padEnd(22)} ${rows.length}`, ...rows].join("\n    "));
  list(
    "functionsOver60Lines",
    functionsOver60Lines.map((one) => `${one.lines} ${one.place} ${one.name}`),
  );
  list(
    "functionsOver15Paths",
    functionsOver15Paths.map((one) => `${one.paths} ${one.place} ${one.name}`),
  );
  list("longestImportChain", longestImportChain);
  list("webFloors", webFloors);
}
