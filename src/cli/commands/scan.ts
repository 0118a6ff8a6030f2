import type { ConfigMap } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { freeName } from "../../text/mod.ts";
import { command } from "../command.ts";
import { EXIT } from "../exit_codes.ts";
import { flag } from "../option.ts";
import { count } from "../screen.ts";

export const declared = command({
  name: "scan",
  description: "write components.gen.ts, which replaces the component scan on edge isolates",
  options: { check: flag("write nothing; exit with 4 if the file is stale") },
  examples: [
    ["scan", "write components.gen.ts beside the folder 'config'"],
    ["scan -c . --check", "exit with 4 if classes or configuration have changed"],
  ],
  epilogue: `
Reads the folders of 'component-scan' and writes <root>/components.gen.ts: static imports of the classes that are
exported from there with @RestController, @ControllerAdvice, @Component, @Service or @Configuration, and the
configuration with unresolved placeholders. Runs no module.

  import { env } from "cloudflare:workers";
  import { components, config } from "./components.gen.ts";
  export default await bootstrap({ components, config, env });
`,
  worked: `
$ irori scan
components.gen.ts: 2 components, written
`,
  async run(context, { check = false }) {
    const { globals, runtime } = context;
    const { readConfig } = await import("../../config/load.ts");
    const { join, relative } = await import("../../runtime/path.ts");
    const { requireComponentScan } = await import("../scanned_routes.ts");
    const { config, values } = await readConfig({ runtime, directory: globals.config });
    requireComponentScan(config);
    // Only this command needs the web half and a parser.
    const { componentFiles } = await import("../../app/files.ts");
    const classes: { readonly specifier: string; readonly name: string }[] = [];
    for (const path of await componentFiles(config, runtime)) {
      const specifier = specifierOf(relative(config.root, path));
      classes.push(...(await classesOf(runtime, path)).map((name) => ({ specifier, name })));
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
    const file = join(config.root, "components.gen.ts");
    const { stale, result } = await context.updateFile(file, text, "irori scan", check);
    context.screen.write(`${file}: ${count(classes.length, "component")}, ${result}\n`);
    context.printJson({ file, components: classes, stale });
    return stale && check ? EXIT.pending : EXIT.done;
  },
});

async function classesOf(runtime: Runtime, path: string): Promise<readonly string[]> {
  const { componentClasses } = await import("../component_classes.ts");
  try {
    return await componentClasses(await runtime.files.readTextFile(path), path);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const { ConfigError } = await import("../../config/mod.ts");
    throw new ConfigError(`Cannot parse '${path}' for the component scan: ${cause.message}`, {
      cause,
    });
  }
}

function specifierOf(path: string): string {
  const posix = path.replaceAll("\\", "/");
  return posix.startsWith(".") ? posix : `./${posix}`;
}

/** The text of `components.gen.ts`; deterministic, so that `--check` can compare it. */
function componentsFile(
  classes: readonly { readonly specifier: string; readonly name: string }[],
  config: ConfigMap,
): string {
  const taken = new Set(["components", "config"]);
  const named = classes.map(({ specifier, name }) => {
    const local = freeName(name === "default" ? nameOfFile(specifier) : name, taken);
    const imported = name === local ? name : `${name} as ${local}`;
    return [local, `import { ${imported} } from ${JSON.stringify(specifier)};\n`] as const;
  });
  return `// Written by 'irori scan'. Do not edit: run it again when components or the configuration change.
// deno-fmt-ignore-file
${named.map(([, line]) => line).join("")}
/** The exported components of the folders of 'component-scan'. */
export const components = [
${named.map(([local]) => `  ${local},\n`).join("")}];

/** The configuration files, with unresolved placeholders. */
export const config = ${JSON.stringify(config, null, 2)};
`;
}

function nameOfFile(specifier: string): string {
  const stem = specifier.replace(/^.*\//, "").replace(/\..*$/, "");
  const words = stem.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^\p{L}/u.test(name) ? name : `Component${name}`;
}
