import { parse } from "@babel/parser";
import { dirname, join } from "@std/path/posix";
import { FEATURES } from "../tests/architecture/features.ts";
import { JOINING, layerOf } from "../tests/architecture/rules.ts";

const MODULES = /^(?:(?:mod|cli|create)\.ts|src\/.*\.ts)$/;
const MANIFESTS = ["deno.json", "jsr.json"];
/** Files that modules and tests of the core read, and that the compiler does not check. */
const DATA =
  /^(?:deno\.lock|links\/.*|schemas\/.*|src\/.*\.json|tests\/app\/fixtures\/.*|tests\/servers\/recordings\/.*)$/;

/** A node of Babel's syntax tree. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** A feature with those that use it, and those that use these. */
export function withUsers(name: string): ReadonlySet<string> {
  const found = new Set([name]);
  for (const one of found) {
    for (const [user, { uses }] of Object.entries(FEATURES)) {
      if (uses.includes(one)) found.add(user);
    }
  }
  return found;
}

/**
 * Copies the sources, and tests with what they reach, without features: their folders, and the lines that name them in
 * the registry, in entry modules and in manifests.
 *
 * @param tests with the modules that they import or start
 * @returns the copied modules that are to be type-checked
 */
export async function copyWithout(
  features: ReadonlySet<string>,
  tracked: readonly string[],
  tests: readonly string[],
  folder: string,
): Promise<readonly string[]> {
  const isGone = (path: string) =>
    features.has(/^(?:src|tests)\/features\/([^/]+)\//.exec(path)?.[1] ?? "");
  const modules = [...tracked.filter((path) => MODULES.test(path)), ...tests];
  const copied = new Set<string>();
  for (const path of [...modules, ...tracked.filter((path) => DATA.test(path))]) {
    if (isGone(path) || copied.has(path)) continue;
    const bytes = await Deno.readFile(path);
    const names = JOINING.includes(path) || layerOf(path) === "features";
    const left = names
      ? moduleWithout(bytes, (specifier) => isGone(join(dirname(path), specifier)))
      : bytes;
    if (left === undefined) continue;
    await write(join(folder, path), left);
    copied.add(path);
  }
  for (const path of MANIFESTS) {
    const text = manifestWithout(await Deno.readTextFile(path), copied);
    await write(join(folder, path), new TextEncoder().encode(text));
  }
  return [...new Set(modules)].filter((path) => copied.has(path));
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeFile(path, bytes);
}

/** A manifest without the names of modules that were not copied. */
function manifestWithout(text: string, copied: ReadonlySet<string>): string {
  const manifest = JSON.parse(text);
  for (const names of [manifest.exports, manifest.imports ?? {}]) {
    for (const [name, target] of Object.entries<string>(names)) {
      if (target.startsWith("./") && !copied.has(target.slice("./".length))) delete names[name];
    }
  }
  return JSON.stringify(manifest);
}

/** A module without the exports and the entries of the registry that name what was deleted; none where its code needs it. */
function moduleWithout(
  bytes: Uint8Array,
  isGone: (specifier: string) => boolean,
): Uint8Array | undefined {
  const text = new TextDecoder().decode(bytes);
  const { program } = parse(text, {
    sourceType: "module",
    plugins: ["typescript"],
  }) as unknown as { program: SyntaxNode };
  const cuts: SyntaxNode[] = [];
  let isNeeded = false;
  const visit = (node: SyntaxNode, entry: SyntaxNode | undefined) => {
    const specifier = (node.source as { readonly value?: unknown } | undefined)?.value;
    if (typeof specifier === "string" && isGone(specifier)) {
      if (node.type === "ImportDeclaration") isNeeded = true;
      else cuts.push(entry ?? node);
      return;
    }
    for (const member of Object.values(node)) {
      for (const child of Array.isArray(member) ? member : [member]) {
        if (!isNode(child)) continue;
        const isEntry = node.type === "ArrayExpression" ||
          entry === undefined && child.type === "ObjectProperty";
        visit(child, isEntry ? child : entry);
      }
    }
  };
  visit(program, undefined);
  if (isNeeded) return undefined;
  const left = [...new Set(cuts)].sort((a, b) => b.start - a.start).reduce(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end).replace(/^,/, ""),
    text,
  );
  return new TextEncoder().encode(left);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
