import type { Command } from "./executables.ts";

/** A process that serves, until the test is over. */
export interface Serving extends AsyncDisposable {
  /** Where it listens, in the order in which it said so. */
  readonly urls: readonly string[];
}

/**
 * Starts a process and waits until it listens at `count` addresses, each of which it prints: as a URL, or as `workerd`
 * says it, `"port":80`.
 *
 * @throws {Error} with what it printed, when it ends before
 */
export async function serving(
  [command = "", ...args]: Command,
  cwd: string,
  count: number,
): Promise<Serving> {
  const child = new Deno.Command(command, {
    args,
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  const output = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const stop = async () => {
    await output.return?.();
    await errors;
    await child.status;
  };
  let text = "";
  while (true) {
    const ports = [...text.matchAll(/http:\/\/[\w.]+:(\d+)\b|"port":(\d+)/g)]
      .map(([, url, control]) => url ?? control);
    if (ports.length >= count) {
      return {
        urls: ports.map((port) => `http://127.0.0.1:${port}`),
        async [Symbol.asyncDispose]() {
          child.kill("SIGTERM");
          const limit = setTimeout(() => child.kill("SIGKILL"), 10_000);
          await stop();
          clearTimeout(limit);
        },
      };
    }
    const { done, value } = await output.next();
    if (done) {
      await stop();
      throw new Error(`${command} ${args.join(" ")} ended: ${text}${await errors}`);
    }
    text += value;
  }
}
