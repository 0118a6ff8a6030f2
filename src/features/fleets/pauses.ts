import {
  FeatureError,
  type FileStatus,
  inParallel,
  type ManyOptions,
  pause,
  type RunReport,
  statusOf,
  type Target,
  type TargetPart,
} from "../../migrations/runner/mod.ts";
import { onlyParts } from "../parts/each.ts";
import { FLEET } from "./fleet.ts";

class UnconfirmedGroupError extends FeatureError {
  override readonly name = "UnconfirmedGroupError";
}

interface Group {
  readonly name: string | undefined;
  readonly parts: readonly TargetPart[];
}

/**
 * Waits, or asks, between two groups. A run that has not changed the first one follows an earlier run, which may have
 * been killed in its pause: then the records tell how much of it is left. To run again is no answer, since services
 * repeat jobs by themselves.
 *
 * @returns a report if the run ends here
 */
export async function stopBetween(
  target: Target,
  done: Group & { readonly isChanged: boolean },
  next: Group,
  { onEvent, signal, ask }: ManyOptions,
): Promise<RunReport | undefined> {
  const { connection } = target;
  const { pause: wanted, parallel } = FLEET.of(target)!;
  if (wanted === 0 || signal?.aborted) return undefined;
  const filesOf = async ({ parts }: Group) =>
    (await inParallel(parts, parallel, (part) => filesIn(part, signal))).flat();
  const isPending = async () => (await filesOf(next)).some(({ state }) => PENDING.has(state));
  const rest = next.name === undefined
    ? "the clusters without a group"
    : `the group '${next.name}'`;
  if (wanted !== "confirm") {
    const left = done.isChanged ? wanted : leftOf(wanted, await filesOf(done));
    if (left <= 0 || !await isPending()) return undefined;
    const message = `Waits ${left} s after the group '${done.name}', before ${rest}`;
    onEvent?.({ type: "notice", connection, message });
    await pause(left * 1000, signal).catch(() => {});
    return undefined;
  }
  if (!await isPending()) return undefined;
  const question = `${connection}: the group '${done.name}' is up to date. Go on with ${rest}?`;
  if (await ask?.(question, signal).catch(() => false) || signal?.aborted) return undefined;
  const message = `The group '${done.name}' is up to date: run again to go on with ${rest}, ` +
    `at a terminal or with '${onlyParts(connection, next.parts.map(({ part = "" }) => part))}'`;
  const error = new UnconfirmedGroupError(message, connection);
  return { connection, outcome: "not run", results: [], stopped: false, requests: 0, error };
}

const PENDING: ReadonlySet<FileStatus["state"]> = new Set(["pending", "changed", "interrupted"]);

/** Whole seconds, but never more than all of them: the clock of another machine may be ahead. */
function leftOf(seconds: number, files: readonly FileStatus[]): number {
  const newest = Math.max(0, ...files.map(({ executedAt }) => executedAt?.getTime() ?? 0));
  return Math.min(seconds, Math.ceil(seconds - (Date.now() - newest) / 1000));
}

/** A cluster that cannot be read counts as one that was changed just now and has more to do. */
async function filesIn(
  { target, files }: TargetPart,
  signal: AbortSignal | undefined,
): Promise<readonly FileStatus[]> {
  try {
    const session = await target.open(signal);
    const look = async () => await statusOf(session, await target.withValues(files));
    return (await look().finally(() => session.close())).files;
  } catch {
    return [{ file: "", state: "pending", executedAt: new Date() }];
  }
}
