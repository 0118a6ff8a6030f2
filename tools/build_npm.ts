import { build, stop } from "esbuild";
import { join } from "@std/path";
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
import {
  absolute,
  addShebang,
  bundleOptions,
  copySchemas,
  dependenciesOf,
  emptyRoot,
  externalsOf,
  type Identity,
  identityOf,
  LOADED,
  LOADED_IMPORTS,
  optional,
  pack,
  reduceMaps,
  rename,
  writeTypes,
} from "./_package.ts";

const NAME = "irori";
const KEYWORDS = ["rest", "controller", "decorators", "hono", "migrations", "opensearch", "sql"];
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
  const root = await emptyRoot(folder, "npm");
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
  // Messages and comments name the package as users of npm import it: `irori/security`.
  await rename(root, (text) => text.replace(/(?<!jsr:)@irori\/irori/g, NAME));
  await reduceMaps(root, NAME);
  await copySchemas(root);
  for (const name of DOCUMENTS) {
    await Deno.writeTextFile(join(root, name), absolute(await Deno.readTextFile(name)));
  }
  await Deno.writeTextFile(join(root, "THIRD_PARTY.md"), thirdParty(bundled.packages));
  const written = packageJson(dependenciesOf(imported, graph, { ...PEERS, ...OPTIONAL_PEERS }));
  return {
    tarball: await pack(root, folder, written),
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
export interface PackageManifest extends Identity {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** @returns what the modules import from elsewhere */
async function writeModules(
  root: string,
  entries: Readonly<Record<string, string>>,
  graph: Graph,
  bundled: string,
): Promise<readonly string[]> {
  const options = {
    ...bundleOptions(root, graph, bundled),
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
  };
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
  await addShebang(join(root, "bin.js"));
  return results.flatMap(({ metafile }) => externalsOf(metafile));
}

function packageJson(dependencies: Record<string, string>): PackageManifest {
  const exports = Object.fromEntries(
    Object.entries(EXPORTS).map(([name, path]) => {
      const stem = stemOf(path);
      return [name, { types: `./${stem}.d.ts`, default: `./${stem}.js` }];
    }),
  );
  return {
    ...identityOf(
      NAME,
      "REST controllers and migrations for TypeScript, on every runtime",
      KEYWORDS,
    ),
    sideEffects: ["./bin.js", "./cli.js"],
    exports: { ...exports, "./package.json": "./package.json" },
    imports: {
      ...LOADED_IMPORTS,
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
    peerDependenciesMeta: optional(OPTIONAL_PEERS),
  };
}

function joinedBy(path: string): "settings" | "parts" {
  return SETTINGS.includes(path) ? "settings" : "parts";
}

function partSpecifier(path: string): string {
  return `#${joinedBy(path)}_${PARTS[path]}`;
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
