import { ConnectionError, LockedError } from "../migrations/mod.ts";
import { type Documents, type Found, LOCKS, type Stored, type Write } from "./history.ts";
import type { DocumentVersion, SearchEnvironment } from "./types.ts";

/** A file that a run announced. */
export interface Announced {
  readonly id: string;
  readonly hash: string;
}

const LEASE_MS = 30_000;
const POLL_MS = 250;

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

  get held(): boolean {
    return this.#version !== undefined;
  }

  /** What a dead run announced and may not have recorded. */
  static interrupted(stored: Stored): readonly Announced[] {
    const { lock } = stored;
    if (!lock || lock.source.state !== "held" || isAlive(lock)) return [];
    return announcedIn(lock);
  }

  /**
   * Takes the lock.
   *
   * @param read reads lock and records again, after another run
   * @returns what was read last: `stored` itself when nobody ran in between
   * @throws {LockedError} when another run holds it for longer than the time to wait
   */
  async acquire(
    stored: Stored,
    pending: readonly Announced[],
    read: () => Promise<Stored>,
  ): Promise<Stored> {
    const deadline = Date.now() + this.#environment.lockTimeoutMs;
    let current = stored;
    for (;;) {
      const { lock } = current;
      if (!lock || lock.source.state !== "held" || !isAlive(lock)) {
        if (await this.#take(current, pending)) {
          if (lock?.source.state === "held") {
            this.#environment.onNotice(`Took over from ${ownerOf(lock)}, whose lock had expired`);
          }
          return current;
        }
      } else if (Date.now() >= deadline) {
        const seconds = this.#environment.lockTimeoutMs / 1000;
        const message = `Another run holds the lock of '${this.#connection}': ${ownerOf(lock)}, ` +
          `until ${lock.source.lease_expires_at}; gave up after ${seconds} s`;
        throw new LockedError(this.#connection, message, ownerOf(lock));
      } else {
        const pause = POLL_MS * (0.5 + Math.random());
        await new Promise((resolve) => setTimeout(resolve, pause));
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
    return this.#state("free");
  }

  released(): void {
    this.#version = undefined;
  }

  /** Gives the lock back; does nothing when it is not held. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#writes;
    if (this.#version === undefined) return;
    const [version] = await this.#documents.write([this.#state("free")]);
    this.#version = undefined;
    if (version === undefined) {
      this.#environment.onNotice("The lock had been taken by another run before it was given back");
    }
  }

  async #take({ lock }: Stored, pending: readonly Announced[]): Promise<boolean> {
    this.#pending = pending;
    const expected = lock ? lock.version : "none" as const;
    const expires = Date.now() + this.#leaseMs;
    const [version] = await this.#documents.write([{ ...this.#state("held"), expected }]);
    if (version === undefined) return false;
    this.#version = version;
    this.#expires = expires;
    this.#heartbeat = setInterval(() => this.#renew(), this.#leaseMs / 3);
    return true;
  }

  #renew(): void {
    this.#write(() => this.#state("held")).catch((error) => {
      // The run goes on while the lease lasts; then `ensureHeld` stops it.
      this.#environment.onNotice(`Cannot renew the lock: ${(error as Error).message}`);
    });
  }

  #write(state: () => Write): Promise<void> {
    const written = this.#writes.then(async () => {
      if (this.#version === undefined) return;
      const expires = Date.now() + this.#leaseMs;
      const [version] = await this.#documents.write([state()]);
      this.#version = version;
      if (version === undefined) throw this.#lost();
      this.#expires = expires;
    });
    this.#writes = written.catch(() => {});
    return written;
  }

  #state(state: "held" | "free"): Write {
    const source = {
      connection: this.#connection,
      state,
      owner: this.#environment.owner,
      run_id: this.#runId,
      lease_expires_at: new Date(Date.now() + (state === "held" ? this.#leaseMs : 0)).toISOString(),
      pending: state === "held" ? this.#pending : [],
    };
    const expected = this.#version;
    return { index: LOCKS, id: this.#connection, source, ...(expected && { expected }) };
  }

  #lost(): ConnectionError {
    const message = "The lock was lost to another run: stopped before the next request";
    return new ConnectionError(this.#connection, message);
  }
}

function isAlive({ source }: Found): boolean {
  return Date.parse(String(source.lease_expires_at)) > Date.now();
}

function ownerOf({ source }: Found): string {
  return String(source.owner);
}

function announcedIn({ source }: Found): readonly Announced[] {
  return Array.isArray(source.pending) ? source.pending as readonly Announced[] : [];
}
