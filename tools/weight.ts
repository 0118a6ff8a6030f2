/**
 * Measures the source: lines, functions, imports. `deno task weight` prints it; a test holds it to {@linkcode BOUNDS}.
 *
 * Usage: `deno task weight [folder of src]`
 */
import { parse } from "@babel/parser";
import { join } from "@std/path/posix";

/** Lines that are neither blank nor comments, and the statements and declarations in them. */
export interface Size {
  codeLines: number;
  statements: number;
}

/** The core, and by its name each feature. */
export type Sizes = Record<string, Size>;

/** Where the bounds stand. `deno task weight --lower` lowers them to what the source weighs. */
const BOUNDS = new URL("weight_bounds.json", import.meta.url);

/** The bounds of the source's weight. They only fall; a new feature gets a bound of its own. */
export interface Bounds {
  readonly sizes: Sizes;
  readonly counts: Readonly<Record<string, number>>;
}

/** The limits that no bound may exceed: code lines of the core, and of it with the features of today. */
export const LIMITS = { core: 31_910, all: 60_140 };

/** A measured function. */
interface Measured {
  readonly place: string;
  readonly name: string;
  readonly lines: number;
  /** Cyclomatic complexity: branches, loops, cases and `&&`, `||`, `??`, plus one. */
  paths: number;
}

/** The result of {@linkcode weigh}. */
export interface Weight {
  readonly sizes: Sizes;
  readonly files: number;
  /** This and the next without parts that have a budget of their own. */
  readonly commentLines: number;
  readonly filesUnder30Lines: number;
  readonly functionsOver60Lines: readonly Measured[];
  readonly functionsOver15Paths: readonly Measured[];
  /** Files, each imported by the one before; imports of types count. */
  readonly longestImportChain: readonly string[];
  /** The same within `src/web`. */
  readonly webFloors: readonly string[];
}

const STATEMENT = /(?<!Block|Empty)(?:Statement|Declaration)$/;

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
  const sizes: Sizes = {};
  let [commentLines, files, filesUnder30Lines] = [0, 0, 0];
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
    const size = sizes[partOf(path)] ??= { codeLines: 0, statements: 0 };
    size.codeLines += lines - commented;
    size.statements += statementsOf(program);
    files++;
    if (!LATER.includes(partOf(path))) {
      commentLines += commented;
      if (text.split("\n").length <= 30) filesUnder30Lines++;
    }
    measureFunctions(path, program, functions);
  }
  return {
    sizes,
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

/** Folders outside of `features` that were ordered with a bound of their own. */
const PARTS: Readonly<Record<string, string>> = {
  "src/migrations/sql/engines/d1/": "d1",
  "src/runtime/cloudflare/": "cloudflare",
};

/** The core has the registry, which stands beside the features. */
function partOf(path: string): string {
  const folder = Object.keys(PARTS).find((folder) => path.startsWith(folder));
  return PARTS[folder ?? ""] ?? /^src\/features\/(\w+)\//.exec(path)?.[1] ?? "core";
}

function statementsOf(node: Node): number {
  return childrenOf(node).reduce(
    (sum, child) => sum + statementsOf(child),
    STATEMENT.test(node.type) ? 1 : 0,
  );
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter((child): child is Node =>
    typeof (child as Node | null)?.type === "string" && (child as Node).loc !== undefined &&
    !/^Comment/.test((child as Node).type)
  );
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
    const own = declaredName(node) ?? name;
    const { start, end } = node.loc;
    if (FUNCTION.test(node.type)) {
      const lines = end.line - start.line + 1;
      here = { place: `${path}:${start.line}`, name: own, lines, paths: 1 };
      found.push(here);
    } else if (here && (BRANCH.test(node.type) || node.type === "SwitchCase" && node.test)) {
      here.paths++;
    }
    for (const child of childrenOf(node)) visit(child, here, own);
  };
  visit(program, undefined, "");
}

function declaredName(node: Node): string | undefined {
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

/** Parts that were ordered after the limits were set, each with a budget of its own. */
const LATER = [
  ...["backfills", "cloudflare", "d1", "programs", "rebuilds", "wrangler"],
  ...["fleets", "init", "live_indices", "parts", "policy_attach", "template_changes", "unmanaged"],
];

/** The figures that {@linkcode LIMITS} limits. */
export function totals(sizes: Sizes): Readonly<Record<keyof typeof LIMITS, number>> {
  const limited = Object.entries(sizes).filter(([part]) => !LATER.includes(part));
  const all = limited.reduce((sum, [, { codeLines }]) => sum + codeLines, 0);
  return { core: sizes.core?.codeLines ?? 0, all };
}

/** The lists that have a bound beside the sizes, by their length. */
export function countsOf(
  { sizes: _, files: __, ...rest }: Weight,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(rest).map(([what, one]) => [what, typeof one === "number" ? one : one.length]),
  );
}

export async function readBounds(): Promise<Bounds> {
  return JSON.parse(await Deno.readTextFile(BOUNDS));
}

/** Writes the lower of the bound and of what was measured for each. @throws Error for what weighs more than its bound */
async function lower(weight: Weight): Promise<void> {
  const { sizes, counts } = await readBounds();
  const least = <Values extends Readonly<Record<string, number>>>(
    measured: Values,
    bound?: Values,
  ) =>
    Object.fromEntries(
      Object.entries(measured).map((
        [name, value],
      ) => [name, Math.min(value, bound?.[name] ?? value)]),
    );
  const parts = Object.keys(weight.sizes).sort().map((name) => [
    name,
    least({ ...weight.sizes[name]! }, sizes[name] && { ...sizes[name] }),
  ]);
  const bounds = { sizes: Object.fromEntries(parts), counts: least(countsOf(weight), counts) };
  await Deno.writeTextFile(BOUNDS, `${JSON.stringify(bounds, null, 2)}\n`);
}

if (import.meta.main) {
  const [folder] = Deno.args.filter((argument) => argument !== "--lower");
  const weight = await weigh(folder);
  if (Deno.args.includes("--lower")) await lower(weight);
  for (const [name, { codeLines, statements }] of Object.entries(weight.sizes)) {
    console.log(name.padEnd(22), codeLines, statements);
  }
  console.log("all".padEnd(22), totals(weight.sizes).all);
  for (const [what, count] of Object.entries(countsOf(weight))) console.log(what.padEnd(22), count);
  for (
    const { lines, paths, place, name } of [
      ...weight.functionsOver60Lines,
      ...weight.functionsOver15Paths,
    ]
  ) console.log(`    ${place} ${name}: ${lines} lines, ${paths} paths`);
  console.log(weight.longestImportChain.map((path) => `    ${path}`).join("\n"));
}
