import { build, type BuildOptions, stop } from "esbuild";
import { isolatedDeclarationSync } from "oxc-transform";
import { walk } from "@std/fs/walk";
import { dirname, join, resolve } from "@std/path";
import { join as joinPosix } from "@std/path/posix";
import manifest from "../jsr.json" with { type: "json" };
import { SWAGGER_UI } from "../src/features/openapi/swagger_ui.ts";
import { DRIVERS, PGLITE } from "../src/migrations/sql/connect/drivers.ts";
import { type BundlePart, conditionWithout } from "../src/features/build/bundles.ts";
import { CRONER, PACKAGES, PG_BOSS } from "../src/runtime/mod.ts";
import { WS } from "../src/runtime/web.ts";
import { UNPLUGIN } from "../src/features/vite/plugin.ts";
import {
  BUNDLED,
  type BundledPackage,
  bundledPackages,
  checkOrigins,
  thirdParty,
} from "./_bundled.ts";
import { Graph } from "./_graph.ts";
import { npm } from "./_npm.ts";
import { linesOf } from "./_source_map.ts";

const NAME = "irori";
/** The URL of the repository, which publishing requires. Without it links have a reserved name (RFC 2606). */
const REPOSITORY = Deno.env.get("IRORI_REPOSITORY");
const HOMEPAGE = REPOSITORY ?? "https://irori.example/irori";
/** Packages that the application and the library have to share as one copy. */
const PEERS: Readonly<Record<string, string>> = { hono: ">=4.8 <5" };
/** Packages that applications install if they use them. */
const OPTIONAL_PEERS: Readonly<Record<string, string>> = {
  ...DRIVERS,
  ...PGLITE,
  ...PACKAGES,
  [SWAGGER_UI.name]: SWAGGER_UI.range,
  [WS.name]: WS.range,
  [CRONER.name]: CRONER.range,
  [PG_BOSS.name]: PG_BOSS.range,
  [UNPLUGIN.name]: UNPLUGIN.range,
};
/** Modules that conditions choose: the specifier in the package resolves to one of two files. */
const CHOSEN = {
  "src/web/serve/hono.ts": { specifier: "#hono", full: "hono", edge: "./small_hono.js" },
  "src/runtime/load.ts": { specifier: "#runtime", full: "./runtime.js", edge: "./no_runtime.js" },
  // Both are requested only after a runtime was loaded, so an edge isolate needs no substitutes of their own.
  "src/app/files.ts": { specifier: "#files", full: "./files.js", edge: "./no_runtime.js" },
  "src/features/configured.ts": {
    specifier: "#configured",
    full: "./configured.js",
    edge: "./no_runtime.js",
  },
  "src/app/server/server.ts": {
    specifier: "#server",
    full: "./server.js",
    edge: "./no_runtime.js",
  },
};
/** Modules that a bundle may leave out, and the part of `irori build` that each belongs to. */
export const PARTS: Readonly<Record<string, BundlePart>> = {
  "src/schema/validate.ts": "schemas",
  "src/web/answer/returns.ts": "schemas",
  "src/web/declare/schema_rules.ts": "schemas",
  "src/app/api_version_settings.ts": "versions",
  "src/web/answer/deprecation.ts": "versions",
  "src/web/route/api_versions.ts": "versions",
  "src/web/declare/versions.ts": "versions",
  "src/http/trusted_proxies.ts": "proxies",
  "src/http/xml.ts": "xml",
  "src/config/create.ts": "configuration",
};
/** Modules that export {@linkcode PARTS} together: with a configuration, the command line loads nothing of applications. */
const SETTINGS = ["src/schema/validate.ts", "src/config/create.ts"];
const JOINED = {
  "tools/settings": SETTINGS,
  "tools/parts": Object.keys(PARTS).filter((path) => !SETTINGS.includes(path)),
};
/** Conditions of runtimes that have files and sockets. Every other runtime is treated as an edge isolate. */
const FULL = ["node", "bun", "deno"];
/** The condition of an isolate that may imitate Node. */
const IMITATING = "workerd";
/** Modules that are no exports, by the names of their files. */
const INNER = {
  small_hono: "src/web/serve/_small_hono.ts",
  bin: "tools/_bin.ts",
  files: "src/app/files.ts",
  server: "src/app/server/server.ts",
  configured: "src/features/configured.ts",
  runtime_errors: "src/runtime/errors.ts",
  left_out: "src/app/_left_out.ts",
};
/** The same, with all that they need in one file each. */
const ALONE = {
  runtime: "src/runtime/load.ts",
  no_runtime: "src/runtime/_no_runtime.ts",
  "src/features/vite/mod": "src/features/vite/mod.ts",
};
/** The same for browsers, which load the chunks of what is used. */
const CLIENT = { "src/features/client/mod": "src/features/client/mod.ts" };
/** Modules that others import by a specifier of the package. */
const NAMED = {
  // Both the adapters and those who look at their errors have to mean the same classes.
  "src/runtime/errors.ts": { specifier: "#runtime_errors", file: "runtime_errors" },
  // For the command line, which would have it in files of its own.
  "src/features/contract/mod.ts": { specifier: "#openapi", file: "src/features/contract/mod" },
};
/**
 * Each layer is one chunk, as every file adds up to half a millisecond to a start: the modules of every command, those
 * of commands that read a configuration, and those that applications load beside them.
 */
