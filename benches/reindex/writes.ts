import { fromFileUrl } from "@std/path";
import type { Written } from "./writer.ts";

/** Writes that go on, in a process of their own. */
export interface Writes {
  /** Ends them; those that are refused are waited for. @throws {Error} when a write failed */
  end(): Promise<Written>;
}

/** Starts as many writes a second. */
export function startWrites(
  url: string,
  alias: string,
  documents: number,
  rate: number,
  seed: number,
): Writes {
  const script = fromFileUrl(new URL("writer.ts", import.meta.url));
  const args = [url, alias, documents, rate, seed].map(String);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", script, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  return {
    async end() {
      // It may have ended by itself, with a failure.
      await child.stdin.close().catch(() => {});
      const { success, stdout, stderr } = await output;
      if (!success) throw new Error(`The writer failed: ${new TextDecoder().decode(stderr)}`);
      return JSON.parse(new TextDecoder().decode(stdout));
    },
  };
}
