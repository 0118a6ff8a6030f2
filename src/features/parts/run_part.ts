import {
  InterruptedError,
  partsName,
  run,
  type RunEvent,
  type RunOptions,
  type RunReport,
  type TargetPart,
} from "../../migrations/runner/mod.ts";

interface PartState {
  readonly isLeftOut?: boolean;
  /** Whether a failure means only that it does not exist any more, of which it tells. */
  isGone?(): Promise<boolean>;
}

/** @returns a function that runs one part, with one event for all of its files */
export function partRunner(
  total: number,
  options: RunOptions,
): (part: TargetPart, state: PartState) => Promise<RunReport> {
  const { onEvent, signal } = options;
  const notices = new Notices(onEvent);
  const own = { ...options, onEvent: notices.tellOnce };
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
    onEvent?.({ type: "part", connection, outcome, results, position: ++position, total });
    if (position === total) notices.tellOthers(total);
    return { ...all, part, results, outcome, ...(named && !hasGone && { error: named }) };
  };
}

/** Without the name, the command would resolve the file in all parts. */
function adviceFor(part: string, { connection, file, message }: InterruptedError): Error {
  const named = message.replace(/ --(?:abandon|applied|retry|cancel)(?=\s)/g, `$& --only ${part}`);
  return new InterruptedError(connection, file, named);
}

/** Most notices are about a file, which all parts have: the first one tells it, and the end of the run who else has it. */
export class Notices {
  readonly #told = new Map<string, { readonly event: RunEvent; readonly of: Set<string> }>();

  constructor(private readonly onEvent: RunOptions["onEvent"]) {}

  /** Files have no events of their own. */
  readonly tellOnce = (event: RunEvent): void => {
    if (event.type !== "notice") return;
    const key = `${event.file}\n${event.message}`;
    if (!this.#told.has(key)) this.onEvent?.(event);
    const { of } = this.#told.get(key) ?? { of: new Set() };
    this.#told.set(key, { event, of: of.add(event.connection) });
  };

  tellOthers(total: number): void {
    for (const { event, of: [, second, ...more] } of this.#told.values()) {
      if (second === undefined || more.length + 2 === total) continue;
      this.onEvent?.({ ...event, connection: partsName(second, more.length) } as RunEvent);
    }
  }
}
