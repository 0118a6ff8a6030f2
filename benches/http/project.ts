import { build, stop } from "esbuild";
import { fromFileUrl } from "@std/path";
import { Project } from "../../tests/runtimes/project.ts";
import type { Contender } from "./contenders.ts";
import { compileSpring } from "./spring.ts";

/** A new folder with the packed library and the packages of servers, as users have them. */
export async function createProject(packages: readonly string[]): Promise<Project> {
  return await Project.fromTarball(...packages);
}

/** Compiles a server. @returns what the command of its runtime is given */
export async function compileServer(
  project: Project,
  contender: Pick<Contender, "source" | "hasLegacyDecorators">,
): Promise<readonly string[]> {
  if (contender.source.endsWith(".java")) return await compileSpring(project);
  return [await bundle(project, contender)];
}

/** It takes packages from `node_modules`. @returns its path */
async function bundle(
  project: Project,
  { source, hasLegacyDecorators = false }: Pick<Contender, "source" | "hasLegacyDecorators">,
): Promise<string> {
  const outfile = project.file(source.replace(/\.ts$/, ".mjs"));
  await build({
    entryPoints: [pathOf(source)],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "es2022",
    logLevel: "warning",
    tsconfigRaw: { compilerOptions: { experimentalDecorators: hasLegacyDecorators } },
  });
  await stop();
  return outfile;
}

/** Lines of an application that are neither empty nor comments. */
export async function linesOf({ source, application = [source] }: Contender): Promise<number> {
  const texts = await Promise.all(application.map((name) => Deno.readTextFile(pathOf(name))));
  const lines = texts.flatMap((text) => text.split("\n"));
  return lines.filter((line) => !/^\s*(?:$|\/\/|\/\*)/.test(line)).length;
}

function pathOf(name: string): string {
  return fromFileUrl(new URL(name, import.meta.url));
}
