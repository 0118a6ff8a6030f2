import { errorOf, oneLine } from "../text/mod.ts";
import { current, transactional, type TransactionManager } from "../transactions/mod.ts";
import { parsedPayload, PayloadError } from "./_payload.ts";
import type { JobMeters } from "./_meters.ts";
import type { JobHandler, JobRun } from "./types.ts";

/** What one run is made of. */
export interface Attempt {
  readonly handler: JobHandler;
  readonly payload: unknown;
  readonly run: JobRun;
  /** Whether it does not run again when it fails. */
  readonly isLast: boolean;
  /** Runs first in the transaction. @returns whether the method has to run */
  claim?(connection: unknown): Promise<boolean>;
}

/** Runs a method in a transaction, and counts what came of it. @returns why it failed */
export async function attempt(
  { handler, payload, run, isLast, claim }: Attempt,
  manager: TransactionManager | undefined,
  meters: JobMeters,
): Promise<string | undefined> {
  const { name, timeout } = handler;
  const started = performance.now();
  let hasRun = false;
  try {
    const parsed = await parsedPayload(handler, payload);
    const work = async () => {
      hasRun = true;
      await handler.call(parsed, run);
      run.signal.throwIfAborted(); // It runs again, or has in another replica.
    };
    if (manager === undefined) await work();
    else {
      await transactional({ manager, timeout }, async () => {
        if (await claim?.(current(manager)) !== false) await work();
      });
    }
    if (hasRun) meters.completed(name, performance.now() - started);
    return undefined;
  } catch (thrown) {
    const error = errorOf(thrown);
    const reason = error instanceof PayloadError ? "payload" : "error";
    meters.failed(name, performance.now() - started, reason, isLast);
    const outcome = isLast ? " for good" : "";
    console.error(
      `The job '${name}' (${run.id}, attempt ${run.attempt}) has failed${outcome}`,
      error,
    );
    return oneLine(`${error.name}: ${error.message}`, MOST_TEXT);
  }
}

const MOST_TEXT = 1000;
