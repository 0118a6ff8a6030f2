import {
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
  return async ({ target, files, part = "", namePartIn }, { isLeftOut, isGone }) => {
    const { connection } = target;
    const isRun = !signal?.aborted && !isLeftOut;
    const { error, ...all }: RunReport = isRun
      ? await run(target, files, own)
      : { connection, results: [], requests: 0, stopped: signal?.aborted === true };
    const results = all.results.filter(({ outcome }) => outcome !== "skipped");
    const hasGone = error && await isGone?.().catch(() => false);
    const isChanged = results.some(({ outcome }) => outcome.endsWith("applied"));
    const done = isChanged ? "migrated" : isRun && !all.stopped ? "unchanged" : "not run";
    const outcome = hasGone ? "gone" : error ? "failed" : done;
    onEvent?.({ type: "part", connection, outcome, results, position: ++position, total });
    if (position === total) notices.tellOthers();
    const failed = error && !hasGone && { error: namePartIn?.(error) ?? error };
    return { ...all, part, results, outcome, ...failed };
  };
}

/** Most notices are about a file, which many parts have: the first one tells it, and the end of the run who else has it. */
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

  tellOthers(): void {
    for (const { event, of: [, second, ...more] } of this.#told.values()) {
      if (second === undefined) continue;
      this.onEvent?.({ ...event, connection: partsName(second, more.length) } as RunEvent);
    }
  }
}
