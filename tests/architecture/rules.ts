import { dirname, join } from "@std/path/posix";
import { type Import, type Module, moduleOf } from "./module.ts";

/** Layers in their order: one imports only those before it. A layer may stand in the folder of another one. */
export const LAYERS = [
  "text",
  "schema",
  "runtime",
  "config",
  "http",
  "container",
  "web",
  "app",
  "context",
  "security",
  "passwords",
  "actuator",
  "client",
  "openapi",
  "contract",
  "logging",
  "tracing",
  "migrations/runner",
  "migrations/search",
  "migrations/sql",
  "migrations",
  "multipart",
  "paging",
  "websocket",
  "conditional",
  "files",
  "transactions",
  "scheduling",
  "idempotency",
  "jobs",
  "testing",
  "vite",
  "cli",
  "create",
];
/** Folders of `src/web` in their order: a file imports its own folder and those before it; files of the root come first. */
const WEB_FOLDERS = ["", "path", "answer", "bind", "declare", "fail", "route", "serve"];
const WEB = [
  "http",
  "container",
  "web",
  "app",
  "context",
  "security",
  "passwords",
  "actuator",
  "logging",
  "tracing",
  "openapi",
  "contract",
  "client",
  "multipart",
  "paging",
  "websocket",
  "conditional",
  "files",
  "transactions",
  "scheduling",
  "idempotency",
  "jobs",
  "testing",
];
const MIGRATIONS = ["migrations/runner", "migrations/search", "migrations/sql", "migrations"];
/** Where database drivers, which are built into runtimes or installed by the application, are loaded. */
const DRIVERS = "src/migrations/sql/connect/import_driver.ts";

/** What is generated, and the one file that loads it: no application reaches that. */
const GENERATED: Readonly<Record<string, string>> = {
  "schemas/search.schema.json": "src/migrations/commands.ts",
};

/** Entry files beside `mod.ts`, which the graph of `mod.ts` reaches by `import()` at most, and the layers that may use them. */
const EXTRA_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  "src/text/media_type.ts": ["client"],
  "src/text/typescript.ts": ["contract", ...MIGRATIONS],
  "src/runtime/client.ts": MIGRATIONS,
  "src/runtime/retry.ts": ["client", "transactions", "migrations/runner", "migrations/search"],
  "src/runtime/path.ts": ["config", "app", ...MIGRATIONS, "cli", "create"],
  "src/runtime/opened_file.ts": ["files"],
  "src/features/conditional/preconditions.ts": ["files"],
  "src/cli/errors.ts": ["create"],
  "src/cli/exit_codes.ts": ["create"],
  "src/cli/suggest.ts": ["create"],
  "src/cli/version.ts": ["create"],
  "src/config/load.ts": ["app", "migrations", "cli"],
  "src/config/yaml.ts": ["migrations/search", "cli"],
  "src/app/files.ts": ["cli"],
  "src/features/openapi/exported.ts": ["cli"],
  "src/features/actuator/settings.ts": ["scheduling"],
  "src/features/security/test_users.ts": ["testing"],
  "src/features/contract/reader.ts": ["testing"],
  "src/features/transactions/handler.ts": ["idempotency"],
  "src/features/transactions/own_tables.ts": ["scheduling", "idempotency"],
  "src/features/scheduling/schema.ts": ["cli"],
  "src/features/idempotency/schema.ts": ["cli"],
  "src/features/jobs/schema.ts": ["cli"],
  "src/migrations/queries.ts": ["cli"],
  "src/migrations/commands.ts": ["cli"],
  "src/features/convert/convert_files.ts": ["cli"],
  "src/features/schema/checks.ts": ["cli"],
  "src/features/types/type_module.ts": ["cli"],
  "src/features/types/documents/module.ts": ["migrations"],
  "src/features/schema/snapshots.ts": ["migrations"],
  "src/features/types/rows/module.ts": ["migrations"],
  "src/features/test_databases/mysql.ts": ["migrations"],
  "src/features/test_databases/postgresql.ts": ["migrations"],
};

/** Sources by path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

/** Every break of the rules of the architecture, as `file: what`. */
export function violations(sources: Sources): string[] {
  const modules = new Map([...sources].map(([path, source]) => [path, moduleOf(source)]));
  const found: string[] = [];
  for (const [path, module] of modules) {
    for (const problem of problems(path, module)) found.push(`${path}: ${problem}`);
  }
  return [...found, ...cycles(modules)];
}

function* problems(path: string, { imports, runtimes, hasDecorators }: Module): Iterable<string> {
  for (const found of imports) {
    const problem = importProblem(path, found);
    if (problem) yield problem;
  }
  if (layerOf(path) !== "runtime") {
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
  return folderProblem(path, target) ?? pathProblem(layerOf(path), target);
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

function pathProblem(layer: string | undefined, target: string): string | undefined {
  if (!/^(?:src\/|mod\.ts$)/.test(target)) return `imports '${target}', which is not in src`;
  const other = layerOf(target);
  if (other === undefined || !LAYERS.includes(other)) {
    return `imports '${target}', which is in no layer`;
  }
  const isEntry = target === `src/${other}/mod.ts` ||
    (layer !== undefined && EXTRA_ENTRIES[target]?.includes(layer) === true);
  if (other === layer) return isEntry ? "imports its own mod.ts" : undefined;
  if (!isEntry) return `imports past the mod.ts of '${other}'`;
  if (layer === undefined) return undefined;
  if (LAYERS.indexOf(other) > LAYERS.indexOf(layer)) return `imports '${other}', which is above it`;
  const apart = (WEB.includes(layer) && MIGRATIONS.includes(other)) ||
    (MIGRATIONS.includes(layer) && WEB.includes(other));
  return apart ? `imports '${other}' of the other half` : undefined;
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

/** The layer whose folder is nearest; a folder that is no layer counts as one, so that it is found to be none. */
export function layerOf(path: string): string | undefined {
  const layers = LAYERS.filter((layer) => path.startsWith(`src/${layer}/`));
  return layers.sort((a, b) => b.length - a.length)[0] ?? /^src\/([^/]+)\//.exec(path)?.[1];
}
