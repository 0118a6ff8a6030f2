import { assertEquals } from "@std/assert";
import { type Node, programOf, visit } from "../../tools/_syntax.ts";
import { publishedSources } from "./sources.ts";

/** Names that say too little to be given more often: each declaration counts, those within functions too. */
const MOST_OF = { nameOf: 2, textOf: 2, partsOf: 2, Part: 2, Place: 2 };
/** How many modules may declare a function, a class or a type of the same name. */
const MOST_MODULES = 4;
const DECLARATION = /^(?:Function|Class|TSInterface|TSTypeAlias)Declaration$|^VariableDeclarator$/;

Deno.test("names + mean one thing: no vague one is declared often, none in many modules", async () => {
  const declared = declarationsIn(await publishedSources());
  assertEquals(tooOften(declared), []);
});

Deno.test("names + of files: 'schema.ts' is the name of two at most", async () => {
  const files = [...(await publishedSources()).keys()];
  assertEquals(files.filter((path) => path.endsWith("/schema.ts")).slice(2), []);
});

Deno.test("names + that are declared too often are found with their places", () => {
  const sources = new Map(
    ["a", "b", "c", "d", "e"].map((name) => [`src/${name}.ts`, "\nexport function same() {}"]),
  );
  sources.set("src/f.ts", "interface Part {}\nconst f = () => {\n  const Part = 1;\n};");
  sources.set("src/g.ts", "type Part = 1;");
  assertEquals(tooOften(declarationsIn(sources)), [
    "same: src/a.ts:2, src/b.ts:2, src/c.ts:2, src/d.ts:2, src/e.ts:2",
    "Part: src/f.ts:1, src/f.ts:3, src/g.ts:1",
  ]);
});

interface Declared {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** Values of modules are not counted: what `OPTIONS` or `feature` mean, their module says. */
  readonly isShared: boolean;
}

function declarationsIn(sources: ReadonlyMap<string, string>): readonly Declared[] {
  const found: Declared[] = [];
  for (const [path, source] of sources) {
    visit(programOf(source), [], (node, parents) => {
      const { name } = (node.id ?? {}) as { readonly name?: string };
      if (!DECLARATION.test(node.type) || name === undefined) return;
      const isShared = node.type !== "VariableDeclarator" && isOfModule(parents);
      found.push({ name, path, line: node.loc.start.line, isShared });
    });
  }
  return found;
}

function isOfModule(parents: readonly Node[]): boolean {
  return parents.every(({ type }) => /^(?:Program|Export\w+Declaration)$/.test(type));
}

function tooOften(declared: readonly Declared[]): readonly string[] {
  return [...Map.groupBy(declared, ({ name }) => name)].flatMap(([name, all]) => {
    const most: number = Object.hasOwn(MOST_OF, name)
      ? MOST_OF[name as keyof typeof MOST_OF]
      : Infinity;
    const modules = new Set(all.filter(({ isShared }) => isShared).map(({ path }) => path));
    if (all.length <= most && modules.size <= MOST_MODULES) return [];
    return `${name}: ${all.map(({ path, line }) => `${path}:${line}`).join(", ")}`;
  });
}
