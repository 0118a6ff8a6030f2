import type { Context } from "../../cli/mod.ts";

/** @returns `undefined` without a terminal */
export async function ask(
  { runtime: { stdin, stderr }, screen }: Pick<Context, "runtime" | "screen">,
  question: string,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  if (!stdin.isTerminal || !stderr.isTerminal) return undefined;
  screen.log(`${screen.logColors.bold(question)} [y/N] `);
  const line = await stdin.readLine(signal);
  if (line === undefined) screen.log("\n");
  return /^\s*y(es)?\s*$/i.test(line ?? "");
}
