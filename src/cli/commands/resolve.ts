import { resolveMigration } from "../../migrations/commands.ts";
import type { Resolution, ResolveAnswer } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";

/** What a person found out about a file that a run was cut off in, or wants of it. */
export interface ResolveOptions extends GlobalOptions {
  readonly applied?: boolean;
  readonly retry?: boolean;
  readonly abandon?: boolean;
  readonly cancel?: boolean;
}

/** The way out after an interruption. */
export async function resolve(
  runtime: Runtime,
  globals: ResolveOptions,
  [file]: readonly string[],
): Promise<number> {
  const [answer, ...others] = ANSWERS.filter((name) => globals[name]);
  if (file === undefined || answer === undefined || others.length > 0) {
    throw new UsageError(
      "Expected one of --applied (it was applied), --retry (it was not), --abandon (it is to be undone) and " +
        "--cancel (its statement still runs, and is to end)",
    );
  }
  using context = await commandContext(runtime, globals);
  const { screen, options } = context;
  const findings = await resolveMigration(globals.type, file, answer, options);
  if (findings.length === 0) {
    throw new UsageError(NOTHING[answer](file));
  }
  for (const { connection, found } of findings) {
    const fact = answer === "abandon" || answer === "cancel" ? "done" : "known";
    screen.write(`${connection}: ${file}: ${nextOf(answer, found)}\n`);
    screen.write(`  ${screen.colors.dim(`${fact}: ${found.known}`)}\n`);
  }
  printJson(runtime, globals, {
    file,
    answer,
    connections: findings.map(({ connection, found: { known, isPending } }) => {
      return { connection, known, isPending };
    }),
  });
  return EXIT.done;
}

const ANSWERS = ["applied", "retry", "abandon", "cancel"] as const;

const NOT_CUT_OFF = (file: string) => `Cannot resolve '${file}': no run was cut off in it`;

/** Where there was nothing to settle. */
const NOTHING: Readonly<Record<ResolveAnswer, (file: string) => string>> = {
  applied: NOT_CUT_OFF,
  retry: NOT_CUT_OFF,
  abandon: (file) => `Cannot abandon '${file}': no run was cut off in it whose work can be undone`,
  cancel: (file) => `Cannot cancel '${file}': the server runs nothing of it for a run that is gone`,
};

/** What comes of an answer. */
export function nextOf(
  answer: ResolveAnswer,
  { isPending, isKept }: Pick<Resolution, "isPending" | "isKept">,
): string {
  switch (answer) {
    case "applied":
      return isPending
        ? "recorded as applied as it was then; the file was changed since, so the next run applies it"
        : "recorded as applied";
    case "retry":
      if (isKept) {
        return isPending
          ? "the next run goes on with it"
          : "the file is gone, so the next run undoes what was begun";
      }
      return isPending
        ? "the next run applies it"
        : "recorded as it was before; there is nothing left to apply";
    case "cancel":
      if (isKept) {
        return "ended; look at what became of it, and say so by 'resolve --applied' or 'resolve --retry'";
      }
      return isPending
        ? "ended, and nothing of the file is applied; the next run applies it"
        : "ended; there is nothing left to apply";
    case "abandon":
      return isPending
        ? "abandoned; the next run begins anew"
        : "abandoned; there is nothing left to apply";
  }
}
