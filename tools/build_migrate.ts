import { build, stop } from "esbuild";
import { join } from "@std/path";
import { programOf } from "../src/cli/program.ts";
import { MIGRATION_FEATURES } from "../src/features/migrations.ts";
import { DRIVERS, PGLITE } from "../src/migrations/sql/connect/drivers.ts";
import { PACKAGES } from "../src/runtime/mod.ts";
import { BUNDLED, bundledPackages, checkOrigins, thirdParty } from "./_bundled.ts";
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

const NAME = "irori-migrate";
const README = "tools/migrate/README.md";
const BIN = "tools/migrate/bin.ts";
const MODULE = "src/migrations/mod.ts";
/** Modules in place of others. */
const REPLACED = {
  "src/runtime/node/node.ts": "tools/migrate/runtimes.ts",
  "src/runtime/bun/bun.ts": "tools/migrate/runtimes.ts",
  "src/runtime/shared/packages.ts": "tools/migrate/packages.ts",
  "src/migrations/sql/connect/import_driver.ts": "tools/migrate/drivers.ts",
};
/** Each layer is one chunk, as in `build_npm.ts`. */
const LAYERS = [
  ["src/text/mod.ts", "src/runtime/mod.ts"],
  ["src/config/mod.ts", "src/schema/mod.ts"],
  ["src/cli/mod.ts"],
];
const OPTIONAL_PEERS: Readonly<Record<string, string>> = {
  ...DRIVERS,
  ...PGLITE,
  "@opentelemetry/api": PACKAGES["@opentelemetry/api"],
  aws4fetch: PACKAGES.aws4fetch,
  undici: PACKAGES.undici,
};

/**
 * Makes the package `irori-migrate` in `<folder>/irori-migrate` and packs it: the command line and the functions of
 * migrations, without the web half.
 *
 * @returns the path of the tarball
 */
export async function buildMigrate(folder: string): Promise<string> {
  const root = await emptyRoot(folder, NAME);
  const graph = await Graph.of([BIN, MODULE, ...Object.values(REPLACED)]);
  const bundled = await bundledPackages();
  const imported = new Set([
    ...await writeModules(root, graph, bundled.folder),
    ...await writeTypes(root, [MODULE]),
  ]);
  await rename(root, named);
  await replaceInHelp(root);
  await reduceMaps(root, NAME);
  await copySchemas(root);
  await Deno.writeTextFile(join(root, "README.md"), absolute(await Deno.readTextFile(README)));
  await Deno.writeTextFile(join(root, "THIRD_PARTY.md"), thirdParty(bundled.packages));
  return await pack(root, folder, packageJson(dependenciesOf(imported, graph, OPTIONAL_PEERS)));
}

/** @returns what the modules import from elsewhere */
async function writeModules(
  root: string,
  graph: Graph,
  bundled: string,
): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: { bin: BIN, mod: MODULE },
    ...bundleOptions(root, graph, bundled),
    splitting: true,
    plugins: [
      graph.plugin({ packages: bundled, layers: LAYERS, outside: LOADED, chosen: REPLACED }),
    ],
  });
  await stop();
  checkOrigins(Object.keys(metafile.inputs), BUNDLED);
  await addShebang(join(root, "bin.js"));
  return externalsOf(metafile);
}

const COMMANDS = [...programOf(MIGRATION_FEATURES).names, "\\$\\{(?:usage|args)"].join("|");
/** A command in a text, but for the mark of files that `irori types` writes, by which either program knows them. */
const COMMAND = new RegExp(`(?<!Written by ')(?<=["'\`$} ]|npx )\\birori(?= (?:${COMMANDS}))`, "g");

/** Texts name the command, and the module that users import. */
function named(text: string): string {
  return text
    .replaceAll("jsr:@irori/irori/cli", `npm:${NAME}`)
    .replaceAll("node_modules/irori/", `node_modules/${NAME}/`)
    .replaceAll("@irori/irori/migrations", NAME)
    .replaceAll("@irori/irori", "irori")
    .replace(/\b(npx|bunx|npm install) irori\b/g, `$1 ${NAME}`)
    .replace(COMMAND, NAME);
}

/** The command that runs where none is given is another one here. */
const HELP = {
  " files (the default)": " files",
  "the status of each file": "the status of each file (the default)",
};

/** @throws {Error} when the command line has no such text */
async function replaceInHelp(root: string): Promise<void> {
  const missing = new Set(Object.keys(HELP));
  await rename(root, (text) => {
    const found = Object.entries(HELP).filter(([old]) => text.includes(old));
    for (const [old] of found) missing.delete(old);
    return found.reduce((changed, [old, own]) => changed.replaceAll(old, own), text);
  });
  if (missing.size > 0) throw new Error(`The help has no '${[...missing].join("' nor '")}'`);
}

function packageJson(dependencies: Record<string, string>): Identity {
  const description = "Migrates SQL databases, OpenSearch and Elasticsearch by versioned files";
  const keywords = ["migrations", "sql", "postgresql", "mysql", "sqlite", "d1", "opensearch"];
  const stem = MODULE.replace(/\.ts$/, "");
  return {
    ...identityOf(NAME, description, keywords),
    sideEffects: ["./bin.js"],
    exports: {
      ".": { types: `./${stem}.d.ts`, default: "./mod.js" },
      "./package.json": "./package.json",
    },
    imports: LOADED_IMPORTS,
    bin: { [NAME]: "./bin.js" },
    dependencies,
    peerDependencies: OPTIONAL_PEERS,
    peerDependenciesMeta: optional(OPTIONAL_PEERS),
  };
}

if (import.meta.main) {
  const [folder = "dist"] = Deno.args;
  await Deno.mkdir(folder, { recursive: true });
  console.log(await buildMigrate(folder));
}
