import { build, stop } from "esbuild";
import { Graph } from "../../tools/_graph.ts";
import { dirname, join } from "@std/path";
import { PACKAGES, PG_BOSS } from "../../src/runtime/mod.ts";
import { installed, npmInstall } from "../../tools/_npm.ts";
import { buildNpm } from "../../tools/build_npm.ts";

/** Where the applications are in a project. */
export const APP = "tests/runtimes/app";

/** @returns the packed npm package: the one that the test command has built for all tests, or one built into `folder` */
export async function packLibrary(folder: string): Promise<string> {
  return Deno.env.get("IRORI_TEST_TARBALL") ?? await buildNpm(folder);
}

/** Copies what npm has installed. The files of packages, which no test edits, become hard links. */
async function copyLinked(from: string, to: string): Promise<void> {
  const copy = (args: readonly string[]) => new Deno.Command("cp", { args: [...args] }).output();
  const modules = [join(from, "node_modules"), join(to, "node_modules")];
  const { success } = await copy(["-al", ...modules]);
  if (!success) { // Another file system, or a `cp` without links.
    await Deno.remove(modules[1]!, { recursive: true }).catch(() => {});
    await copy(["-R", ...modules]);
  }
  for (const name of ["package.json", "package-lock.json", "node_modules/.package-lock.json"]) {
    await Deno.remove(join(to, name)).catch(() => {});
    await Deno.copyFile(join(from, name), join(to, name)); // npm writes these in place.
  }
}

/** Packages that an application installs which uses the parts that need them, as npm takes them. */
export function peers(...names: readonly (keyof typeof PACKAGES)[]): readonly string[] {
  return names.map((name) => `${name}@${PACKAGES[name]}`);
}

/** The packages that applications of the tests use. Each set takes npm seconds, so there is one for all. */
const EQUIPMENT = [
  ...["hono@4", "zod@4", "ws@8", "pg@8", "croner@11", "valibot@1", "arktype@2", "js-yaml@4"],
  ...["@hono/node-server@2", "hono-rate-limiter@0.5", `${PG_BOSS.name}@${PG_BOSS.range}`],
  ...["@opentelemetry/sdk-metrics@2.12.0", "@opentelemetry/sdk-trace-base@2.12.0"],
  ...["@types/node@22", "@types/pg@8"],
  ...peers("@babel/parser", "@cfworker/json-schema", "@logtape/logtape", "@logtape/redaction"),
  ...peers("@opentelemetry/api", "aws4fetch", "esbuild", "jose", "undici"),
];

/** A new folder, gone after the test. */
export class Project implements AsyncDisposable {
  private constructor(readonly path: string) {}

  /** A folder with what a user gets from npm, and every package that applications of the tests use. */
  static equipped(): Promise<Project> {
    return Project.fromTarball(...EQUIPMENT);
  }

  /** A folder with what a user gets from npm, and these packages beside it: for what is different without others. */
  static async fromTarball(...packages: string[]): Promise<Project> {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    const project = await Project.installed(await packLibrary(folder), ...packages);
    await Deno.remove(folder, { recursive: true });
    return project;
  }

  /** A folder with these packages. The test command installs each set once and copies it. */
  static async installed(...packages: string[]): Promise<Project> {
    const project = await Project.empty();
    const home = Deno.env.get("IRORI_TEST_INSTALLS");
    if (home === undefined) await npmInstall(project.path, packages);
    else await copyLinked(await installed("set", packages, home), project.path);
    return project;
  }

  static async empty(): Promise<Project> {
    return new Project(await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-runtime-" })));
  }

  /** The path of a file in it. */
  file(name: string): string {
    return join(this.path, name);
  }

  async write(name: string, text: string): Promise<void> {
    await Deno.mkdir(dirname(this.file(name)), { recursive: true });
    await Deno.writeTextFile(this.file(name), text);
  }

  async remove(name: string): Promise<void> {
    await Deno.remove(this.file(name), { recursive: true });
  }

  /**
   * Bundles a module of this repository with what it imports of it, its packages aside, into a file.
   *
   * @param changed other texts of modules, by their paths
   */
  async addBundle(
    entry: string,
    name: string,
    changed: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const graph = await Graph.of([entry]);
    await build({
      entryPoints: [entry],
      outfile: this.file(name),
      bundle: true,
      format: "esm",
      platform: "node",
      target: "es2022",
      logLevel: "warning",
      plugins: [{
        name: "changed",
        setup: (build) =>
          build.onLoad({ filter: /\.ts$/, namespace: "deno" }, ({ path }) => {
            const contents = changed[path];
            return contents === undefined ? undefined : { contents, loader: "ts" };
          }),
      }, graph.plugin()],
    });
    await stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

/** Declares tests of a project that is made once and deleted after them. */
export function testsOn(
  title: string,
  project: Promise<Project>,
): (name: string, fn: (made: Project) => Promise<void>) => void {
  Deno.test.afterAll(async () => await (await project)[Symbol.asyncDispose]());
  return (name, fn) => {
    Deno.test({
      name: `${title} + ${name}`,
      // The project is shared, so it outlives the test that asked for it first.
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async () => await fn(await project),
    });
  };
}
