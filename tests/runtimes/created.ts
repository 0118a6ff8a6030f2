import { join } from "@std/path";
import { npmInstall } from "../../tools/_npm.ts";
import { buildCreate } from "../../tools/build_create.ts";
import type { RuntimeName } from "../../src/features/create/choices.ts";
import { Running } from "../app/process.ts";
import { runProgram } from "../servers/python.ts";
import { bun, type Command, DENO, node, run } from "./executables.ts";
import { packLibrary, Project } from "./project.ts";

/** A folder with the packed library, and `create-irori` as npm installs it. */
export async function packedCreate() {
  const project = await Project.empty();
  const library = await packLibrary(project.path);
  await npmInstall(project.file("npx"), [await buildCreate(project.path)]);
  return { project, library, script: project.file("npx/node_modules/create-irori/create.js") };
}

export const VARIANTS: Readonly<Record<string, [RuntimeName, () => Command | Promise<Command>]>> = {
  Deno: ["deno", () => DENO],
  "Node 22": ["node", () => node(22)],
  "Node 24": ["node", () => node(24)],
  Bun: ["bun", bun],
};

/** The command that runs the scripts of a manifest. */
export function scripts(runtime: RuntimeName): string {
  return { deno: "deno task", node: "npm run", bun: "bun run" }[runtime];
}

/** Runs commands as they are typed, with a runtime before all others on PATH. */
export class Shell {
  readonly #env: Record<string, string>;

  constructor(
    readonly path: string,
    readonly bin: string,
    readonly env: Readonly<Record<string, string>> = {},
  ) {
    this.#env = {
      PATH: `${bin}:${Deno.env.get("PATH")}`,
      SERVER_PORT: "0",
      NO_COLOR: "1",
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      ...env,
    };
  }

  in(folder: string): Shell {
    return new Shell(join(this.path, folder), this.bin, this.env);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  async output(line: string): Promise<string> {
    return await run(["sh", "-c", `{ ${line}; } 2>&1`], { cwd: this.path, env: this.#env });
  }

  /** In a group of processes of its own, which ends as a terminal ends it: npm leaves what it has started to itself. */
  async started(line: string): Promise<Service> {
    const { running, url } = await this.startedAs(["setsid", "sh", "-c", `exec ${line}`]);
    return {
      running,
      url,
      [Symbol.asyncDispose]: async () => {
        await this.output(`kill -s TERM -- -${running.pid}`);
        await running.ended();
        await running[Symbol.asyncDispose]();
      },
    };
  }

  async startedAs([program = "", ...args]: Command): Promise<Service> {
    const command = [await this.#program(program), ...args];
    const running = new Running(command, this.#env, "stdout", this.path);
    const [, url = ""] = await running.line(/Listening on (http[^\s"]+)/);
    return { running, url, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
  }

  /** Runs a health check against this address instead of its own. @returns its exit code */
  async probe([program = "", ...args]: Command, url: string): Promise<number> {
    const told = args.map((arg) => arg.replace("http://127.0.0.1:8080", url));
    return (await runProgram(await this.#program(program), told, { env: this.#env })).code;
  }

  async #program(name: string): Promise<string> {
    const own = join(this.bin, name);
    return await Deno.stat(own).then(({ isFile }) => isFile, () => false) ? own : name;
  }
}

export interface Service extends AsyncDisposable {
  readonly running: Running;
  readonly url: string;
}
