import {
  ConnectionError,
  type DocumentVersion,
  HistoryError,
  jittered,
  LockedError,
  pause,
  readTime,
} from "../../runner/mod.ts";
import type { Documents, Found } from "./documents.ts";
import { LOCKS, RECORDS, sampleOf } from "./own_indices.ts";
import type { Write } from "./writes.ts";
import type { Announced } from "./records.ts";
import type { SearchEnvironment } from "../types.ts";

const LEASE_MS = 30_000;
/** Added to the lease before a run stops waiting for its end. */
const MARGIN_MS = 5_000;
/** More than clocks differ: a lease that ended so long ago has no holder. */
const LONG_OVER_MS = 600_000;
const POLL_MS = { first: 100, longest: 1000 };

/**
 * The lock of one connection: a document that a run takes by a conditional write, for the time of a lease, and renews by a
 * heartbeat. Every run that writes changes it, so a successful write proves that no run wrote since it was read. Runs do
 * not compare clocks: a lease is over when the document has not changed for its duration on the observer's clock.
 */
export class Lease {
  readonly leaseMs: number;
  readonly #runId = crypto.randomUUID();
  #pending: readonly Announced[] = [];
  #version: DocumentVersion | undefined;
  /** Whether it is released: work of a failed run that still saves its state must not take it again. */
  #isOver = false;
  #expires = 0;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  /** Writes of the lock are sequential, because each names the version before. */
  #writes: Promise<void> = Promise.resolve();

  constructor(
    private readonly documents: Documents,
    private readonly connection: string,
    readonly environment: SearchEnvironment,
  ) {
    this.leaseMs = environment.leaseMs ?? LEASE_MS;
  }

