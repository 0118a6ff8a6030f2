import { type Application, bootstrap, type BootstrapOptions, type Extension } from "../../mod.ts";
import type { Constructor } from "../../src/container/mod.ts";

/** An application of these classes, without files. */
export function appOf(
  components: readonly Constructor[],
  options: BootstrapOptions = {},
): Promise<Application> {
  return bootstrap({ components, ...options });
}

/** Runs `action` and gives what it logged as errors instead of printing it. */
export async function logged(action: () => Promise<unknown>): Promise<readonly unknown[][]> {
  const { error: original } = console;
  const lines: unknown[][] = [];
  console.error = (...values: unknown[]) => void lines.push(values);
  try {
    await action();
  } finally {
    console.error = original;
  }
  return lines;
}

/** Takes the failures of an application in place of the console: what is at ERROR with its cause. */
export class Failures {
  readonly errors: unknown[][] = [];
  readonly debug: unknown[][] = [];
  readonly extension: Extension = () => ({
    log: (message, error, level) => {
      if (level === "ERROR") this.errors.push([message, error]);
      else this.debug.push([message]);
    },
  });
}
