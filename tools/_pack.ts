import { join } from "@std/path";
import type { Seconds } from "./_budgets.ts";
import { metered } from "./_processor_time.ts";

/** The packed library, and a folder where each set of packages is installed once for all tests. */
interface Packed extends AsyncDisposable {
  /** The variables that name both to the tests. */
  readonly env: Record<string, string>;
  /** Seconds of processor time. */
  readonly seconds: Seconds;
}

/** Builds the package once for all tests. */
export async function pack(
  note: (line: string) => void,
  signal?: AbortSignal,
): Promise<Packed> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "irori-package-" }));
  const env: Record<string, string> = { IRORI_TEST_INSTALLS: join(folder, "installs") };
  const started = performance.now();
  const building = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/build_npm.ts", folder],
    signal,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [{ success, stdout, stderr }, time] = await Promise.all([
    building.output(),
    metered(building.pid, building.status),
  ]);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  // Without it each test builds the package, and fails with the reason.
  if (success) env.IRORI_TEST_TARBALL = text(stdout).split("\n").at(-1)!;
  const ms = performance.now() - started;
  if (!signal?.aborted) {
    note(success ? `the npm package is built (${(ms / 1000).toFixed(0)} s)` : text(stderr));
  }
  return {
    env,
    seconds: { "npm package": time },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
