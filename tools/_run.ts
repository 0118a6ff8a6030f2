/** Runs the Deno that runs this script. @returns what it printed and whether it succeeded */
export async function deno(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly ok: boolean; readonly code: number; readonly output: string }> {
  const { success, code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: options.cwd,
    stdin: "null",
    env: { NO_COLOR: "1", ...options.env },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { ok: success, code, output: text(stdout) + text(stderr) };
}

/** Something that is checked. */
export interface Step {
  readonly name: string;
  run(): Promise<{ readonly ok: boolean; readonly output: string }>;
}

/** Runs steps until `signal`, a line for each. @param atOnce how many @returns the output of those that failed, too */
export async function runSteps(
  steps: readonly Step[],
  signal?: AbortSignal,
  atOnce = 1,
): Promise<{ passed: number; failed: number; failures: readonly string[] }> {
  let passed = 0;
  const failures: string[] = [];
  const left = [...steps];
  const work = async () => {
    for (let step = left.shift(); step && !signal?.aborted; step = left.shift()) {
      const { name, run } = step;
      const started = performance.now();
      const { ok, output } = await run().catch((error) => ({ ok: false, output: String(error) }));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${ok ? "ok    " : "FAILED"}  ${name} (${seconds} s)`);
      if (ok) passed++;
      else failures.push(`FAILED  ${name}\n${output}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { passed, failed: failures.length, failures };
}
