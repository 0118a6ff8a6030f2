import { join } from "@std/path";
import { node, run } from "./executables.ts";
import type { Project } from "./project.ts";

/** Runs a script that builds, with the packages of the folder `tools` beside those of the project. */
export async function buildWith(tools: string, project: Project, script: string): Promise<void> {
  const modules = join(tools, "node_modules");
  for (const name of Deno.readDirSync(modules)) {
    if (name.name.startsWith(".")) continue;
    const scoped = name.name.startsWith("@")
      ? Array.from(Deno.readDirSync(join(modules, name.name)), (one) => `${name.name}/${one.name}`)
      : [name.name];
    for (const one of scoped) {
      const link = project.file(`node_modules/${one}`);
      await Deno.mkdir(join(link, ".."), { recursive: true });
      await Deno.symlink(join(modules, one), link).catch(() => {}); // It may exist already.
    }
  }
  await project.write("build.mjs", script);
  await run([...await node(24), "build.mjs"], { cwd: project.path });
}
