import { errorOf, oneLine, printable } from "../../text/mod.ts";
import { current, transactional, type TransactionManager } from "../transactions/mod.ts";
import { parsedPayload, PayloadError } from "./_payload.ts";
import type { JobMeters } from "./_meters.ts";
import type { JobHandler, JobRun } from "./types.ts";

export interface Attempt {
  readonly handler: JobHandler;
  readonly payload: unknown;
  readonly run: JobRun;
  /** Whether it does not run again when it fails. */
  readonly isLast: boolean;
  readonly claim?: Claim;
}

export interface Claim {
  /** Statements that begin the transaction, or fail. */
  readonly first?: string;
  /** Runs first in the transaction, unless `first` has. */
  run?(connection: unknown): Promise<void>;
  failureOf(error: unknown, hasRun: boolean): unknown;
}

/** Of a {@linkcode Claim}: another attempt has committed. */
export const DONE_BEFORE: unique symbol = Symbol("done before");

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
      const propagation = claim && "requires-new";
      await transactional({ manager, timeout, propagation, first: claim?.first }, async () => {
        await claim?.run?.(current(manager));
        await work();
      });
    }
    meters.completed(name, performance.now() - started);
    return undefined;
  } catch (thrown) {
    const failure = claim === undefined ? thrown : claim.failureOf(thrown, hasRun);
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
