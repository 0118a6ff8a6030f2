import { fromFileUrl, join } from "@std/path";
import { npmInstall } from "../../tools/_npm.ts";
import { buildNpm } from "../../tools/build_npm.ts";
import { peers } from "../../tests/runtimes/project.ts";
import { buildTools, node, run } from "../../tests/runtimes/executables.ts";

/** The two applications that are compared. */
export type Side = "ours" | "plain";

/** An entry of a worker: one route; two validated ones with an OpenAPI document; the same with all of Zod. */
export type Entry = Side | `${Side}_api` | "ours_api_z";

const FILES = [
  ...["hello.ts", "ours.ts", "plain.ts", "ours_server.ts", "plain_server.ts"],
  ...["user.ts", "ours_api.ts", "plain_api.ts"],
];
/** The packages of the applications beside the library. */
const PACKAGES = ["hono@4", "@hono/node-server@2", "@hono/zod-openapi@1.6.3", "zod@4"];

/** A folder with the applications and the packages they need, as users have them. */
export class Project {
  private constructor(readonly path: string) {}

  static async create(): Promise<Project> {
    const path = await Deno.makeTempDir({ prefix: "irori-bench-" });
    const tarball = await buildNpm(path);
    await npmInstall(path, [tarball, ...PACKAGES, ...peers("esbuild")]);
    for (const name of FILES) {
      await Deno.copyFile(fromFileUrl(new URL(name, import.meta.url)), join(path, name));
    }
    // A bundler drops what is unused of `import * as z from "zod"`, and nothing of what is imported as an object.
    await writeAgain(path, "user", 'import * as z from "zod"', 'import { z } from "zod"');
    await writeAgain(path, "ours_api", "./user.ts", "./user_z.ts");
    return new Project(path);
  }

  /** The minified bundle of a worker. @returns its path */
  async worker(entry: Entry): Promise<string> {
    return await this.#esbuild(entry, `${entry}.worker.js`, [
      "--minify",
      "--platform=neutral",
      "--main-fields=module,main",
    ]);
  }

  /** Builds the same worker by `irori build`. @returns its path */
  async built(entry: Entry): Promise<string> {
    const bin = join(this.path, "node_modules/irori/bin.js");
    await run([...await node(24), bin, "build", `${entry}.ts`], { cwd: this.path });
    return join(this.path, `dist/${entry}.js`);
  }

  /** The compiled server, which takes packages from `node_modules`. @returns its path */
  async server(side: Side): Promise<string> {
    const options = ["--platform=node", "--packages=external"];
    return await this.#esbuild(`${side}_server`, `${side}.server.mjs`, options);
  }

  async #esbuild(entry: string, output: string, options: readonly string[]): Promise<string> {
    const tools = await buildTools();
    const fixed = ["--bundle", "--format=esm", "--target=es2022", "--log-level=warning"];
    await run([
      `${tools}/node_modules/.bin/esbuild`,
      `${entry}.ts`,
      `--outfile=${output}`,
      ...fixed,
      ...options,
    ], { cwd: this.path });
    return join(this.path, output);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

/** Writes a module again as `<name>_z.ts`, with another import. */
async function writeAgain(path: string, name: string, from: string, to: string): Promise<void> {
  const text = await Deno.readTextFile(join(path, `${name}.ts`));
  await Deno.writeTextFile(join(path, `${name}_z.ts`), text.replace(from, to));
}
