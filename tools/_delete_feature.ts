import { parse } from "@babel/parser";
import { dirname, join } from "@std/path/posix";
import { FEATURES } from "../tests/architecture/features.ts";
import { JOINING, layerOf } from "../tests/architecture/rules.ts";

/** Sources and manifests; what tests of the core start or read, which no import names. */
const COPIED =
  /^(?:(?:mod|cli|create)\.ts|(?:deno|jsr)\.json|deno\.lock|(?:src|links|schemas|benches\/edge)\/.*|tests\/(?:app|config|runtime|migrations)\/.*(?<!_test\.ts))$/;

/** A node of Babel's syntax tree. */
interface Node {
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
 * @returns the copied modules
 */
export async function copyWithout(
  features: ReadonlySet<string>,
  tracked: readonly string[],
  tests: readonly string[],
  folder: string,
): Promise<readonly string[]> {
  const copied: string[] = [];
  const isGone = (path: string) => features.has(/^src\/features\/([^/]+)\//.exec(path)?.[1] ?? "");
  for (const path of new Set([...tracked.filter((path) => COPIED.test(path)), ...tests])) {
    if (isGone(path)) continue;
    const names = JOINING.includes(path) || layerOf(path) === "features" ||
      /^(?:deno|jsr)\.json$/.test(path);
    if (names) {
      const text = await Deno.readTextFile(path);
      const left = path.endsWith(".json")
        ? manifestWithout(text, isGone)
        : moduleWithout(text, (specifier) => isGone(join(dirname(path), specifier)));
      if (left === undefined) continue;
      await write(join(folder, path), left);
    } else {
      await Deno.mkdir(join(folder, dirname(path)), { recursive: true });
      await Deno.copyFile(path, join(folder, path));
    }
    if (path.endsWith(".ts")) copied.push(path);
  }
  return copied;
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

function manifestWithout(text: string, isGone: (path: string) => boolean): string {
  const manifest = JSON.parse(text);
  for (const names of [manifest.exports, manifest.imports ?? {}]) {
    for (const [name, target] of Object.entries<string>(names)) {
      if (isGone(target.replace(/^\.\//, "")) || name === "./create") delete names[name];
    }
  }
  return JSON.stringify(manifest);
}

/** A module without the exports and the entries of the registry that name what is gone; none where its code needs it. */
function moduleWithout(text: string, isGone: (specifier: string) => boolean): string | undefined {
  const { program } = parse(text, {
    sourceType: "module",
    plugins: ["typescript"],
  }) as unknown as { program: Node };
  const cuts: Node[] = [];
  let isNeeded = false;
  const visit = (node: Node, entry: Node | undefined) => {
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
  return [...new Set(cuts)].sort((a, b) => b.start - a.start).reduce(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end).replace(/^,/, ""),
    text,
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
