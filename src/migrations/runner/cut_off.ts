import { type BegunAttempt, mayHaveRun, settledOf } from "./attempts.ts";
import { InterruptedError } from "./errors.ts";
import { hashesOf } from "./hash.ts";
import type { PlanNotice } from "./results.ts";
import type { Abandoned, Session } from "./moments.ts";
import type {
  Attempt,
  CutOffWork,
  Journal,
  JournalEntry,
  JournalState,
  MigrationFile,
} from "./types.ts";

type CutOffEntry = JournalEntry & {
  readonly attempt: BegunAttempt & Required<Pick<Attempt, "resume">>;
};

export function isCutOff(entry: JournalEntry): entry is CutOffEntry {
  return mayHaveRun(entry.attempt) && entry.attempt.resume !== undefined;
}

/**
 * Interrupted work of many steps, which is seen to before a run plans anything: such work may keep others waiting,
 * whatever the other files are like. It is continued when its file's turn comes.
 */
export class CutOffFiles {
  readonly #done = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly files: readonly MigrationFile[],
    private readonly onNotice: (notice: PlanNotice) => void,
    private readonly signal?: AbortSignal,
  ) {}

  /** Releases or abandons such work. @throws {LockedError | InterruptedError} if it is locked, or no feature can */
  async releaseAndRead(): Promise<JournalState> {
    const { journal } = this.session;
    const paths = this.files.map(({ path }) => path);
    const hashes = hashesOf(this.files);
    for (;;) {
      const state = await journal.read(paths, hashes);
      if (!this.isIn(state)) return state;
      await this.#seeTo(state);
    }
  }

  isIn({ entries }: JournalState): boolean {
    return [...entries.values()].some((entry) => isCutOff(entry) && !this.#done.has(keyOf(entry)));
  }

  async #seeTo(read: JournalState): Promise<void> {
    const { session, signal } = this;
    signal?.throwIfAborted();
    const cutOff = [...read.entries.values()].find(isCutOff);
    if (cutOff !== undefined && !session.features.fills("abandon")) {
      throw new InterruptedError(
        session.connection,
        cutOff.path,
        `'${cutOff.path}' was cut off in work of many steps, which no feature here continues: run the program that began it`,
      );
    }
    await whileLocked(session.journal, read, async (entries) => {
      for (const entry of entries.values()) {
        if (!isCutOff(entry) || this.#done.has(keyOf(entry))) continue;
        signal?.throwIfAborted();
        if (this.files.some(({ path }) => path === entry.path)) {
          const work = workOf(session, entry, signal);
          await session.features.each((one) => one.release?.(entry.attempt, work));
        } else {
          const abandoned = await abandon(session, entry, signal);
          if (abandoned) this.onNotice({ file: entry.path, message: abandoned.message });
        }
        this.#done.add(keyOf(entry));
      }
    }, signal);
  }
}

export async function abandon(
  session: Session,
  entry: CutOffEntry,
  signal?: AbortSignal,
): Promise<Abandoned | undefined> {
  const { features, journal } = session;
  const work = workOf(session, entry, signal);
  const abandoned = await features.first((one) => one.abandon?.(entry.attempt, work));
  if (abandoned) await journal.write([settledOf(entry, abandoned)]);
  return abandoned;
}

function workOf(
  { journal, offers }: Session,
  entry: CutOffEntry,
  signal: AbortSignal | undefined,
): CutOffWork {
  return {
    offers,
    file: entry.path,
    ensureHeld: () => journal.ensureHeld(),
    save: (resume) => journal.write([{ ...entry, attempt: { ...entry.attempt, resume } }]),
    signal,
  };
}

/** A run that goes on with it, and is cut off again, leaves something else. */
function keyOf({ path, attempt }: CutOffEntry): string {
  return JSON.stringify([path, attempt.owner]);
}

/** Does work under the lock, of which nothing is announced. What `check` throws is thrown before the lock is taken. */
export async function whileLocked<T>(
  journal: Journal,
  read: JournalState,
  work: (entries: JournalState["entries"]) => Promise<T>,
  signal?: AbortSignal,
  check: (entries: JournalState["entries"]) => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  let { entries } = read;
  await journal.lock(read, async (held) => {
    ({ entries } = held);
    await check(entries);
    return new Map();
  }, signal);
  const result = await work(entries).catch(async (error) => {
    await journal.unlock().catch(() => {}); // The first error matters.
    throw error;
  });
  await journal.unlock();
  return result;
}
