import {
  FeatureError,
  type ManyOptions,
  pause,
  type RunReport,
  type Target,
} from "../../migrations/runner/mod.ts";
import { FLEET } from "./fleet.ts";

class UnconfirmedGroupError extends FeatureError {
  override readonly name = "UnconfirmedGroupError";
}

interface Groups {
  readonly done: string | undefined;
  readonly next: string | undefined;
}

/** Waits after a group that was changed. A run that begins behind it does not wait, so that a second run goes on. */
export async function mayGoOn(
  target: Target,
  { done, next }: Groups,
  { onEvent, signal, runtime: { stdin, stderr } }: ManyOptions,
): Promise<RunReport | undefined> {
  const { connection } = target;
  const { pause: wanted } = FLEET.of(target)!;
  const rest = next === undefined ? "the clusters without a group" : `the group '${next}'`;
  if (wanted === "none" || signal?.aborted) return undefined;
  if (wanted !== "confirm") {
    const message = `Waits ${wanted.seconds} s after the group '${done}', before ${rest}`;
    onEvent?.({ type: "notice", connection, message });
    await pause(wanted.seconds * 1000, signal).catch(() => {});
    return undefined;
  }
  if (stdin.isTerminal && stderr.isTerminal) {
    stderr.write(`${connection}: the group '${done}' is up to date. Go on with ${rest}? [y/N] `);
    const line = await stdin.readLine(signal).catch(() => undefined);
    if (signal?.aborted || /^\s*y(es)?\s*$/i.test(line ?? "")) return undefined;
  }
  const message = `The group '${done}' is up to date: run again to go on with ${rest}`;
  const error = new UnconfirmedGroupError(message, connection);
  return { connection, results: [], stopped: false, requests: 0, error };
}
