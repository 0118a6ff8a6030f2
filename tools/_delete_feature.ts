import { parse } from "@babel/parser";
import { dirname, join } from "@std/path/posix";
import { FEATURES } from "../tests/architecture/features.ts";
import { JOINING, layerOf } from "../tests/architecture/rules.ts";

/** Sources and manifests, which every copy has. */
const SOURCES =
  /^(?:(?:mod|cli|create)\.ts|(?:deno|jsr)\.json|deno\.lock|(?:src|links|schemas)\/.*)$/;
/** What tests of the core read, which no import names. */
const DATA = /^tests\/(?:app\/fixtures|servers\/recordings|(?:migrations|config)\/.*\brecorded)\//;

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
  const data = tracked.filter((path) => DATA.test(path));
  const modules = new Set([...tracked.filter((path) => SOURCES.test(path)), ...tests]);
  const checked: string[] = [];
  for (const path of new Set([...modules, ...data])) {
    if (isGone(path)) continue;
    const text = await textWithout(path, isGone);
    if (text === undefined) continue;
    await Deno.mkdir(join(folder, dirname(path)), { recursive: true });
    await Deno.writeFile(join(folder, path), text);
    if (path.endsWith(".ts") && !path.startsWith("links/") && modules.has(path)) checked.push(path);
  }
  return checked;
}

/** A file without the lines that name what is gone; nothing where its code needs that. */
async function textWithout(
  path: string,
  isGone: (path: string) => boolean,
): Promise<Uint8Array | undefined> {
  const bytes = await Deno.readFile(path);
  const isManifest = /^(?:deno|jsr)\.json$/.test(path);
  if (!isManifest && !JOINING.includes(path) && layerOf(path) !== "features") return bytes;
  const text = new TextDecoder().decode(bytes);
  const left = isManifest
    ? manifestWithout(text, isGone)
    : moduleWithout(text, (specifier) => isGone(join(dirname(path), specifier)));
  return left === undefined ? undefined : new TextEncoder().encode(left);
}

function manifestWithout(text: string, isGone: (path: string) => boolean): string {
  const manifest = JSON.parse(text);
  for (const names of [manifest.exports, manifest.imports ?? {}]) {
    for (const [name, target] of Object.entries<string>(names)) {
      if (isGone(target.replace(/^\.\//, ""))) delete names[name];
    }
  }
  return JSON.stringify(manifest);
}

/** A module without the exports and the entries of the registry that name what is gone; none where its code needs it. */
function moduleWithout(text: string, isGone: (specifier: string) => boolean): string | undefined {
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
  return [...new Set(cuts)].sort((a, b) => b.start - a.start).reduce(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end).replace(/^,/, ""),
    text,
  );
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
