import { fromFileUrl } from "@std/path";

const FIXTURE = new URL("./fixtures/service/", import.meta.url);

/** Runs a file of the fixture. @param args of `deno`, after which the name of the file comes */
export function runFixture(
  args: readonly string[],
  file: string,
  env: Record<string, string> = {},
  output: "stdout" | "stderr" = "stdout",
): Running {
  const path = fromFileUrl(new URL(file, FIXTURE));
  return new Running([Deno.execPath(), ...args, path], env, output);
}

/** A process of its own, and what it printed so far. */
export class Running implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #limit: ReturnType<typeof setTimeout>;
  readonly #other: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly seen: string[] = [];

  /**
   * @param output where its lines are looked for
   * @param cwd where it runs
   * @param seconds how long it may run
   */
  constructor(
    [command = "", ...args]: readonly string[],
    env: Record<string, string> = {},
    output: "stdout" | "stderr" = "stdout",
    cwd?: string,
    seconds = 60,
  ) {
    this.#child = new Deno.Command(command, {
      args,
      env,
      ...(cwd !== undefined && { cwd }),
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#lines = linesOf(this.#child[output]);
    this.#other = this.#child[output === "stdout" ? "stderr" : "stdout"];
    // A process that hangs must fail its test, not stop all of them.
    this.#limit = setTimeout(() => this.kill("SIGKILL"), seconds * 1000);
  }

  /** Waits for a line that matches. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    while (true) {
      const { done, value } = await this.#lines.next();
      if (done) {
        throw new Error(`Ended before ${pattern}: ${this.seen.join("\n")}\n${await this.errors()}`);
      }
      this.seen.push(value);
      const match = pattern.exec(value);
      if (match) return match;
    }
  }

  get pid(): number {
    return this.#child.pid;
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** The rest of the output and the code it ends with. */
  async ended(): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next()) {
      this.seen.push(next.value);
    }
    return { code: (await this.#child.status).code, lines: this.seen };
  }

  /** Its stderr; waits until it ends. */
  errors(): Promise<string> {
    return new Response(this.#other).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It ended already.
    }
    await this.#child.status;
    clearTimeout(this.#limit);
    await this.#lines.return?.();
    if (!this.#other.locked) await this.#other.cancel();
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream() as never)) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest) yield rest;
  return undefined;
}
