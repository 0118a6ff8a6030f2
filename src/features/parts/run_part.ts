import {
  InterruptedError,
  run,
  type RunEvent,
  type RunOptions,
  type RunReport,
  type TargetPart,
} from "../../migrations/runner/mod.ts";

interface PartState {
  readonly isLeftOut?: boolean;
  /** Whether a failure means only that it does not exist any more. */
  isGone?(): Promise<boolean>;
}

/** @returns a function that runs one part, with one event for all of its files */
export function partRunner(
  total: number,
  options: RunOptions,
): (part: TargetPart, state: PartState) => Promise<RunReport> {
  const { onEvent, signal } = options;
  const own = { ...options, onEvent: onceEach(onEvent) };
  let position = 0;
  return async ({ target, files, part = "" }, { isLeftOut, isGone }) => {
    const { connection } = target;
    const { error, ...all }: RunReport = signal?.aborted || isLeftOut
      ? { connection, results: [], requests: 0, stopped: signal?.aborted === true }
      : await run(target, files, own);
    const results = all.results.filter(({ outcome }) => outcome !== "skipped");
    const named = error instanceof InterruptedError ? adviceFor(part, error) : error;
    const hasGone = error && await isGone?.().catch(() => false);
    const isRun = !isLeftOut && !all.stopped;
    const done = !isRun ? "not run" : results.length > 0 ? "migrated" : "unchanged";
    const outcome = hasGone ? "gone" : error ? "failed" : done;
    if (hasGone) onEvent?.({ type: "notice", connection, message: GONE });
    onEvent?.({ type: "part", connection, outcome, results, position: ++position, total });
    return { ...all, part, results, outcome, ...(named && !hasGone && { error: named }) };
  };
}

/** Without the name, the command would resolve the file in all parts. */
function adviceFor(part: string, { connection, file, message }: InterruptedError): Error {
  const named = message.replace(/ --(?:abandon|applied|retry|cancel)(?=\s)/g, `$& --only ${part}`);
  return new InterruptedError(connection, file, named);
}

const GONE = "The tenant disappeared during the run, which goes on without it";

/** Each notice once: most are about a file, which all parts have. Files have no events of their own. */
function onceEach(onEvent: RunOptions["onEvent"]): (event: RunEvent) => void {
  const told = new Set<string>();
  return (event) => {
    const key = event.type === "notice" ? `${event.file}\n${event.message}` : "";
    if (key !== "" && !told.has(key)) onEvent?.(event);
    told.add(key);
  };
}
