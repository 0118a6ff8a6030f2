import type { Command } from "./executables.ts";

/** A process that serves, until the test is over. */
export interface Serving extends AsyncDisposable {
  /** Where it listens, in the order in which it said so. */
  readonly urls: readonly string[];
  readonly pid: number;
}

/**
 * Starts a process and waits until it listens at `count` addresses, each of which it prints: as a URL, or as `workerd`
 * says it, `"port":80`.
 *
 * @throws {Error} with what it printed, when it ends before or does not listen within a minute
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
  const ready = Promise.withResolvers<void>();
  let text = "";
  let urls: readonly string[] = [];
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (urls.length < count) urls = urlsOf(text).slice(0, count);
      if (urls.length === count) ready.resolve();
    }
  };
  const ended = Promise.all([child.status, read(child.stdout), read(child.stderr)]);
  await within(60_000, child, Promise.race([ready.promise, ended]));
  if (urls.length < count) throw new Error(`${command} ${args.join(" ")} ended: ${text}`);
  return {
    urls,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await within(10_000, child, ended);
    },
  };
}

function urlsOf(output: string): string[] {
  const found = [...output.matchAll(/http:\/\/[\w.]+:(\d+)\b|"port":(\d+)/g)];
  return found.map(([, url, control]) => `http://127.0.0.1:${url ?? control}`);
}

/** Waits for `event`, and ends the process by force where that takes too long. */
async function within(milliseconds: number, child: Deno.ChildProcess, event: Promise<unknown>) {
  const limit = setTimeout(() => child.kill("SIGKILL"), milliseconds);
  await event;
  clearTimeout(limit);
}
