import { assertEquals } from "@std/assert";
import { walk } from "@std/fs/walk";
import { dirname, join } from "@std/path";
import { Running } from "../app/process.ts";
import { assertShown, patternOf, type Step } from "../docs/steps.ts";
import { freePort } from "../free_port.ts";
import { run } from "./executables.ts";

/** The port that pages name, and which others may have at the moment. */
const PORT = "8080";
/** The commands of a page that start the service in the first terminal, in place of the one that is there. */
const START = /(?:npm|deno task|bun run) start\n$/;

/** A reader who follows a page, in a new folder. */
export class Reader implements AsyncDisposable {
  readonly #port = String(freePort());
  readonly #env: Record<string, string>;
  #folder: string;
  #service: Running | undefined;

  /** @param bin the folder of the runtime, which is before all others on `PATH` */
  constructor(folder: string, bin: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#env = { PATH: `${bin}:${Deno.env.get("PATH")}`, NO_COLOR: "1", ...env };
  }

  async follow({ place, file, code, output }: Step): Promise<void> {
    const text = code.replaceAll(PORT, this.#port);
    if (file !== undefined) return await Deno.writeTextFile(await this.#fileAt(file), text);
    if (START.test(text)) return await this.#start(text, output?.code.trim().split("\n") ?? []);
    const printed = await this.run(text).catch((cause) => {
      throw new Error(`${place} failed: ${cause.message}`, { cause });
    });
    if (output) assertShown(output, printed.replaceAll(this.#port, PORT));
    const [, below] = /^cd (\S+)$/m.exec(text) ?? [];
    if (below !== undefined) this.#folder = join(this.#folder, below);
  }

  /** Runs commands. @returns what they print on stdout */
  async run(commands: string): Promise<string> {
    return await run(["timeout", "300", "sh", "-e", "-c", commands], {
      cwd: this.#folder,
      env: this.#env,
    });
  }

  /** The path of a file to write, in which `…` stands for a part of the name of a file that exists. */
  async #fileAt(name: string): Promise<string> {
    const path = join(this.#folder, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    if (!name.includes("…")) return path;
    const found: string[] = [];
    for await (const entry of walk(dirname(path), { includeDirs: false })) {
      if (patternOf(path).test(entry.path)) found.push(entry.path);
    }
    assertEquals(found.length, 1, `${name}: ${found}`);
    return found[0]!;
  }

  /** Starts the service in place of the one that is there, and waits for what the page shows. */
  async #start(command: string, lines: readonly string[]): Promise<void> {
    await this.#stop();
    const shell = ["setsid", "sh", "-c", command];
    const service = new Running(shell, this.#env, "stdout", this.#folder, 600);
    this.#service = service;
    const limit = setTimeout(() => Deno.kill(-service.pid, "SIGKILL"), 120_000);
    for (const line of lines) await service.line(patternOf(line.replaceAll(PORT, this.#port)));
    clearTimeout(limit);
  }

  /** As Ctrl+C does: every process of the terminal gets the signal. */
  async #stop(): Promise<void> {
    if (!this.#service) return;
    Deno.kill(-this.#service.pid, "SIGINT");
    await this.#service.ended();
    await this.#service[Symbol.asyncDispose]();
    this.#service = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}
