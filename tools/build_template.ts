import { walk } from "@std/fs/walk";
import { basename, relative } from "@std/path";

/** The folders of `templates`: what all projects have, what those of a runtime have, and what choices add. */
const LAYERS = ["service", "deno", "node", "bun"];
const CHOICES = ["any", "postgres", "openapi", "security", "logging", "jobs"];
const FILE = "src/features/create/template.json";

/** The files of `templates` as texts: JSR would rewrite the imports of sources. */
export async function templateTexts(): Promise<string> {
  const layers: Record<string, Record<string, string>> = {};
  for (const folder of [...LAYERS, ...CHOICES.map((name) => `parts/${name}`)]) {
    const root = `templates/${folder}`;
    const texts: [path: string, text: string][] = [];
    for await (const { path } of walk(root, { includeDirs: false })) {
      // A 'package.json' with marks would be malformed for Deno and npm.
      const name = relative(root, path).replaceAll("\\", "/").replace(
        /package\.jsonc$/,
        "package.json",
      );
      texts.push([name, await Deno.readTextFile(path)]);
    }
    layers[basename(folder)] = Object.fromEntries(texts.sort(([a], [b]) => a < b ? -1 : 1));
  }
  return `${JSON.stringify(layers, null, 2)}\n`;
}

if (import.meta.main) await Deno.writeTextFile(FILE, await templateTexts());
