import type { ConfigMap } from "../config/mod.ts";
import { freeName } from "../text/mod.ts";

export interface ExportedClass {
  readonly specifier: string;
  readonly name: string;
}

/** The text of `components.gen.ts`; deterministic, so that `--check` can compare it. */
export function componentsFile(classes: readonly ExportedClass[], config: ConfigMap): string {
  const taken = new Set(["components", "config"]);
  const imports: string[] = [];
  const locals: string[] = [];
  for (const { specifier, name } of classes) {
    const local = freeName(name === "default" ? nameOfFile(specifier) : name, taken);
    imports.push(
      `import { ${name === local ? name : `${name} as ${local}`} } from ${
        JSON.stringify(specifier)
      };`,
    );
    locals.push(`  ${local},\n`);
  }
  return `// Written by 'irori scan'. Do not edit: run it again when components or the configuration change.
// deno-fmt-ignore-file
${imports.map((line) => `${line}\n`).join("")}
/** The exported components of the folders of 'component-scan'. */
export const components = [
${locals.join("")}];

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
