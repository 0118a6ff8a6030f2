/**
 * Draws error messages of the source and paragraphs of the guide at random, to be read by a new reader: whether each is
 * understood at first reading. The same seed draws the same places of the same texts.
 *
 * Usage: `deno run -A tools/draw_texts.ts <seed> [messages] [paragraphs]`
 */
import { parse } from "@babel/parser";
import { walk } from "@std/fs";

/** A text and where it stands. */
interface Drawn {
  readonly place: string;
  readonly text: string;
}

/** Every message of an error that is thrown or reported in `src`; `…` stands for what is filled in. */
async function messages(): Promise<readonly Drawn[]> {
  const found: Drawn[] = [];
  for (const path of await files("src", ".ts")) {
    const { program } = parse(await Deno.readTextFile(path), {
      sourceType: "module",
      plugins: ["typescript", "decorators"],
    });
    visit(program, (node) => {
      const { type, callee, arguments: args, loc } = node as Node & Call;
      const isError = type === "NewExpression" && /Error$/.test(callee?.name ?? "");
      const isRefusal = type === "CallExpression" &&
        /^(?:error|fail|refuse|problem|reject)/.test(callee?.name ?? callee?.property?.name ?? "");
      if (!isError && !isRefusal) return;
      const text = args.map(literalText).find((part) => part.split(" ").length > 3);
      if (text !== undefined) found.push({ place: `${path}:${loc.start.line}`, text });
    });
  }
  return found;
}

/** Every paragraph of prose in the guide. */
async function paragraphs(): Promise<readonly Drawn[]> {
  const found: Drawn[] = [];
  for (const path of await files("docs/guide", ".md")) {
    const text = (await Deno.readTextFile(path)).replace(/^```[^]*?^```$/gm, (block) => {
      return block.replace(/[^\n]/g, "");
    });
    let line = 1;
    for (const block of text.split(/(\n{2,})/)) {
      if (/^[A-Z`*[]/.test(block) && block.split(" ").length > 12) {
        found.push({ place: `${path}:${line}`, text: block.trim() });
      }
      line += block.split("\n").length - 1;
    }
  }
  return found;
}

interface Node {
  readonly type: string;
}

interface Call {
  readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } };
  readonly arguments: readonly Expression[];
  readonly loc: { readonly start: { readonly line: number } };
}

interface Expression extends Node {
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
  readonly left?: Expression;
  readonly right?: Expression;
}

function literalText({ type, value, quasis, left, right }: Expression): string {
  if (type === "StringLiteral") return String(value);
  if (quasis) return quasis.map(({ value: { cooked } }) => cooked).join("…");
  return type === "BinaryExpression" ? literalText(left!) + literalText(right!) : "…";
}

function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string" && child.loc) visit(child, onNode);
    }
  }
}

async function files(folder: string, extension: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of walk(folder, { includeDirs: false })) {
    if (path.endsWith(extension)) paths.push(path);
  }
  return paths.sort();
}

/** Mulberry32: small, and the same on every machine. @returns numbers from 0 to below 1 */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw(all: readonly Drawn[], count: number, next: () => number): readonly Drawn[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    return left.splice(Math.floor(next() * left.length), 1)[0]!;
  });
}

const [seed = "1", messageCount = "40", paragraphCount = "20"] = Deno.args;
const next = random(Number(seed));
for (
  const [title, all, count] of [
    ["error messages", await messages(), Number(messageCount)],
    ["guide paragraphs", await paragraphs(), Number(paragraphCount)],
  ] as const
) {
  console.log(`${count} of ${all.length} ${title}, seed ${seed}\n`);
  for (const { place, text } of draw(all, count, next)) console.log(`${place}\n  ${text}\n`);
}
