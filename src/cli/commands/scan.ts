import { join, relative } from "../../runtime/path.ts";
import { readConfig } from "../../config/load.ts";
import { ConfigError } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { componentsFile, type ExportedClass } from "../components_file.ts";
import { EXIT } from "../exit_codes.ts";
import { count } from "../report.ts";
import { createScreen } from "../screen.ts";
import type { GlobalOptions } from "../types.ts";
import { requireComponentScan } from "./_component_scan.ts";
import { printJson } from "./_context.ts";
import { updateFile } from "./_generated_file.ts";

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
  const { check } = options;
  const { stale, result } = await updateFile(runtime, path, text, {
    check,
    command: "irori scan",
  });
  const found = count(classes.length, "component");
  createScreen(runtime, options).write(`${path}: ${found}, ${result}\n`);
  printJson(runtime, options, { file: path, components: classes, stale });
  return stale && check ? EXIT.pending : EXIT.done;
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

function specifierOf(path: string): string {
  const posix = path.replaceAll("\\", "/");
  return posix.startsWith(".") ? posix : `./${posix}`;
}
