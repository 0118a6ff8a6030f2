import { walk } from "@std/fs/walk";
import { relative } from "@std/path";
import { deno } from "./_run.ts";

/** The folders of `templates`: what all projects have, and what those of a runtime have. */
const PARTS = ["service", "deno", "node", "bun"] as const;
const FILE = "src/create/template.ts";

/** The module that has the files of `templates` as texts: JSR would rewrite the imports of sources. */
export async function templateModule(): Promise<string> {
  const parts: Record<string, Record<string, string>> = {};
  for (const part of PARTS) {
    const root = `templates/${part}`;
    const texts: [path: string, text: string][] = [];
    for await (const { path } of walk(root, { includeDirs: false })) {
      texts.push([relative(root, path).replaceAll("\\", "/"), await Deno.readTextFile(path)]);
    }
    parts[part] = Object.fromEntries(texts.sort(([a], [b]) => a < b ? -1 : 1));
  }
  const source = `// Written by 'deno task template' from the folder 'templates'.

export const TEMPLATE: Readonly<
  Record<"service" | "deno" | "node" | "bun", Readonly<Record<string, string>>>
> = ${JSON.stringify(parts, null, 2)};
`;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, source);
    const { ok, output } = await deno(["fmt", "--config", "deno.json", file]);
    if (!ok) throw new Error(output);
    return await Deno.readTextFile(file);
  } finally {
    await Deno.remove(file);
  }
}

if (import.meta.main) await Deno.writeTextFile(FILE, await templateModule());
