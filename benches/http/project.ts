import { build, stop } from "esbuild";
import { basename, fromFileUrl } from "@std/path";
import { Project } from "../../tests/runtimes/project.ts";
import type { Program } from "./contenders.ts";
import { compileSpring } from "./spring.ts";

/** A new folder with the packed library and the packages of servers, as users have them. */
export async function createProject(packages: readonly string[]): Promise<Project> {
  return await Project.fromTarball(...packages);
}

/** A compiled server. */
export interface Compiled {
  readonly args: readonly string[];
  /** Lines of its application that are neither empty nor comments. */
  readonly lines: number;
}

/** The benchmark adds these; an application would not have them, so they do not count. */
const OF_THE_BENCHMARK = ["serve.ts", "fields.ts", "token.ts"];

/** Compiles a server. It takes packages from `node_modules`. */
export async function compileServer(
  project: Project,
  { source, hasLegacyDecorators = false }: Program,
): Promise<Compiled> {
  const path = fromFileUrl(new URL(source, import.meta.url));
  if (source.endsWith(".java")) {
    return { args: await compileSpring(project), lines: await linesOf(path) };
  }
  const outfile = project.file(source.replace(/\.ts$/, ".mjs"));
  const { metafile } = await build({
    entryPoints: [path],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "es2022",
    logLevel: "warning",
    metafile: true,
    tsconfigRaw: { compilerOptions: { experimentalDecorators: hasLegacyDecorators } },
  });
  await stop();
  const files = Object.keys(metafile.inputs).filter((path) =>
    !OF_THE_BENCHMARK.includes(basename(path))
  );
  const lines = await Promise.all(files.map(linesOf));
  return { args: [outfile], lines: lines.reduce((sum, count) => sum + count, 0) };
}

async function linesOf(path: string): Promise<number> {
  const text = await Deno.readTextFile(path);
  return text.split("\n").filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length;
}