const LAYERS = [
  ["src/text/mod.ts", "src/runtime/mod.ts"],
  ["src/config/mod.ts", "src/schema/mod.ts"],
  ["src/http/mod.ts", "src/container/mod.ts", "src/web/mod.ts", "src/app/mod.ts"],
  ["src/cli/mod.ts"],
];
/** Schemas for editors, of which the command line loads one. */
const SCHEMAS = "schemas";
const LOADED = { "schemas/search.schema.json": "#search_schema" };
/** In place of the modules that JSR publishes. */
const INSTALLED = "src/runtime/installed.ts";
const DOCUMENTS = ["README.md", "CHANGELOG.md"];
/** `create` is a package of its own on npm, because `npm create irori` looks for `create-irori`. */
const { "./create": _, ...EXPORTS } = manifest.exports;

/**
 * Makes the npm package in `<folder>/npm` and packs it: an ES module for each export, its types, and the command line.
 *
 * @returns the path of the tarball
 */
export async function buildNpm(folder: string): Promise<string> {
  return (await buildPackage(folder)).tarball;
}

/** The same, and what it consists of. */
export async function buildPackage(folder: string): Promise<Built> {
  const root = join(folder, "npm");
  await Deno.remove(root, { recursive: true }).catch(() => {});
  await Deno.mkdir(root, { recursive: true });
  const entries = Object.values(EXPORTS);
  const graph = await Graph.of([...entries, ...Object.values(INNER), INSTALLED]);
  const named = Object.fromEntries(
    entries.map((path) => [stemOf(path), path]).filter(([name = ""]) =>
      !(name in ALONE || name in CLIENT)
    ),
  );
  const bundled = await bundledPackages();
  const imported = new Set([
    ...await writeModules(root, { ...named, ...INNER }, graph, bundled.folder),
    ...await writeTypes(root, entries),
  ]);
  await renameImports(root);
  await reduceMaps(root);
  await Deno.copyFile("LICENSE", join(root, "LICENSE"));
  await copySchemas(root);
  for (const name of DOCUMENTS) {
    await Deno.writeTextFile(join(root, name), absolute(await Deno.readTextFile(name)));
  }
  await Deno.writeTextFile(join(root, "THIRD_PARTY.md"), thirdParty(bundled.packages));
  const written = packageJson(dependenciesOf(imported, graph));
  await Deno.writeTextFile(
    join(root, "package.json"),
    `${JSON.stringify(written, null, 2)}\n`,
  );
  return {
    tarball: await pack(root, folder),
    manifest: written,
    bundled: bundled.packages,
  };
}

/** The result of {@linkcode buildPackage}. */
export interface Built {
  /** Its path. */
  readonly tarball: string;
  readonly manifest: PackageManifest;
  /** Packages whose code is in it. */
  readonly bundled: readonly BundledPackage[];
}

/** The members of a `package.json` that other tools read. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly [field: string]: unknown;
}

/** @returns what the modules import from elsewhere */
async function writeModules(
  root: string,
  entries: Readonly<Record<string, string>>,
  graph: Graph,
  bundled: string,
): Promise<readonly string[]> {
  const options = {
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
    plugins: [graph.plugin({
      packages: bundled,
      joined: JOINED,
      layers: LAYERS,
      outside: Object.fromEntries(
        Object.entries({ ...NAMED, ...CHOSEN }).map(([path, { specifier }]) => [path, specifier])
          .concat(Object.keys(PARTS).map((path) => [path, partSpecifier(path)]))
          .concat(Object.entries(LOADED)),
      ),
      chosen: {
        "src/runtime/node/server.ts": INSTALLED,
        "src/runtime/bun/websocket.ts": INSTALLED,
      },
    })],
  } satisfies BuildOptions;
  const results = [
    await build({
      ...options,
      entryPoints: { ...entries, parts: "tools/parts", settings: "tools/settings" },
      splitting: true,
    }),
    await build({ ...options, entryPoints: ALONE }),
    await build({ ...options, entryPoints: CLIENT, splitting: true }),
  ];
  await stop();
  checkOrigins(results.flatMap(({ metafile }) => Object.keys(metafile.inputs)), BUNDLED);
  const bin = join(root, "bin.js");
  await Deno.writeTextFile(bin, `#!/usr/bin/env node\n${await Deno.readTextFile(bin)}`);
  return results.flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path));
}

async function copySchemas(root: string): Promise<void> {
  await Deno.mkdir(join(root, SCHEMAS));
  for await (const { name } of Deno.readDir(SCHEMAS)) {
    await Deno.copyFile(join(SCHEMAS, name), join(root, SCHEMAS, name));
  }
}