  /** Returns `false` when another run wrote the lock since it was read. */
  async take(found: Found | undefined, pending: readonly Announced[]): Promise<boolean> {
    this.#pending = pending;
    const expires = performance.now() + this.leaseMs;
    const lock = { ...this.#state("held", pending), expected: found?.version ?? "none" as const };
    const probes = [RECORDS, LOCKS].map((index): Write => {
      return { index, id: `probe-${this.#runId}`, source: sampleOf(index), isProbe: true };
    });
    const version = await this.#write(lock, ...probes)
      .catch(async (error) => {
        // Otherwise the next run would wait for the end of the lease.
        if (isRefusal(error)) await this.#giveBack(found).catch(() => {});
        throw error;
      });
    if (version === undefined) return false;
    this.#isOver = false;
    this.#version = version;
    this.#expires = expires;
    this.#heartbeat = setInterval(() => {
      // The run continues while the lease lasts; then `ensureHeld` stops it.
      this.#renew().catch((error: Error) => {
        this.environment.onNotice(`Cannot renew the lock: ${error.message}`);
      });
    }, this.leaseMs / 3);
    return true;
  }

  ensureHeld(): void {
    if (this.#version === undefined || performance.now() >= this.#expires) throw this.#lost();
  }

  async announce(pending: readonly Announced[]): Promise<void> {
    this.#pending = pending;
    await this.#renew();
  }

  /** The write that releases the lock, to be sent with others; {@linkcode released} has to follow it. */
  async releasing(pending: readonly Announced[]): Promise<Write> {
    await this.abandon();
    this.ensureHeld();
    this.#pending = pending;
    return this.#state("free", pending);
  }

  /** @throws {LockedError} when another run had taken the lock before the write of {@linkcode releasing} */
  async released(version: DocumentVersion | undefined): Promise<void> {
    this.#version = undefined;
    if (version !== undefined) return;
    const lock = await this.documents.readLock();
    if (!this.#isOurs(lock)) throw this.#lost();
    if (!isHeld(lock)) return;
    // A heartbeat whose answer was lost came before it.
    const [again] = await this.documents.write([
      { ...this.#state("free", this.#pending), expected: lock.version },
    ]);
    if (again === undefined) throw this.#lost();
  }

  async release(pending: readonly Announced[]): Promise<void> {
    await this.abandon();
    if (this.#version === undefined) return;
    this.#pending = pending;
    const [version] = await this.documents.write([this.#state("free", pending)]);
    await this.released(version);
  }

  async abandon(): Promise<void> {
    // Deno loads Node's timers for `clearInterval`.
    if (this.#heartbeat !== undefined) clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    this.#isOver = true;
    await this.#writes;
  }

  #renew(): Promise<void> {
    const renewed = this.#writes.then(async () => {
      if (this.#version === undefined || this.#isOver) throw this.#lost();
      const expires = performance.now() + this.leaseMs;
      this.#version = await this.#write(this.#state("held", this.#pending));
      if (this.#version === undefined) throw this.#lost();
      this.#expires = expires;
    });
    this.#writes = renewed.catch(() => {});
    return renewed;
  }

  /** A repeated write conflicts with itself; without an answer the lock shows whether it was written. */
  async #write(...writes: readonly [Write, ...Write[]]): Promise<DocumentVersion | undefined> {
    const [write] = writes;
    let failure: unknown;
    const [version] = await this.documents.write(writes).catch((error) => {
      if (isRefusal(error)) throw error;
      failure = error;
      return [];
    });
    if (version !== undefined) return version;
    const lock = await this.documents.readLock().catch((error) => {
      throw failure ?? error;
    });
    const isWritten = this.#isOurs(lock) && !isSameVersion(lock?.version, write.expected);
    if (failure !== undefined && !isWritten) throw failure;
    return isWritten ? lock?.version : undefined;
  }

  async #giveBack(found: Found | undefined): Promise<void> {
    const lock = await this.documents.readLock();
    const { run_id: runId = this.#runId } = lock?.source ?? {};
    if (lock === undefined || runId !== this.#runId) return;
    const { source } = found ?? this.#state("free", []);
    await this.documents.write([{ ...this.#state("free", []), source, expected: lock.version }]);
  }

  #isOurs(lock: Found | undefined): boolean {
    return lock?.source.run_id === this.#runId;
  }

  #state(state: "held" | "free", pending: readonly Announced[]): Write {
    const source = {
      connection: this.connection,
      state,
      owner: this.environment.owner,
      run_id: this.#runId,
      lease_expires_at: new Date(Date.now() + (state === "held" ? this.leaseMs : 0)).toISOString(),
      pending,
    };
    const expected = this.#version;
    return { index: LOCKS, id: this.connection, source, ...(expected && { expected }) };
  }

  locked(lock: Found | undefined, waitedMs: number): LockedError {
    const owner = lock && String(lock.source.owner);
    const what = lock === undefined
      ? `Cannot write the lock of '${this.connection}', which no run holds`
      : `Another run holds the lock of '${this.connection}': ${owner}, ` +
        `until ${lock.source.lease_expires_at}`;
    const message = `${what}; gave up after ${Math.round(waitedMs / 1000)} s`;
    return new LockedError(this.documents.cluster.name, message, owner);
  }

  #lost(): LockedError {
    const message = "The lock was lost to another run: stopped before the next request";
    return new LockedError(this.documents.cluster.name, message);
  }
}

export class LeaseWatch {
  readonly #started = performance.now();
  #seen: DocumentVersion | undefined;
  #since = performance.now();
  #isAlive = false;
  #pauseMs = POLL_MS.first;
  #told = false;
  #races = 0;

  constructor(private readonly lease: Lease, private readonly signal?: AbortSignal) {}

  sees(lock: Found | undefined): boolean {
    if (!isHeld(lock) || isLongOver(lock)) return false;
    const { version } = lock;
    if (isSameVersion(version, this.#seen)) {
      return performance.now() - this.#since < this.lease.leaseMs;
    }
    if (this.#seen !== undefined) this.#isAlive = true;
    this.#seen = version;
    this.#since = performance.now();
    return true;
  }

  async wait(lock: Found | undefined): Promise<void> {
    const waited = performance.now() - this.#started;
    const { lockTimeoutMs } = this.lease.environment;
    const patienceMs = this.#isAlive
      ? lockTimeoutMs
      : Math.max(lockTimeoutMs, this.lease.leaseMs + MARGIN_MS);
    if (waited >= patienceMs) throw this.lease.locked(lock, waited);
    this.#tell(lock, patienceMs);
    await pause(Math.min(jittered(this.#pauseMs), this.lease.leaseMs / 4), this.signal);
    this.#pauseMs = Math.min(this.#pauseMs * 2, POLL_MS.longest);
  }

  /** After a write that conflicted: usually another run has the lock then. */
  async overtaken(lock: Found | undefined): Promise<void> {
    const waited = performance.now() - this.#started;
    // The next read shows who has it; only where it never does, nothing else ends the wait.
    const patienceMs = this.lease.environment.lockTimeoutMs +
      (lock === undefined ? 0 : this.lease.leaseMs + MARGIN_MS);
    if (++this.#races > 1 && waited >= patienceMs) throw this.lease.locked(lock, waited);
    await pause(jittered(this.#pauseMs), this.signal);
  }

  #tell(lock: Found | undefined, patienceMs: number): void {
    if (this.#told) return;
    this.#told = true;
    const seconds = Math.round(patienceMs / 1000);
    const { lockTimeoutMs, onNotice } = this.lease.environment;
    const longer = patienceMs > lockTimeoutMs
      ? `, longer than the configured ${lockTimeoutMs / 1000} s: only then is it certain ` +
        "whether that run has died"
      : "";
    onNotice(`Waiting up to ${seconds} s for ${lock?.source.owner}, which holds the lock${longer}`);
  }
}

/** Whether the cluster answered, so that the lock need not be read to know what happened. */
function isRefusal(error: unknown): boolean {
  return error instanceof HistoryError || (error instanceof ConnectionError && error.refused);
}

function isSameVersion(a: DocumentVersion | undefined, b: Write["expected"]): boolean {
  return a !== undefined && b !== undefined && b !== "none" && a.seqNo === b.seqNo &&
    a.primaryTerm === b.primaryTerm;
}

/** Whether a run holds the lock, or died with it. */
export function isHeld(lock: Found | undefined): lock is Found {
  return lock?.source.state === "held";
}

/** Whether its holder has died, even if clocks differ. */
export function isLongOver({ source }: Found): boolean {
  return Date.now() - readTime(source.lease_expires_at).getTime() > LONG_OVER_MS;
}

/** Whether the lease is over by the clocks, which may be wrong. */
export function isStale({ source }: Found): boolean {
  return readTime(source.lease_expires_at).getTime() < Date.now();
}
