import { build, stop } from "esbuild";
import { isolatedDeclarationSync } from "oxc-transform";
import { dirname, join, resolve } from "@std/path";
import { join as joinPosix } from "@std/path/posix";
import manifest from "../jsr.json" with { type: "json" };
import { DRIVERS } from "../src/sql/drivers.ts";
import { Graph } from "./_graph.ts";

const NAME = "irori";
const BIN = "tools/_bin.ts";
const SERVER = "#node-server";
const DOCUMENTS = ["README.md", "LICENSE", "CHANGELOG.md"];
/** Conditions by which bundlers for edge isolates choose. */
const EDGE = ["workerd", "worker", "browser"];

/**
 * Makes the npm package in `<folder>/npm` and packs it: an ES module for each export, its types, and the command line.
 *
 * @returns the path of the tarball
 */
export async function buildNpm(folder: string): Promise<string> {
  const root = join(folder, "npm");
  await Deno.remove(root, { recursive: true }).catch(() => {});
  await Deno.mkdir(root, { recursive: true });
  const entries = Object.values(manifest.exports);
  const graph = await Graph.of([...entries, BIN]);
  const imported = new Set([
    ...await writeModules(root, [...entries, BIN], graph),
    ...await writeTypes(root, entries),
  ]);
  for (const name of DOCUMENTS) await Deno.copyFile(name, join(root, name));
  await Deno.writeTextFile(
    join(root, "package.json"),
    `${JSON.stringify(packageJson(dependenciesOf(imported, graph)), null, 2)}\n`,
  );
  return await pack(root, folder);
}

/** @returns what the modules import from elsewhere */
async function writeModules(
  root: string,
  entries: readonly string[],
  graph: Graph,
): Promise<readonly string[]> {
  // For most applications a literal, which bundlers follow; nothing for edge isolates, which could not load it.
  const server = `export const loadNodeServer = () => import("${SERVER}");`;
  const { metafile } = await build({
    entryPoints: [...entries],
    outdir: root,
    outbase: ".",
    entryNames: "[dir]/[name]",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    metafile: true,
    logLevel: "warning",
    plugins: [graph.plugin({ "src/runtime/_node_server.ts": server })],
  });
  await stop();
  await Deno.rename(join(root, "tools/_bin.js"), join(root, "bin.js"));
  const bin = join(root, "bin.js");
  const text = (await Deno.readTextFile(bin)).replaceAll('"../chunks/', '"./chunks/');
  await Deno.writeTextFile(bin, `#!/usr/bin/env node\n${text}`);
  await Deno.remove(join(root, "tools"));
  await Deno.writeTextFile(join(root, "no_node_server.js"), "export {};\n");
  return Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path)
  );
}

/** Types of the entry points, and of what they are made of. @returns what they import from elsewhere */
async function writeTypes(root: string, entries: readonly string[]): Promise<readonly string[]> {
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

function dependenciesOf(imported: ReadonlySet<string>, graph: Graph): Record<string, string> {
  const names = new Set<string>();
  for (const specifier of imported) {
    if (specifier.startsWith("node:")) continue;
    const path = specifier === SERVER ? "@hono/node-server" : specifier;
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    if (name !== undefined) names.add(name);
  }
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const range = graph.packages.get(name);
      if (range === undefined) throw new Error(`No version of '${name}' is known`);
      return [name, range];
    }),
  );
}

function packageJson(dependencies: Record<string, string>): Record<string, unknown> {
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, path]) => {
      const stem = path.replace(/\.ts$/, "");
      return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }];
    }),
  );
  return {
    name: NAME,
    version: manifest.version,
    description: "REST controllers and migrations for TypeScript, on every runtime",
    keywords: ["rest", "controller", "decorators", "hono", "migrations", "opensearch", "sql"],
    license: manifest.license,
    type: "module",
    engines: { node: ">=22.19.0" },
    sideEffects: ["./bin.js", "./cli.js"],
    exports: { ...exports, "./package.json": "./package.json" },
    imports: {
      [SERVER]: {
        ...Object.fromEntries(EDGE.map((condition) => [condition, "./no_node_server.js"])),
        default: "@hono/node-server",
      },
    },
    bin: { [NAME]: "./bin.js" },
    dependencies,
    // Whoever uses such a database installs its driver.
    peerDependencies: DRIVERS,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(DRIVERS).map((name) => [name, { optional: true }]),
    ),
  };
}

async function pack(root: string, folder: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("npm", {
    args: ["pack", "--json", "--ignore-scripts", "--pack-destination", resolve(folder)],
    cwd: root,
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`npm pack: ${text(stderr)}`);
  return join(folder, JSON.parse(text(stdout))[0].filename);
}

if (import.meta.main) {
  await Deno.mkdir("dist", { recursive: true });
  console.log(await buildNpm("dist"));
}
