import { type Application, bootstrap, type BootstrapOptions } from "../../mod.ts";
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
  const { error } = console;
  const lines: unknown[][] = [];
  console.error = (...values: unknown[]) => void lines.push(values);
  try {
    await action();
  } finally {
    console.error = error;
  }
  return lines;
}
