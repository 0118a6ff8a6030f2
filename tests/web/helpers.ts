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
export function logged(action: () => Promise<unknown>): Promise<readonly unknown[][]> {
  return printed("error", action);
}

/** Runs `action` and gives what it logged at the level DEBUG instead of printing it. */
export function debugged(action: () => Promise<unknown>): Promise<readonly unknown[][]> {
  return printed("debug", action);
}

async function printed(
  level: "error" | "debug",
  action: () => Promise<unknown>,
): Promise<readonly unknown[][]> {
  const original = console[level];
  const lines: unknown[][] = [];
  console[level] = (...values: unknown[]) => void lines.push(values);
  try {
    await action();
  } finally {
    console[level] = original;
  }
  return lines;
}
