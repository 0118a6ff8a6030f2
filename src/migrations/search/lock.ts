import { ConnectionError, LockedError } from "../runner/mod.ts";
import { LOCKS } from "./_indices.ts";
import { sleep } from "./cluster.ts";
import type { Documents, Found, Stored, Write } from "./documents.ts";
import type { Announced, DocumentVersion, SearchEnvironment } from "./types.ts";

const LEASE_MS = 30_000;
/** First and longest pause between two looks at a lock that another run holds. */
const POLL_MS = { first: 100, longest: 1000 };

/**
 * The lock of one connection: a document that is taken by a conditional write, lasts for a lease and is renewed by a
 * heartbeat. Every run that writes changes it, so that a write that succeeds proves that nobody ran since it was read.
 */
export class Lock {
  readonly #documents: Documents;
  readonly #connection: string;
  readonly #environment: SearchEnvironment;
  readonly #leaseMs: number;
  readonly #runId = crypto.randomUUID();
  #pending: readonly Announced[] = [];
  #version: DocumentVersion | undefined;
  #expires = 0;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  /** Writes of the lock follow each other, each naming the version of the one before. */
  #writes: Promise<void> = Promise.resolve();

  constructor(documents: Documents, connection: string, environment: SearchEnvironment) {
    this.#documents = documents;
    this.#connection = connection;
    this.#environment = environment;
    this.#leaseMs = environment.leaseMs ?? LEASE_MS;
  }

  /**
   * Takes the lock.
   *
   * @param pending what to announce under it, given what is stored
   * @param read reads lock and records again, after another run
   * @returns what was read last: `stored` itself when nobody ran in between
   * @throws {LockedError} when another run holds it for longer than the time to wait
   */
  async acquire(
    stored: Stored,
    pending: (stored: Stored) => readonly Announced[],
    read: () => Promise<Stored>,
  ): Promise<Stored> {
    const deadline = Date.now() + this.#environment.lockTimeoutMs;
    let current = stored;
    for (;;) {
      const { lock } = current;
      if (!isHeld(lock)) {
        if (await this.#take(lock, pending(current))) {
          if (lock?.source.state === "held") {
            const owner = String(lock.source.owner);
            this.#environment.onNotice(`Took over from ${owner}, whose lock had expired`);
          }
          return current;
        }
        if (Date.now() >= deadline) throw this.#locked(lock);
      } else {
        await this.#wait(lock, deadline);
      }
      current = await read();
    }
  }

  /** @throws {ConnectionError} when the lease ran out or another run took the lock */
  ensureHeld(): void {
    if (this.#version === undefined || Date.now() >= this.#expires) throw this.#lost();
  }

  /** The write that gives the lock back, to go along with others; {@linkcode released} has to follow it. */
  async releasing(): Promise<Write> {
    clearInterval(this.#heartbeat);
    await this.#writes;
    this.ensureHeld();
    return this.#state("free", []);
  }

  /** Says that the write of {@linkcode releasing} has been sent. */
  released(): void {
    this.#version = undefined;
  }

  /** Gives the lock back; does nothing when it is not held. @param left what the next run has to know of */
  async release(left: readonly Announced[]): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#writes;
    if (this.#version === undefined) return;
    const [version] = await this.#documents.write([this.#state("free", left)]);
    this.#version = undefined;
    if (version === undefined && !this.#isOurs(await this.#documents.readLock())) {
      this.#environment.onNotice("Another run had taken the lock before it was given back");
    }
  }

  /** Lets the lease run out. */
  async abandon(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#writes;
  }

  /** Waits until the lock changes hands or its lease runs out. */
  async #wait(held: Found | undefined, deadline: number): Promise<void> {
    let lock = held;
    for (let pause = POLL_MS.first; isHeld(lock); pause = Math.min(pause * 2, POLL_MS.longest)) {
      if (Date.now() >= deadline) throw this.#locked(lock);
      await sleep(pause * (0.5 + Math.random()));
      lock = await this.#documents.readLock();
    }
  }

  async #take(lock: Found | undefined, pending: readonly Announced[]): Promise<boolean> {
    this.#pending = pending;
    const expires = Date.now() + this.#leaseMs;
    const expected = lock ? lock.version : "none" as const;
    const version = await this.#writeState({ ...this.#state("held", pending), expected });
    if (version === undefined) return false;
    this.#version = version;
    this.#expires = expires;
    this.#heartbeat = setInterval(() => this.#renew(), this.#leaseMs / 3);
    return true;
  }

  #renew(): void {
    const written = this.#writes.then(async () => {
      if (this.#version === undefined) return;
      const expires = Date.now() + this.#leaseMs;
      this.#version = await this.#writeState(this.#state("held", this.#pending));
      if (this.#version === undefined) throw this.#lost();
      this.#expires = expires;
    });
    // The run goes on while the lease lasts; then `ensureHeld` stops it.
    this.#writes = written.catch((error: Error) => {
      this.#environment.onNotice(`Cannot renew the lock: ${error.message}`);
    });
  }

  /** A write that was sent twice, its first answer lost, conflicts with itself. */
  async #writeState(write: Write): Promise<DocumentVersion | undefined> {
    const [version] = await this.#documents.write([write]);
    if (version !== undefined) return version;
    const lock = await this.#documents.readLock();
    return this.#isOurs(lock) ? lock?.version : undefined;
  }

  #isOurs(lock: Found | undefined): boolean {
    return lock?.source.run_id === this.#runId;
  }

  #state(state: "held" | "free", pending: readonly Announced[]): Write {
    const source = {
      connection: this.#connection,
      state,
      owner: this.#environment.owner,
      run_id: this.#runId,
      lease_expires_at: new Date(Date.now() + (state === "held" ? this.#leaseMs : 0)).toISOString(),
      pending,
    };
    const expected = this.#version;
    return { index: LOCKS, id: this.#connection, source, ...(expected && { expected }) };
  }

  #locked(lock: Found | undefined): LockedError {
    const owner = lock && String(lock.source.owner);
    const seconds = this.#environment.lockTimeoutMs / 1000;
    const message = `Another run holds the lock of '${this.#connection}': ${owner ?? "unknown"}, ` +
      `until ${lock?.source.lease_expires_at}; gave up after ${seconds} s`;
    return new LockedError(this.#connection, message, owner);
  }

  #lost(): ConnectionError {
    const message = "The lock was lost to another run: stopped before the next request";
    return new ConnectionError(this.#connection, message);
  }
}

/** Whether somebody holds it now. */
export function isHeld(lock: Found | undefined): boolean {
  return lock?.source.state === "held" &&
    Date.parse(String(lock.source.lease_expires_at)) > Date.now();
}

/** What the last run announced, or left for the next one to know; nothing while it goes on. */
export function announcedIn(lock: Found | undefined): readonly Announced[] {
  if (isHeld(lock)) return [];
  const pending = lock?.source.pending;
  return Array.isArray(pending) ? pending as readonly Announced[] : [];
}
