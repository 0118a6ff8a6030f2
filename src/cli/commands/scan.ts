import { join, relative } from "../../runtime/path.ts";
import { readConfig } from "../../config/load.ts";
import { ConfigError } from "../../config/mod.ts";
import { FileNotFoundError, type Runtime } from "../../runtime/mod.ts";
import { componentsFile, type ExportedClass } from "../components_file.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { requireComponentScan } from "./_component_scan.ts";
import { printJson } from "./_context.ts";

const STALE = 4;

export async function scan(
  runtime: Runtime,
  options: GlobalOptions & { readonly check?: boolean },
): Promise<number> {
  const { config, values } = await readConfig({ runtime, directory: options.config });
  requireComponentScan(config);
  // Only this command needs the web half and a parser.
  const { componentFiles } = await import("../../app/files.ts");
  const classes: ExportedClass[] = [];
  for (const path of await componentFiles(config, runtime)) {
    const specifier = specifierOf(relative(config.root, path));
    const names = await classesOf(runtime, path);
    classes.push(...names.map((name) => ({ specifier, name })));
  }
  if (classes.length === 0) {
    throw config.error(
      "component-scan",
      "expected exported classes with decorators such as @RestController, found none; " +
        "compiled files have no decorators: name the source folders",
    );
  }
  const { "component-scan": _, ...rest } = values;
  const text = componentsFile(classes, rest);
  const path = join(config.root, "components.gen.ts");
  const stale = await textOf(runtime, path) !== text;
  if (stale && !options.check) await runtime.files.writeTextFile(path, text, { overwrite: true });
  const found = `${classes.length} component${classes.length === 1 ? "" : "s"}`;
  const summary = `${path}: ${found}, ${result(stale, options.check)}`;
  createScreen(runtime, options).write(`${summary}\n`);
  printJson(runtime, options, { file: path, components: classes, stale });
  return stale && options.check ? STALE : 0;
}

function result(stale: boolean, check = false): string {
  if (!stale) return "up to date";
  return check ? "stale: 'irori scan' writes it" : "written";
}

async function classesOf(runtime: Runtime, path: string): Promise<readonly string[]> {
  const { componentClasses } = await import("../component_classes.ts");
  try {
    return await componentClasses(await runtime.files.readTextFile(path), path);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ConfigError(`Cannot parse '${path}' for the component scan: ${cause.message}`, {
      cause,
    });
  }
}

async function textOf({ files }: Runtime, path: string): Promise<string | undefined> {
  return await files.readTextFile(path).catch((error): undefined => {
    if (!(error instanceof FileNotFoundError)) throw error;
  });
}

function specifierOf(path: string): string {
  const posix = path.replaceAll("\\", "/");
  return posix.startsWith(".") ? posix : `./${posix}`;
}
