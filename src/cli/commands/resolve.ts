import { resolveMigration } from "../../migrations/commands.ts";
import type { Resolution, ResolveAnswer } from "../../migrations/runner/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";

export interface ResolveOptions extends GlobalOptions {
  readonly applied?: boolean;
  readonly retry?: boolean;
  readonly abandon?: boolean;
  readonly cancel?: boolean;
}

export async function resolve(
  runtime: Runtime,
  globals: ResolveOptions,
  [file]: readonly string[],
): Promise<number> {
  const [answer, ...others] = ANSWERS.filter((name) => globals[name]);
  if (file === undefined || answer === undefined || others.length > 0) {
    throw new UsageError(
      "Expected a file and one of --applied (it was applied), --retry (it was not), --abandon (delete its unfinished copy) and " +
        "--cancel (cancel its statement, which still runs)",
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
    const name = file.startsWith(`${connection}/`) ? file : `${connection}/${file}`;
    screen.write(`${name}: ${nextOf(answer, found)}\n`);
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

const NOT_CUT_OFF = (file: string) =>
  `Cannot resolve '${file}': no interrupted file has this path; 'irori status' lists them`;

const NOTHING: Readonly<Record<ResolveAnswer, (file: string) => string>> = {
  applied: NOT_CUT_OFF,
  retry: NOT_CUT_OFF,
  abandon: (file) =>
    `Cannot abandon '${file}': no interrupted file with an unfinished copy has this path; 'irori status' lists them`,
  cancel: (file) => `Cannot cancel '${file}': the server runs no statement of it for a killed run`,
};

export function nextOf(
  answer: ResolveAnswer,
  { isPending, isKept }: Pick<Resolution, "isPending" | "isKept">,
): string {
  switch (answer) {
    case "applied":
      return isPending
        ? "recorded as applied with its content at that time; the file has changed since, so the next run applies it"
        : "recorded as applied";
    case "retry":
      if (isKept) {
        return isPending
          ? "the next run continues it"
          : "the file was deleted, so the next run undoes its unfinished work";
      }
      return isPending ? "the next run applies it" : "recorded as before; nothing left to apply";
    case "cancel":
      if (isKept) {
        return "cancelled; check whether it was applied, then run 'resolve --applied' or 'resolve --retry'";
      }
      return isPending
        ? "cancelled, nothing of the file is applied; the next run applies it"
        : "cancelled; nothing left to apply";
    case "abandon":
      return isPending
        ? "abandoned; the next run starts again"
        : "abandoned; nothing left to apply";
  }
}
