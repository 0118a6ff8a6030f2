import type { Config } from "../config/mod.ts";
import { type Constructor, isComponent } from "../container/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { resolve, toFileUrl } from "../runtime/path.ts";
import { errorOf, quoted } from "../text/mod.ts";
import { rejectUndecoratedControllers } from "../web/mod.ts";
import { ScanError } from "./errors.ts";

/**
 * The exported classes that are components, each once, in the order of their files.
 *
 * @param waiting a stack trace: the files in it are left out, as is the one that the process was started with. A module that
 * awaits `bootstrap()` at its top level could not be imported before that is done, nor could it be done before.
 * @throws as `scanExports` does
 */
export async function scanComponents(
  config: Config,
  runtime: Runtime,
  waiting = "",
): Promise<readonly Constructor[]> {
  return [...(await scanExports(config, runtime, waiting)).keys()].filter(isComponent);
}

/** Values with their files. @throws {ConfigError | ScanError | MappingError} */
export async function scanExports(
  config: Config,
  runtime: Runtime,
  waiting = "",
): Promise<ReadonlyMap<unknown, string>> {
  const files = (await componentFiles(config, runtime))
    .filter((path) => path !== runtime.main && !isNamedIn(waiting, path));
  const modules = await importAll(files, runtime);
  const exported = new Map(
    modules.flatMap((module, index) => Object.values(module).map((one) => [one, files[index]!])),
  );
  rejectUndecoratedControllers([...exported.keys()]);
  return exported;
}

/** Omits tests, type declarations, generated files, hidden folders and `node_modules`. @throws {ConfigError} */
export async function componentFiles(
  config: Config,
  { files }: Pick<Runtime, "files">,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const folder of config.strings("component-scan") ?? []) {
    const path = resolve(config.root, folder);
    if (!(await files.stat(path))?.isDirectory) {
      throw config.error("component-scan", `expected a folder, found none at '${path}'`);
    }
    for await (const { path: file, relative } of files.walk(path)) {
      if (MODULE.test(relative) && !NO_COMPONENTS.test(relative)) found.add(file);
    }
  }
  return [...found].sort();
}

const MODULE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const NO_COMPONENTS =
  /(?:^|\/)(?:node_modules\/|\.)|\.d\.[cm]?ts$|[._](?:test|bench|spec|gen)\.\w+$/;

/** Stack traces name files by path or by URL, with a line after it, or a query that a loader added. */
function isNamedIn(stack: string, path: string): boolean {
  return [path, toFileUrl(path).pathname].some((name) => {
    const around = stack.split(name);
    return around.some((before, index) =>
      /(?:^|[\s(@/])$/.test(before) && /^[:?]/.test(around[index + 1] ?? "")
    );
  });
}

/** A module that awaits `bootstrap()` without being in its stack would wait for itself. */
async function importAll(
  paths: readonly string[],
  runtime: Runtime,
): Promise<readonly Record<string, unknown>[]> {
  const pending = new Set(paths);
  const timer = setTimeout(() => {
    console.error(
      `The component scan still waits for ${quoted(pending)}: ` +
        "move files that import the file with 'await bootstrap()' out of the folders of 'component-scan'",
    );
  }, PATIENCE_MS);
  try {
    return await Promise.all(paths.map(async (path) => {
      const module = await importModule(path, runtime);
      pending.delete(path);
      return module;
    }));
  } finally {
    clearTimeout(timer);
  }
}

const PATIENCE_MS = 3000;

async function importModule(path: string, runtime: Runtime): Promise<Record<string, unknown>> {
  try {
    return await runtime.importFile(path);
  } catch (cause) {
    const reason = errorOf(cause).message;
    const hint = runtime.name === "node" && isUncompiled(path, cause) ? UNCOMPILED : "";
    throw new ScanError(`Cannot import '${path}' for the component scan: ${reason}${hint}`, path, {
      cause,
    });
  }
}

const UNCOMPILED =
  ". If it has decorators: Node cannot read them, and removes only types; in a project of 'npm create irori' write " +
  "'npm run irori --' in place of 'npx irori'; elsewhere install tsx ('npm install --save-dev tsx') and set " +
  "NODE_OPTIONS=--import=tsx, scan compiled files, or write decorate() in place of decorators; " +
  "Vite, Vitest and Rolldown leave decorators as they are without the plugin of 'irori/vite'";

function isUncompiled(path: string, cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code, message } = cause as Error & { readonly code?: string };
  return code === "ERR_UNKNOWN_FILE_EXTENSION" || code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" ||
    /Invalid or unexpected token/.test(message) ||
    /\.(?:[cm]?ts|tsx)$/.test(path) && message.includes("Cannot use import statement");
}