/** Messages and comments name the package as users of npm import it: `irori/security`. */
async function renameImports(root: string): Promise<void> {
  for await (const { path } of walk(root, { includeDirs: false })) {
    const text = await Deno.readTextFile(path);
    const renamed = text.replace(/(?<!jsr:)@irori\/irori/g, NAME);
    if (renamed !== text) await Deno.writeTextFile(path, renamed);
  }
}

/** Leaves the lines in the source maps (docs/adr/0194-source-maps.md), and removes the maps that have none. */
async function reduceMaps(root: string): Promise<void> {
  for await (const { path } of walk(root, { includeDirs: false })) {
    if (!path.endsWith(".map")) continue;
    const file = path.replace(/\.map$/, "");
    const code = await Deno.readTextFile(file);
    const map = linesOf(JSON.parse(await Deno.readTextFile(path)), code, sourceUrl);
    if (/[^;]/.test(map.mappings)) await Deno.writeTextFile(path, JSON.stringify(map));
    else {
      await Deno.remove(path);
      await Deno.writeTextFile(file, code.replace(/^\/\/# sourceMappingURL=.*\n/m, ""));
    }
  }
}

/** Names, and no addresses: a debugger must not ask another host for a source of this package. */
function sourceUrl(source: string): string {
  const [, path] = /^(?:.*\/)?(?:deno|entry):(.*)$/.exec(source) ?? [];
  if (path === undefined) return source.replace(/^.*\/node_modules\//, "npm:");
  return path.startsWith("jsr.io/")
    ? path.replace("jsr.io/", "jsr:")
    : `npm:${NAME}@${manifest.version}/${path}`;
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

function dependenciesOf(imported: ReadonlySet<string>, graph: Graph): Record<string, string> {
  const names = new Set<string>();
  for (const specifier of imported) {
    if (/^(?:node:|#)/.test(specifier)) continue;
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
    if (name !== undefined && !(name in PEERS) && !(name in OPTIONAL_PEERS)) names.add(name);
  }
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const range = graph.packages.get(name);
      if (range === undefined) throw new Error(`No version of '${name}' is known`);
      return [name, range];
    }),
  );
}

function packageJson(dependencies: Record<string, string>): PackageManifest {
  const exports = Object.fromEntries(
    Object.entries(EXPORTS).map(([name, path]) => {
      const stem = stemOf(path);
      return [name, { types: `./${stem}.d.ts`, default: `./${stem}.js` }];
    }),
  );
  return {
    name: NAME,
    // npm does not publish what is private.
    ...(REPOSITORY === undefined && { private: true }),
    version: manifest.version,
    description: "REST controllers and migrations for TypeScript, on every runtime",
    keywords: ["rest", "controller", "decorators", "hono", "migrations", "opensearch", "sql"],
    license: manifest.license,
    homepage: `${HOMEPAGE}#readme`,
    repository: { type: "git", url: `git+${HOMEPAGE}.git` },
    bugs: `${HOMEPAGE}/issues`,
    type: "module",
    engines: { node: ">=22.19.0" },
    sideEffects: ["./bin.js", "./cli.js"],
    exports: { ...exports, "./package.json": "./package.json" },
    imports: {
      ...Object.fromEntries(
        Object.entries(LOADED).map(([path, specifier]) => [specifier, `./${path}`]),
      ),
      ...Object.fromEntries(
        Object.values(NAMED).map(({ specifier, file }) => [specifier, `./${file}.js`]),
      ),
      ...Object.fromEntries(
        Object.values(CHOSEN).map(({ specifier, full, edge }) => [specifier, {
          [IMITATING]: edge,
          ...Object.fromEntries(FULL.map((condition) => [condition, full])),
          default: edge,
        }]),
      ),
      ...Object.fromEntries(
        Object.entries(PARTS).map(([path, part]) => [partSpecifier(path), {
          [conditionWithout(part)]: "./left_out.js",
          default: `./${joinedBy(path)}.js`,
        }]),
      ),
    },
    bin: { [NAME]: "./bin.js" },
    dependencies,
    peerDependencies: { ...PEERS, ...OPTIONAL_PEERS },
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(OPTIONAL_PEERS).map((name) => [name, { optional: true }]),
    ),
  };
}

function joinedBy(path: string): "settings" | "parts" {
  return SETTINGS.includes(path) ? "settings" : "parts";
}

function partSpecifier(path: string): string {
  return `#${joinedBy(path)}_${PARTS[path]}`;
}

/** Registries know no files of the repository: its links become whole addresses. */
function absolute(markdown: string): string {
  return markdown.replace(/\]\((?!\w+:|#)([^)\s]+)\)/g, `](${HOMEPAGE}/blob/main/$1)`);
}

async function pack(root: string, folder: string): Promise<string> {
  const options = ["--json", "--ignore-scripts", "--pack-destination", resolve(folder)];
  return join(folder, JSON.parse(await npm(root, ["pack", ...options]))[0].filename);
}

/** `./src/http/mod.ts` → `src/http/mod` */
function stemOf(path: string): string {
  return path.replace(/^\.\//, "").replace(/\.ts$/, "");
}

if (import.meta.main) {
  const [folder = "dist"] = Deno.args;
  await Deno.mkdir(folder, { recursive: true });
  console.log(await buildNpm(folder));
}
