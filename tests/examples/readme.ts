import { basename, fromFileUrl, join } from "@std/path";
import { freePort } from "../free_port.ts";

const EXAMPLES = fromFileUrl(new URL("../../examples/", import.meta.url));
const PORT = "8080";
const LIMIT_MS = 120_000;

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The files of an example, and the commands of its README. */
export class Starter implements AsyncDisposable {
  private constructor(
    readonly path: string,
    /** The `sh` blocks of the README, each as its commands. */
    readonly blocks: readonly (readonly string[])[],
    readonly port: number,
    readonly env: Record<string, string>,
    /** Files that only this starter has. */
    readonly folder?: string,
  ) {}

  /**
   * A copy of the starter as deep in a new folder as in the repository, which serves on a free port.
   *
   * @param tarball the package that is not published yet, where the repository makes it
   */
  static async copied(
    name: string,
    env: Record<string, string> = {},
    tarball?: string,
  ): Promise<Starter> {
    const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: `irori-${name}-` }));
    const path = join(folder, "examples", name);
    if (tarball) {
      await Deno.mkdir(join(folder, "dist"));
      await Deno.copyFile(tarball, join(folder, "dist", basename(tarball)));
    }
    const port = freePort();
    for await (const file of files(join(EXAMPLES, name))) {
      const text = await Deno.readTextFile(join(EXAMPLES, name, file));
      await Deno.mkdir(join(path, file, ".."), { recursive: true });
      await Deno.writeTextFile(join(path, file), text.replaceAll(PORT, String(port)));
    }
    return new Starter(path, await blocksOf(path), port, env, folder);
  }

  /** The starter in its place in the repository. */
  static async inPlace(name: string, env: Record<string, string> = {}): Promise<Starter> {
    const path = join(EXAMPLES, name);
    const port = freePort();
    const blocks = (await blocksOf(path)).map((block) =>
      block.map((line) => line.replaceAll(PORT, String(port)))
    );
    return new Starter(path, blocks, port, { ...env, SERVER_PORT: String(port) });
  }

  /** Runs one command to its end. */
  async run(command: string): Promise<Ran> {
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", command],
      cwd: this.path,
      env: { NO_COLOR: "1", ...this.env },
      stdin: "null",
      signal: AbortSignal.timeout(LIMIT_MS),
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  }

  /** Runs commands, each of which has to succeed. @returns what each printed */
  async follow(commands: readonly string[]): Promise<readonly string[]> {
    const printed: string[] = [];
    for (const command of commands) {
      const { code, stdout, stderr } = await this.run(command);
      if (code !== 0) throw new Error(`${command} ended with ${code}\n${stdout}${stderr}`);
      printed.push(stdout);
    }
    return printed;
  }

  /** Follows the first block, whose last command serves, and then the second. @returns what that printed */
  async serve(
    start: readonly string[] = this.blocks[0] ?? [],
    requests: readonly string[] = this.blocks[1] ?? [],
  ): Promise<readonly string[]> {
    await this.follow(start.slice(0, -1));
    // A process group of its own: what the command starts is stopped with it.
    const server = new Deno.Command("setsid", {
      args: ["sh", "-c", start.at(-1) ?? ""],
      cwd: this.path,
      env: { NO_COLOR: "1", ...this.env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const output = Promise.all([server.stdout, server.stderr].map((stream) => {
      return new Response(stream).text();
    }));
    try {
      await Promise.race([
        listens(this.port),
        server.status.then(async ({ code }) => {
          throw new Error(`${start.at(-1)} ended with ${code}\n${(await output).join("")}`);
        }),
      ]);
      return await this.follow(requests);
    } finally {
      await new Deno.Command("kill", { args: ["-TERM", "--", `-${server.pid}`] }).output();
      await server.status;
      await output;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.folder) await Deno.remove(this.folder, { recursive: true });
  }
}

async function blocksOf(folder: string): Promise<string[][]> {
  const text = await Deno.readTextFile(join(folder, "README.md"));
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) =>
    block.replaceAll("\\\n", "").split("\n").filter((line) => line !== "")
  );
}

async function* files(root: string, below = ""): AsyncIterable<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(root, below))) {
    if (name === "node_modules" || name === "dist" || name.startsWith(".")) continue;
    const path = join(below, name);
    if (isDirectory) yield* files(root, path);
    else yield path;
  }
}

/** Tries until the server listens. */
async function listens(port: number): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (true) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
