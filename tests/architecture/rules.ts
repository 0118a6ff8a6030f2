import { dirname, join } from "@std/path/posix";
import { FEATURES } from "./features.ts";
import { type Import, type Module, moduleOf } from "./module.ts";

/** The files of `src/features` itself: what names all features of a half. */
const REGISTRY = "features";

/** Layers of the core in their order: one imports only those before it. A layer may stand in the folder of another one. */
export const CORE = [
  "text",
  "schema",
  "runtime",
  "config",
  "http",
  "container",
  "web",
  "app",
  "migrations/runner",
  "migrations/search",
  "migrations/sql",
  "migrations",
  "cli",
];
/** All of them: behind the core the features, in the order of their table, and the registry. */
export const LAYERS = [
  ...CORE,
  ...Object.keys(FEATURES).map((name) => `features/${name}`),
  REGISTRY,
];
/** Folders of `src/web` in their order: a file imports its own folder and those before it; files of the root come first. */
const WEB_FOLDERS = ["", "path", "answer", "bind", "declare", "fail", "route", "serve"];
const WEB = ["http", "container", "web", "app", ...featuresOf("web")];
const MIGRATIONS = [
  "migrations/runner",
  "migrations/search",
  "migrations/sql",
  "migrations",
  ...featuresOf("migrations"),
];
/** Where database drivers, which are built into runtimes or installed by the application, are loaded. */
const DRIVERS = "src/migrations/sql/connect/import_driver.ts";

/** Generated folders, each with the one file that loads it: no application imports that file. */
const GENERATED: Readonly<Record<string, string>> = {
  "schemas/search.schema.json": "src/features/file_schemas/feature.ts",
};

/** Entry files beside `mod.ts`, which the graph of `mod.ts` reaches by `import()` at most, and the layers that may use them. */
const EXTRA_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  "src/text/media_type.ts": ["features/client"],
  "src/text/typescript.ts": ["features/contract", ...MIGRATIONS],
  "src/runtime/client.ts": MIGRATIONS,
  "src/runtime/web.ts": WEB,
  "src/runtime/retry.ts": [
    "features/client",
    "features/transactions",
    "migrations/runner",
    "migrations/search",
  ],
  "src/runtime/path.ts": [
    ...["config", "app", ...MIGRATIONS, "cli"],
    ...["features/build", "features/create"],
  ],
  "src/runtime/opened_file.ts": ["features/files"],
  "src/runtime/cloudflare/stand_ins.ts": ["cli"],
  "src/features/conditional/preconditions.ts": ["features/files"],
  "src/cli/errors.ts": ["features/create"],
  "src/cli/exit_codes.ts": ["features/create"],
  "src/cli/version.ts": ["features/create"],
  "src/cli/scanned_routes.ts": ["features/openapi"],
  "src/cli/migrations.ts": [REGISTRY],
  "src/cli/web.ts": [REGISTRY],
  "src/features/openapi/command.ts": ["features/contract"],
  "src/migrations/runner/problems.ts": ["cli"],
  "src/config/load.ts": [
    "app",
    "migrations",
    "cli",
    "features/test_databases",
    "features/fleets",
    "features/init",
  ],
  "src/config/yaml.ts": ["features/contract", "features/convert"],
  "src/app/files.ts": ["cli", "features/openapi"],
  "src/features/actuator/settings.ts": ["features/scheduling"],
  "src/features/security/test_users.ts": ["features/testing"],
  "src/features/contract/reader.ts": ["features/verify"],
  "src/features/openapi/types.ts": ["features/verify"],
  "src/features/transactions/handler.ts": ["features/idempotency"],
  "src/features/transactions/own_tables.ts": ["features/scheduling", "features/idempotency"],
  "src/migrations/queries.ts": ["cli"],
  "src/migrations/commands.ts": ["cli"],
};

/** Entry modules, which export what features have, and give the registry to the core. */
export const JOINING = [
  "mod.ts",
  "cli.ts",
  "create.ts",
  "src/migrations/mod.ts",
  "src/migrations/startup.ts",
  "src/features/testing/mod.ts",
  "src/features/testing/test_application.ts",
];

/** Sources by path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

/** Every break of the rules of the architecture, as `file: what`. */
export function violations(sources: Sources): string[] {
  const modules = new Map([...sources].map(([path, source]) => [path, moduleOf(source)]));
  const found: string[] = [];
  for (const [path, module] of modules) {
    for (const problem of problems(path, module)) found.push(`${path}: ${problem}`);
  }
  return [...found, ...cycles(modules), ...crossings(modules)];
}

/** Entries of the tables that no source needs, such as `drift uses reindex`, or an entry file. */
export function unusedPermissions(sources: Sources): string[] {
  const used = new Set<string>();
  for (const [path, source] of sources) {
    const own = featureNameOf(layerOf(path));
    for (const { specifier = "" } of moduleOf(source).imports) {
      const target = join(dirname(path), specifier);
      if (EXTRA_ENTRIES[target]?.includes(layerOf(path)!)) used.add(target);
      if (!JOINING.includes(path)) used.add(`${own} uses ${featureNameOf(layerOf(target))}`);
    }
    // In texts that it writes.
    for (const [, entry] of source.matchAll(/\birori\/(\w+)/g)) used.add(`${own} uses ${entry}`);
  }
  const uses = Object.entries(FEATURES).flatMap(([name, { uses }]) =>
    uses.map((other) => `${name} uses ${other}`)
  );
  return [...uses, ...Object.keys(EXTRA_ENTRIES)].filter((permission) => !used.has(permission));
}

function featuresOf(half: "web" | "migrations"): readonly string[] {
  return Object.keys(FEATURES).filter((name) => FEATURES[name]!.half === half)
    .map((name) => `features/${name}`);
}

