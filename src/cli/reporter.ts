import {
  InvalidFilesError,
  isDownFile,
  MigrationFailedError,
  type MigrationResult,
  type RunEvent,
  type RunReport,
} from "../migrations/runner/mod.ts";
import { describeOrigin, excerpt, printable } from "../text/mod.ts";
import type { GlobalOptions } from "./globals.ts";
import { progressReporter } from "./progress.ts";
import { tellProblem } from "./report.ts";
import { type Colors, count, type Screen, tell } from "./screen.ts";

export function reporter(
  screen: Screen,
  { verbose = false }: Pick<GlobalOptions, "verbose">,
  now: () => number = () => performance.now(),
): (event: RunEvent) => void {
  const { colors, logColors } = screen;
  const reportProgress = progressReporter(screen, now);
  return (event) => {
    switch (event.type) {
      case "ignored": {
        if (!verbose) break;
        const reason = isDownFile(event.file)
          ? "it is a down migration"
          : "it is hidden or has another extension";
        const place = filePlace(event.connection, event.file);
        screen.log(`${logColors.dim("ignored:")} ${place}: ${reason}\n`);
        break;
      }
      case "planned":
        screen.write(
          `${event.connection}: ${count(event.files, "file")}, ${event.pending} pending\n`,
        );
        break;
      case "started":
        screen.progress(event.file, { done: event.position - 1, total: event.total });
        break;
      case "progress":
        reportProgress(event);
        break;
      case "finished":
        screen.write(`  ${resultLine(event.result, colors)}\n`);
        break;
      case "notice":
        if (event.problem) tellProblem(screen, event.problem, event.connection);
        else tell(screen, "notice", `${filePlace(event.connection, event.file)}: ${event.message}`);
    }
  };
}

function resultLine(
  { outcome, file, kind, resource, durationMs, note }: MigrationResult,
  colors: Colors,
): string {
  const facts = [`${kind} ${resource}`, `${Math.round(durationMs)} ms`];
  if (note !== undefined) facts.push(note);
  const paint = { failed: colors.red, skipped: colors.dim }[outcome as string] ?? colors.green;
  return `${paint(outcome.padEnd(9))}  ${printable(file)}  ${colors.dim(`(${facts.join(", ")})`)}`;
}

export function summary(report: RunReport, colors: Colors): string {
  const { connection, results, requests, stopped, error } = report;
  const parts = (["applied", "reapplied", "skipped", "failed", "not run"] as const)
    .map((outcome) => [results.filter((result) => result.outcome === outcome).length, outcome])
    .filter(([number]) => number !== 0)
    .map(([number, outcome]) => `${number} ${outcome === "skipped" ? "unchanged" : outcome}`);
  const end = error || stopped ? colors.red("stopped") : colors.green("up to date");
  return `${connection}: ${end}${parts.length > 0 ? `, ${parts.join(", ")}` : ""} ` +
    colors.dim(`(${count(requests, "round trip")})`);
}

export function describeError(error: Error): string {
  const { connection }: { readonly connection?: unknown } = error as { connection?: unknown };
  if (error instanceof MigrationFailedError) {
    const place = describeOrigin({ ...error, file: filePlace(error.connection, error.file) });
    return [`${place}: ${error.message}`, ...excerpt(error)].join("\n");
  }
  if (error instanceof InvalidFilesError || typeof connection !== "string") return error.message;
  return `${connection}: ${error.message}`;
}

function filePlace(connection: string, file?: string): string {
  return file === undefined ? connection : `${connection}/${printable(file)}`;
}
