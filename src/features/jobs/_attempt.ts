import { errorOf, oneLine, printable } from "../../text/mod.ts";
import { parsedPayload, PayloadError } from "./_payload.ts";
import type { JobMeters } from "./_meters.ts";
import type { JobHandler, JobRun } from "./types.ts";

/** Thrown where another attempt has committed. */
export const DONE_BEFORE: unique symbol = Symbol("done before");

/**
 * @param isLast whether it does not run again when it fails
 * @param around runs the work in a transaction, if there is a database
 * @returns why it has failed
 */
export async function attempt(
  handler: JobHandler,
  payload: unknown,
  run: JobRun,
  isLast: boolean,
  around: (work: () => Promise<void>) => Promise<void>,
  meters: JobMeters,
): Promise<string | undefined> {
  const { name } = handler;
  const started = performance.now();
  try {
    const parsed = await parsedPayload(handler, payload);
    await around(async () => {
      await handler.call(parsed, run);
      run.signal.throwIfAborted(); // It runs again, or has in another replica.
    });
    meters.completed(name, performance.now() - started);
    return undefined;
  } catch (failure) {
    if (failure === DONE_BEFORE) return undefined;
    const error = errorOf(failure);
    const reason = error instanceof PayloadError ? "payload" : "error";
    meters.failed(name, performance.now() - started, reason, isLast);
    const outcome = isLast ? " for good" : "";
    console.error(
      `The job '${name}' (${run.id}, attempt ${run.attempt}) has failed${outcome}:`,
      error,
    );
    // JSON of PostgreSQL has no U+0000 and no halves of surrogate pairs.
    return printable(oneLine(`${error.name}: ${error.message}`, MOST_TEXT)).toWellFormed();
  }
}

const MOST_TEXT = 1000;
