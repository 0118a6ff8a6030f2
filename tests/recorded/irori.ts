import { main } from "../../src/cli/mod.ts";
import { MIGRATION_FEATURES } from "../../src/features/migrations.ts";
import { WEB_FEATURES } from "../../src/features/web.ts";
import { loadRuntime } from "../../src/runtime/mod.ts";

/** What the command line printed, and the code that it ended with. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process, as if its output were files and the terminal 80 columns wide. */
export async function irori(...args: readonly string[]): Promise<Outcome> {
  const [stdout, stderr] = [new Written(), new Written()];
  const env = { get: () => undefined, names: () => [] };
  const own = { args, stdout, stderr, env };
  const runtime: typeof own & Awaited<ReturnType<typeof loadRuntime>> = Object.assign(
    Object.create(await loadRuntime()),
    own,
  );
  const code = await main(runtime, [...MIGRATION_FEATURES, ...WEB_FEATURES]);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Written {
  readonly isTerminal = false;
  readonly columns = 80;
  text = "";

  write(text: string): void {
    this.text += text;
  }

  written(): Promise<void> {
    return Promise.resolve();
  }
}
