import { jittered, pause } from "../runner/mod.ts";
import { type Datasource, LOCK_TIMEOUT_MS } from "./datasource.ts";
import { brief } from "./dialects/_brief.ts";
import { DatabaseError } from "./errors.ts";
import { redactor } from "./secret.ts";
import type { Grammar } from "./syntax/grammar.ts";
import { withoutValues } from "./syntax/without_values.ts";
import type { Database, LockingSession, LockWait, SqlEnvironment, SqlMigration } from "./types.ts";

/** How often something is done that gets no lock. */
const TRIES = 4;
/** The longest pause between two tries, in milliseconds. */
const LONGEST_PAUSE_MS = 10_000;
/** When a second try is first asked what it waits for, in milliseconds: the file may have set a limit of its own. */
const FIRST_LOOK_MS = 100;
/** The longest time between two looks, in milliseconds. */
const LONGEST_LOOK_MS = 60_000;
/** How many sessions are named. */
const NAMED = 3;
/** The most that is shown of their statements. */
const WIDTH = 200;

/**
 * Does again what got no lock. Between two tries is about as much time as each may wait, so that others, who queue up
 * behind a statement that waits, get through. While a try lasts longer than half of that, the database is asked what it
 * waits for: afterwards nobody knows.
 */
export class LockTries {
  readonly #database: Database;
  readonly #environment: SqlEnvironment;
  readonly #path: string;
  readonly #limitMs: number;
  readonly #describe: (session: LockingSession) => string;
  #seen: LockWait | undefined;

  constructor(
    database: Database,
    datasource: Datasource,
    environment: SqlEnvironment,
    grammar: Grammar,
    { file: { path }, lockTimeoutMs }: SqlMigration,
  ) {
    this.#database = database;
    this.#environment = environment;
    this.#path = path;
    this.#limitMs = lockTimeoutMs ?? datasource.migrations.lockTimeoutMs ?? LOCK_TIMEOUT_MS;
    const redact = redactor(datasource);
    this.#describe = (session) =>
      describe(session, (query) => {
        return brief(redact(withoutValues(query, grammar)), WIDTH);
      });
  }

  /**
   * @param work one try, which can be done again where it fails
   * @param options its signal ends the pauses, its reason is thrown; tries at most
   * @throws {DatabaseError} of the last try, with who holds the lock as far as that is known
   */
  async run<T>(
    work: () => Promise<T>,
    { signal, most = TRIES }: { readonly signal?: AbortSignal; readonly most?: number } = {},
  ): Promise<T> {
    for (let tries = 1;; tries++) {
      try {
        return await this.#watching(work, tries === 1);
      } catch (error) {
        if (!isLockFailure(error)) throw error;
        if (tries === most) throw this.#givenUp(error, most);
        signal?.throwIfAborted();
        const pauseMs = jittered(Math.min(this.#limitMs, LONGEST_PAUSE_MS));
        const seconds = Number((pauseMs / 1000).toPrecision(2));
        const what = [error.message, ...this.#held()].join("; ");
        const next = `Got no lock, and tries again in ${seconds} s, ${tries + 1} of ${most}`;
        this.#environment.onNotice(`${next}: ${what}`, this.#path);
        await pause(pauseMs, signal);
      }
    }
  }

  /** Looks what is waited for: at least once in each wait that lasts too long. */
  async #watching<T>(work: () => Promise<T>, isFirst: boolean): Promise<T> {
    this.#seen = undefined;
    if (this.#database.lockWait === undefined) return await work();
    const half = Math.min(this.#limitMs / 2, LONGEST_LOOK_MS);
    let looking: Promise<void> | undefined;
    const look = async () => {
      const found = await this.#database.lockWait?.().catch(() => undefined);
      if (found !== undefined) this.#seen = found;
    };
    const lookIn = (milliseconds: number): ReturnType<typeof setTimeout> =>
      setTimeout(() => {
        looking = look().finally(() => {
          if (!isOver) timer = lookIn(half);
        });
      }, milliseconds);
    let isOver = false;
    let timer = lookIn(isFirst ? half : Math.min(half, FIRST_LOOK_MS));
    try {
      return await work();
    } finally {
      isOver = true;
      clearTimeout(timer);
      await looking;
    }
  }

  #givenUp(error: DatabaseError, tries: number): DatabaseError {
    const message = tries === 1
      ? error.message
      : `It got no lock in ${tries} tries: ${error.message}`;
    const held = this.#held();
    const hints = [...held.length === 0 ? ["Who holds it was not seen"] : held, ...error.hints];
    return new DatabaseError(error.kind, message, { ...error, hints });
  }

  #held(): readonly string[] {
    const seen = this.#seen;
    if (seen === undefined) return [];
    const { lock, holders, isCertain } = seen;
    const waited = lock === undefined ? [] : [`It waited for ${lock}`];
    const named = (sessions: readonly LockingSession[]) =>
      [
        ...sessions.slice(0, NAMED).map(this.#describe),
        ...sessions.length > NAMED ? [`${sessions.length - NAMED} more`] : [],
      ].join("; and by ");
    const who = isCertain ? "Held by" : "Held by one that this user cannot see, or by";
    const holding = holders.filter(({ isQueued }) => !isQueued);
    const queued = holders.filter(({ isQueued }) => isQueued);
    return [
      ...waited,
      ...holding.length === 0 ? [] : [`${who} ${named(holding)}`],
      ...queued.length === 0 ? [] : [`Waited for before it by ${named(queued)}`],
    ];
  }
}

function isLockFailure(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.kind === "refused" && error.isLockFailure;
}

function describe(
  { name, user, application, state, seconds, since, query }: LockingSession,
  shorten: (query: string) => string,
): string {
  const facts = [
    ...user === undefined ? [] : [`user '${user}'`],
    ...application === undefined ? [] : [`'${application}'`],
    ...state === undefined ? [] : [state],
    ...seconds === undefined ? [] : [`its transaction open for ${seconds} s, since ${since}`],
  ];
  const shown = query === undefined ? "" : shorten(query);
  return `${name}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}` +
    (shown === "" ? "" : `: '${shown}'`);
}