function* problems(path: string, { imports, runtimes, hasDecorators }: Module): Iterable<string> {
  for (const found of imports) {
    const problem = importProblem(path, found);
    if (problem) yield problem;
  }
  const layer = layerOf(path);
  if (layer !== undefined && !LAYERS.includes(layer)) yield "is in no layer";
  if (layer !== "runtime") {
    for (const runtime of runtimes) yield `names '${runtime}'`;
  }
  if (hasDecorators) yield "has decorator syntax";
}

function importProblem(path: string, { specifier, isLoadedAtOnce }: Import): string | undefined {
  const mayReachOut = layerOf(path) === "runtime" || path === DRIVERS;
  if (specifier === undefined) return mayReachOut ? undefined : "imports a computed name";
  if (specifier.startsWith("node:")) {
    if (!mayReachOut) return `imports '${specifier}'`;
    // Edge isolates have no such modules, and bundlers hoist what stands at the head.
    return isLoadedAtOnce ? `imports '${specifier}' at its head` : undefined;
  }
  if (/^[a-z]+:/.test(specifier)) return `imports '${specifier}' past the import map`;
  if (!specifier.startsWith(".")) return undefined;
  const target = join(dirname(path), specifier);
  if (GENERATED[target] === path && !isLoadedAtOnce) return undefined;
  return folderProblem(path, target) ?? pathProblem(path, target);
}

function folderProblem(path: string, target: string): string | undefined {
  const [from, to] = [path, target].map(webFolderOf);
  if (from === undefined || to === undefined || path === "src/web/mod.ts") return undefined;
  if (WEB_FOLDERS.indexOf(to) <= WEB_FOLDERS.indexOf(from)) return undefined;
  return `imports 'web/${to}', which is above 'web/${from}'`;
}

function webFolderOf(path: string): string | undefined {
  return /^src\/web\/(?:(.*)\/)?[^/]+\.ts$/.exec(path)?.slice(1).map((folder) => folder ?? "")[0];
}

function pathProblem(path: string, target: string): string | undefined {
  const layer = layerOf(path);
  if (!/^(?:src\/|mod\.ts$)/.test(target)) return `imports '${target}', which is not in src`;
  const other = layerOf(target);
  if (other === undefined || !LAYERS.includes(other)) {
    return `imports '${target}', which is in no layer`;
  }
  const isEntry = target === `src/${other}/mod.ts` ||
    (layer !== undefined && EXTRA_ENTRIES[target]?.includes(layer) === true);
  if (other === layer) return isEntry ? "imports its own mod.ts" : undefined;
  const used = featureNameOf(other);
  if (used !== undefined && layer !== REGISTRY && !JOINING.includes(path)) {
    const own = featureNameOf(layer);
    if (own === undefined) return `imports the feature '${used}'`;
    const isNamed = FEATURES[own]?.uses.includes(used) === true;
    if (!isNamed) return `imports the feature '${used}', which its table does not name`;
  }
  if (!isEntry && other !== REGISTRY && !mayReachInto(path, other)) {
    return `imports past the mod.ts of '${other}'`;
  }
  if (layer === undefined || JOINING.includes(path)) return undefined;
  if (LAYERS.indexOf(other) > LAYERS.indexOf(layer)) return `imports '${other}', which is above it`;
  const apart = (WEB.includes(layer) && MIGRATIONS.includes(other)) ||
    (MIGRATIONS.includes(layer) && WEB.includes(other));
  return apart ? `imports '${other}' of the other half` : undefined;
}

function featureNameOf(layer: string | undefined): string | undefined {
  return layer !== undefined && layer.startsWith("features/")
    ? layer.slice("features/".length)
    : undefined;
}

/** Features of the migrations are parts of them; the registry names any file of a feature. */
function mayReachInto(path: string, other: string): boolean {
  const layer = layerOf(path)!;
  if (layer === REGISTRY || JOINING.includes(path)) return other.startsWith("features/");
  return MIGRATIONS.includes(layer) && layer.startsWith("features/") && MIGRATIONS.includes(other);
}

/** Cycles of imports, types included: each once. */
function cycles(modules: ReadonlyMap<string, Module>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" → ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const { specifier } of modules.get(path)?.imports ?? []) {
      if (specifier?.startsWith(".")) visit(join(dirname(path), specifier), [...trail, path]);
    }
    done.add(path);
  };
  for (const path of modules.keys()) visit(path, []);
  return found;
}

/** The registry of the migrations, which reaches nothing of the web half, not even by an import that is made later. */
const APART = `src/${REGISTRY}/migrations.ts`;

function crossings(modules: ReadonlyMap<string, Module>): string[] {
  const reached = new Set([APART]);
  const found = new Set<string>();
  for (const path of reached) {
    for (const { specifier = "" } of modules.get(path)?.imports ?? []) {
      const target = specifier.startsWith(".") ? join(dirname(path), specifier) : specifier;
      const isWeb = /^hono(?:\/|$)/.test(target) || WEB.includes(layerOf(target) ?? "");
      if (isWeb) found.add(`${APART}: reaches '${target}' by way of ${path}`);
      else if (target !== specifier) reached.add(target);
    }
  }
  return [...found];
}

/** The layer whose folder is nearest; a folder that is no layer counts as one, so that it is found to be none. */
export function layerOf(path: string): string | undefined {
  const [, feature] = /^src\/features\/([^/]+)\//.exec(path) ?? [];
  if (feature !== undefined) return `features/${feature}`;
  const layers = LAYERS.filter((layer) => path.startsWith(`src/${layer}/`));
  return layers.sort((a, b) => b.length - a.length)[0] ?? /^src\/([^/]+)\//.exec(path)?.[1];
}
