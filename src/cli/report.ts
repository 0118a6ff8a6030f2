import { ConnectionError, excerpt, MigrationFailedError } from "../migrations/mod.ts";
import type { MigrationResult, RunEvent, RunReport } from "../migrations/mod.ts";
import type { Output } from "../runtime/mod.ts";

/** Writes what a run tells as plain lines: results to `out`, everything else to `log`. */
export function reporter(out: Output, log: Output): (event: RunEvent) => void {
  return (event) => {
    switch (event.type) {
      case "planned":
        out.write(`${event.connection}: ${count(event.files, "file")}, ${event.pending} pending\n`);
        break;
      case "finished":
        out.write(`  ${resultLine(event.result)}\n`);
        break;
      case "notice":
        log.write(`notice: ${placeOf(event.connection, event.file)}: ${event.message}\n`);
    }
  };
}

/** One file and what came of it: `applied    logs-template.json  (template logs, 12 ms)`. */
function resultLine({ outcome, file, kind, resource, durationMs, note }: MigrationResult): string {
  const facts = [`${kind} ${resource}`, `${Math.round(durationMs)} ms`];
  if (note !== undefined) facts.push(note);
  return `${outcome.padEnd(9)}  ${file}  (${facts.join(", ")})`;
}

/** The sentence that closes a connection. */
export function summary({ connection, results, requests, stopped, error }: RunReport): string {
  const parts = (["applied", "reapplied", "skipped", "failed", "not run"] as const)
    .map((outcome) => [results.filter((result) => result.outcome === outcome).length, outcome])
    .filter(([number]) => number !== 0)
    .map(([number, outcome]) => `${number} ${outcome === "skipped" ? "unchanged" : outcome}`);
  const end = error || stopped ? "stopped" : "up to date";
  return `${connection}: ${end}${parts.length > 0 ? `, ${parts.join(", ")}` : ""} ` +
    `(${count(requests, "round trip")})`;
}

/** An error as people read it: what and where, then the line of the file with a caret. */
export function describeError(error: Error): string {
  if (error instanceof MigrationFailedError) {
    const place = [placeOf(error.connection, error.file), error.line, error.column]
      .filter((part) => part !== undefined).join(":");
    return [`${place}: ${error.message}`, ...excerpt(error)].join("\n");
  }
  if (error instanceof ConnectionError) return `${error.connection}: ${error.message}`;
  return error.message;
}

function placeOf(connection: string, file?: string): string {
  return file === undefined ? connection : `${connection}/${file}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
