import { jittered, pause, withWaitNotice, type Work } from "../../runner/mod.ts";
import { oneLine } from "../../../text/mod.ts";
import { type Datasource, LOCK_TIMEOUT_MS } from "../connect/datasource.ts";
import { withoutValues } from "../syntax/without_values.ts";
import { DatabaseError, withDetails } from "../errors.ts";
import { redactor } from "../connect/secret.ts";
import type { Grammar } from "../syntax/grammar.ts";
import type { Database, LockingSession, LockWait, SqlEnvironment, SqlMigration } from "../types.ts";

const TRIES = 4;
const LONGEST_PAUSE_MS = 10_000;
/** When a try is first asked what it waits for, in milliseconds: `statement_timeout` may end it before its own limit. */
const EARLY_LOOK_MS = 1000;
/** When a second try is first asked what it waits for, in milliseconds: the file may have set a limit of its own. */
const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 60_000;
const NAMED = 3;
const WIDTH = 200;

/**
 * Retries work that got no lock. The pause between two attempts is about as long as each may wait, so that sessions which
 * queue up behind a waiting statement get through. During an attempt the database is asked what it waits for, because the
 * error does not say it.
 */
export class LockTries {
  readonly #path: string;
  readonly #limitMs: number;
  readonly #lookMs: number;
  readonly #shorten: (query: string) => string;
  #seen: LockWait | undefined;

  constructor(
    private readonly database: Database,
    datasource: Datasource,
    private readonly environment: SqlEnvironment,
    grammar: Grammar,
    { file: { path }, lockTimeoutMs }: SqlMigration,
  ) {
    this.#path = path;
    this.#limitMs = lockTimeoutMs ?? datasource.migrations.lockTimeoutMs ?? LOCK_TIMEOUT_MS;
    const shortest = Math.min(this.#limitMs, datasource.statementTimeoutMs || Infinity);
    this.#lookMs = Math.min(shortest / 2, LONGEST_LOOK_MS);
    const redact = redactor(datasource);
    this.#shorten = (query) => oneLine(redact(withoutValues(query, grammar)), WIDTH);
  }

  /** @throws {DatabaseError} of the last try, with who holds the lock as far as that is known */
  async run<T>(
    work: () => Promise<T>,
    { signal, most = TRIES }: Pick<Work, "signal"> & { readonly most?: number } = {},
  ): Promise<T> {
    for (let tries = 1;; tries++) {
      try {
        const firstMs = Math.min(this.#lookMs, tries === 1 ? EARLY_LOOK_MS : FIRST_LOOK_MS);
        return await this.#watching(work, firstMs, this.#lookMs);
      } catch (error) {
        if (!isLockFailure(error)) throw error;
        signal?.throwIfAborted();
        if (tries === most) throw this.#givenUp(error, most);
        const pauseMs = jittered(Math.min(this.#limitMs, LONGEST_PAUSE_MS));
        const seconds = Number((pauseMs / 1000).toPrecision(2));
        const next = "The file got no lock; " +
          `attempt ${tries + 1} of ${most} follows in ${seconds} s`;
        this.notify(`${next}: ${[error.message, ...this.#held()].join("; ")}`);
        await pause(pauseMs, signal);
      }
    }
  }

  /** Runs once what has no lock limit of its own, and reports what it waits for. @throws what it throws */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    const { noticeMs } = this.environment;
    return await this.#watching(work, noticeMs, noticeMs, ({ lock = "a lock" }) => {
      this.notify([`Waiting for ${lock}`, ...this.#holders()].join("; "));
      return true;
    });
  }

  /** Asks the database what `work` waits for: with half of the limit as interval, at least once in each wait that fails. */
  async #watching<T>(
    work: () => Promise<T>,
    firstMs?: number,
    nextMs?: number,
    onSeen: (wait: LockWait) => boolean = () => false,
  ): Promise<T> {
    this.#seen = undefined;
    const look = async () => {
      const found = await this.database.lockWait().catch(() => undefined);
      if (found === undefined) return false;
      this.#seen = found;
      return onSeen(found);
    };
    return await withWaitNotice(work, look, firstMs, nextMs);
  }

  notify(message: string): void {
    this.environment.onNotice(message, this.#path);
  }

  /** Names who was waited for where `statement_timeout` was over before the limit of locks. */
  withHolders(error: unknown): unknown {
    if (!(error instanceof DatabaseError) || error.code !== QUERY_CANCELED) return error;
    return withDetails(error, { hints: [...this.#held(), ...error.hints] });
  }

  #givenUp(error: DatabaseError, tries: number): DatabaseError {
    const tried = tries === 1 ? "" : `The statement got no lock in ${tries} attempts: `;
    const held = this.#held();
    const known = held.length === 0 ? ["The session that holds the lock is not known"] : held;
    const hints = [...known, ...error.hints];
    return new DatabaseError(error.kind, tried + error.message, { ...error, hints });
  }

  #held(): readonly string[] {
    const { lock } = this.#seen ?? {};
    return [...lock === undefined ? [] : [`The statement waited for ${lock}`], ...this.#holders()];
  }

  #holders(): readonly string[] {
    if (this.#seen === undefined) return [];
    const { holders, isCertain } = this.#seen;
    const named = (sessions: readonly LockingSession[]) =>
      [
        ...sessions.slice(0, NAMED).map((session) => this.#describe(session)),
        ...sessions.length > NAMED ? [`${sessions.length - NAMED} more`] : [],
      ].join("; and by ");
    const by = isCertain ? "Held by" : "Held by a session that this user cannot see, or by";
    const holding = holders.filter(({ isQueued }) => !isQueued);
    const queued = holders.filter(({ isQueued }) => isQueued);
    return [
      ...holding.length === 0 ? [] : [`${by} ${named(holding)}`],
      ...queued.length === 0 ? [] : [`Waited for before it by ${named(queued)}`],
    ];
  }

  #describe({ name, user, application, state, seconds, since, query }: LockingSession): string {
    const facts = [
      ...user === undefined ? [] : [`user '${user}'`],
      ...application === undefined ? [] : [`'${application}'`],
      ...state === undefined ? [] : [state],
      ...seconds === undefined ? [] : [`its transaction open for ${seconds} s, since ${since}`],
    ];
    const shown = query === undefined ? "" : this.#shorten(query);
    return `${name}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}` +
      (shown === "" ? "" : `: '${shown}'`);
  }
}

/** PostgreSQL's code for a statement that a timeout or another session has ended. */
const QUERY_CANCELED = "57014";

export function isLockFailure(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.kind === "refused" && error.isLockFailure;
}
