import type { RunEvent, WorkProgress } from "../migrations/runner/mod.ts";
import { printable } from "../text/mod.ts";
import { grouped, type Screen } from "./screen.ts";

const INTERVAL_MS = 10_000;

/** A bar on a terminal; on a pipe a line when the task changes, and every 10 seconds. */
export function progressReporter(
  screen: Screen,
  now: () => number,
): (event: RunEvent & { readonly type: "progress" }) => void {
  let last: { readonly what: string; readonly at: number } | undefined;
  return ({ connection, file, progress }) => {
    const { done = 0, total = 0 } = progress;
    // A task that has not started to count has no total.
    const of = total === 0 ? undefined : { done, total };
    const work = `${printable(file)}: ${printable(progress.message)}`;
    if (screen.progress([work, ...paceOf(progress)].join(", "), of)) return;
    const what = `${connection}/${work}`;
    if (last?.what === what && now() - last.at < INTERVAL_MS) return;
    last = { what, at: now() };
    const count = of ? [`${grouped(of.done)}/${grouped(of.total)}`] : [];
    const text = [what, ...count, ...paceOf(progress)].join(", ");
    screen.log(`${screen.logColors.dim("progress:")} ${text}\n`);
  };
}

function paceOf({ rate = 0, leftMs = 0 }: WorkProgress): readonly string[] {
  return [
    ...(rate > 0 ? [`${grouped(rate, rate < 10 ? 1 : 0)}/s`] : []),
    ...(leftMs > 0 ? [`${duration(leftMs)} left`] : []),
  ];
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${grouped(minutes / 60, 1)} h`;
}
