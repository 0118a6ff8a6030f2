/** The parts that the npm packages of this repository share. */
import type { BuildOptions, Metafile } from "esbuild";
import { isolatedDeclarationSync } from "oxc-transform";
import { walk } from "@std/fs/walk";
import { dirname, join, resolve } from "@std/path";
import { join as joinPosix } from "@std/path/posix";
import manifest from "../jsr.json" with { type: "json" };
import { BUNDLED } from "./_bundled.ts";
import type { Graph } from "./_graph.ts";
import { npm } from "./_npm.ts";
import { linesOf } from "./_source_map.ts";

/** The URL of the repository, which publishing requires. Without it links have a reserved name (RFC 2606). */
const REPOSITORY = Deno.env.get("IRORI_REPOSITORY");
const HOMEPAGE = REPOSITORY ?? "https://irori.example/irori";

/** The members of a `package.json` that say whose package it is. */
export interface Identity {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly [field: string]: unknown;
}

export function identityOf(
  name: string,
  description: string,
  keywords: readonly string[],
): Identity {
  return {
    name,
    // npm does not publish what is private.
    ...(REPOSITORY === undefined && { private: true }),
    version: manifest.version,
    description,
    keywords,
    license: manifest.license,
    homepage: `${HOMEPAGE}#readme`,
    repository: { type: "git", url: `git+${HOMEPAGE}.git` },
    bugs: `${HOMEPAGE}/issues`,
    type: "module",
    engines: { node: ">=22.19.0" },
  };
}

/** Schemas for editors, of which the command line loads one. */
const SCHEMAS = "schemas";
/** Files that modules import by a name of the package. */
export const LOADED = { "schemas/search.schema.json": "#search_schema" };
/** The same, as a `package.json` says it. */
export const LOADED_IMPORTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LOADED).map(([path, specifier]) => [specifier, `./${path}`]),
);

export async function copySchemas(root: string): Promise<void> {
  await Deno.mkdir(join(root, SCHEMAS));
  for await (const { name } of Deno.readDir(SCHEMAS)) {
    await Deno.copyFile(join(SCHEMAS, name), join(root, SCHEMAS, name));
  }
}

/** The options of esbuild that the modules of all packages are made with. @param bundled the folder of {@linkcode BUNDLED} */
export function bundleOptions(root: string, graph: Graph, bundled: string) {
  return {
    // Paths in its output begin here: not those of this machine.
    absWorkingDir: bundled,
    outdir: resolve(root),
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    supported: { "import-attributes": true },
    mainFields: ["module", "main"],
    metafile: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
    external: [...graph.packages.keys()].filter((name) => !BUNDLED.includes(name)),
  } satisfies BuildOptions;
}

/** The imports of modules that are not in the package. */
export function externalsOf({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path)
  );
}

/** An empty folder for a package. */
export async function emptyRoot(folder: string, name: string): Promise<string> {
  const root = join(folder, name);
  await Deno.remove(root, { recursive: true }).catch(() => {});
  await Deno.mkdir(root, { recursive: true });
  return root;
}

/** Adds the licence and the manifest to a package. @returns the path of its tarball */
export async function pack(root: string, folder: string, written: Identity): Promise<string> {
  await Deno.copyFile("LICENSE", join(root, "LICENSE"));
  await Deno.writeTextFile(join(root, "package.json"), `${JSON.stringify(written, null, 2)}\n`);
  const options = ["--json", "--ignore-scripts", "--pack-destination", resolve(folder)];
  return join(folder, JSON.parse(await npm(root, ["pack", ...options]))[0].filename);
}

/** Makes a file of modules a program of Node. */
export async function addShebang(path: string): Promise<void> {
  await Deno.writeTextFile(path, `#!/usr/bin/env node\n${await Deno.readTextFile(path)}`);
}

/** Changes the texts of all files of a package, as its users know what they name. */
export async function rename(root: string, renamed: (text: string) => string): Promise<void> {
  for await (const { path } of walk(root, { includeDirs: false })) {
    const text = await Deno.readTextFile(path);
    if (renamed(text) !== text) await Deno.writeTextFile(path, renamed(text));
  }
}

/** Leaves the lines in the source maps (docs/adr/0194-source-maps.md), and removes the maps that have none. */
export async function reduceMaps(root: string, name: string): Promise<void> {
  for await (const { path } of walk(root, { includeDirs: false })) {
    if (!path.endsWith(".map")) continue;
    const file = path.replace(/\.map$/, "");
    const code = await Deno.readTextFile(file);
    const read = JSON.parse(await Deno.readTextFile(path));
    const map = linesOf(read, code, (source) => sourceUrl(source, name));
    if (/[^;]/.test(map.mappings)) await Deno.writeTextFile(path, JSON.stringify(map));
    else {
      await Deno.remove(path);
      await Deno.writeTextFile(file, code.replace(/^\/\/# sourceMappingURL=.*\n/m, ""));
    }
  }
}

/** Names, and no addresses: a debugger must not ask another host for a source of this package. */
function sourceUrl(source: string, name: string): string {
  const [, path] = /^(?:.*\/)?(?:deno|entry):(.*)$/.exec(source) ?? [];
  if (path === undefined) return source.replace(/^.*\/node_modules\//, "npm:");
  return path.startsWith("jsr.io/")
    ? path.replace("jsr.io/", "jsr:")
    : `npm:${name}@${manifest.version}/${path}`;
}

/** Types of the entry points, and of what they are made of. @returns what they import from elsewhere */
export async function writeTypes(
  root: string,
  entries: readonly string[],
): Promise<readonly string[]> {
  const elsewhere: string[] = [];
  const pending = entries.map((path) => joinPosix(path));
  for (const path of pending) {
    const { code, errors } = isolatedDeclarationSync(path, await Deno.readTextFile(path));
    if (errors.length > 0) throw new Error(`Types of '${path}': ${errors[0]?.message}`);
    const text = code.replace(SPECIFIER, (whole, specifier: string) => {
      if (!specifier.startsWith(".")) {
        elsewhere.push(specifier);
        return whole;
      }
      const target = joinPosix(dirname(path), specifier);
      if (!pending.includes(target)) pending.push(target);
      return whole.replace(specifier, specifier.replace(/\.ts$/, ".js"));
    });
    const file = join(root, path.replace(/\.ts$/, ".d.ts"));
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  return elsewhere;
}

/** `from "x"`, `import "x"` and `import("x")` of a declaration file, which has no other code. */
const SPECIFIER = /(?<=^(?! *\*).*\b(?:from|import)(?: |\())["']([^"']+)["']/gm;

/** The packages among what modules import, with their ranges, apart from those that are peers. */
export function dependenciesOf(
  imported: ReadonlySet<string>,
  graph: Graph,
  peers: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set<string>();
  for (const specifier of imported) {
    if (/^(?:node:|#)/.test(specifier)) continue;
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
    if (name !== undefined && !(name in peers)) names.add(name);
  }
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const range = graph.packages.get(name);
      if (range === undefined) throw new Error(`No version of '${name}' is known`);
      return [name, range];
    }),
  );
}

/** Peers that applications install if they use them. */
export function optional(
  peers: Readonly<Record<string, string>>,
): Readonly<Record<string, { readonly optional: boolean }>> {
  return Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }]));
}

/** Registries know no files of the repository: its links become whole addresses. */
export function absolute(markdown: string): string {
  return markdown.replace(/\]\((?!\w+:|#)([^)\s]+)\)/g, `](${HOMEPAGE}/blob/main/$1)`);
}
