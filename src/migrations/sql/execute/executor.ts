import { errorOf } from "../../../text/mod.ts";
import {
  type Applied,
  type Attempt,
  ExecutionError,
  type Executor,
  type JournalEntry,
  type Preview,
  type Work,
} from "../../runner/mod.ts";
import { classifierOf } from "./classifier.ts";
import type { Datasource } from "../connect/datasource.ts";
import { engineOf } from "../engines/table.ts";
import { DatabaseError } from "../errors.ts";
import { type FailurePlace, fileFailure } from "../failure.ts";
import { isLockFailure, LockTries } from "./lock_tries.ts";
import { howFar, leftBehind } from "./progress.ts";
import { changeOf, TABLE } from "../journal/records.ts";
import type { Statement } from "../syntax/grammar.ts";
import type {
  Command,
  Database,
  Dialect,
  SqlEnvironment,
  SqlMigration,
  Transactions,
} from "../types.ts";

export async function sqlExecutor(
  database: Database,
  datasource: Datasource,
  environment: SqlEnvironment,
): Promise<Executor<SqlMigration>> {
  const dialect = await engineOf(datasource).dialect();
  return {
    ...await classifierOf(datasource, database),
    async execute(migration, work): Promise<Applied> {
      const transactions = database.transactions();
      const execution = new Execution(database, datasource, environment, dialect, migration, work);
      if (migration.transactional && transactions) await execution.runWhole(transactions);
      else await execution.runSteps();
      return {};
    },
    explain: (attempt, migration) => {
      const isSame = migration?.file.hash === attempt.hash;
      return howFar(attempt, isSame ? migration?.statements.length : undefined);
    },
    obstacle: (migration) => database.obstacle(migration),
    // Placeholders keep their names.
    preview: ({ script, statements }): Promise<Preview> => {
      const requests = statements.map(({ start, end }) => script.original(start, end));
      return Promise.resolve({ requests });
    },
  };
}

const CHANGED_RECORD =
  `the record of the file in the table '${TABLE}' is not as it was written: the file has changed its own ` +
  "record, or a policy or a trigger of that table keeps it as it is";

const NOTHING_APPLIED = ["Nothing of the file is applied"];

class Execution {
  readonly #tries: LockTries;
  #done = 0;
  #current = 0;

  constructor(
    private readonly database: Database,
    private readonly datasource: Datasource,
    private readonly environment: SqlEnvironment,
    private readonly dialect: Dialect,
    private readonly migration: SqlMigration,
    private readonly work: Work,
  ) {
    this.#tries = new LockTries(database, datasource, environment, dialect.grammar, migration);
  }

  /** The file and its record in one transaction; the record comes first, and fails where another run was there. */
  async runWhole(transactions: Transactions): Promise<void> {
    try {
      // All of it is taken back: it can be done again.
      await this.#tries.run(() => this.#runWholeOnce(transactions), this.work);
    } catch (error) {
      if (error instanceof ExecutionError) throw error;
      // Only what got no lock comes here, and who stops a run that tries again.
      if (!(error instanceof DatabaseError)) throw new ExecutionError(errorOf(error), "none");
      throw this.#failure(error, "none", NOTHING_APPLIED);
    }
  }

  async #runWholeOnce(transactions: Transactions): Promise<void> {
    const { migration, work: { entry, applied } } = this;
    const { owner } = this.environment;
    const { hash } = migration.file;
    const attempt: Attempt = { hash, state: "running", repeatSafe: false, owner };
    // If the file commits by itself, its record says no more than is so.
    const begun = { ...entry, attempt };
    let isCommitting = false;
    try {
      await transactions.run(migration, this.#change(entry, begun));
      isCommitting = true;
      await transactions.commit(() => this.#change(begun, applied({})));
    } catch (error) {
      await transactions.rollback();
      if (error instanceof DatabaseError && error.isLockFailure) throw error;
      const kind = error instanceof DatabaseError ? error.kind : undefined;
      if (kind === "ended transaction") throw this.#failure(error, "unknown", []); // It says so itself.
      if (isCommitting && kind === "lost") {
        throw this.#failure(error, "unknown", [
          "Whether it is applied is not known here: the next run reads it from the record",
        ]);
      }
      const isChanged = isCommitting && kind === "overtaken";
      const own = isChanged ? new DatabaseError("refused", CHANGED_RECORD) : error;
      throw this.#failure(own, "none", NOTHING_APPLIED);
    }
  }

  /** The file statement by statement; the journal says how many are applied, so that a run that is cut off leaves that. */
  async runSteps(): Promise<void> {
    const { steps } = this.database;
    try {
      await steps.begin(this.migration);
      await this.#runAll();
      await steps.end();
    } catch (error) {
      const isStopped = error === this.work.signal?.reason && this.#done === 0;
      // If a run is stopped between two tries, nothing of the first one must remain.
      const left = isStopped ? await steps.undo().catch((error) => error) : undefined;
      await steps.end();
      if (isStopped && left === undefined) throw new ExecutionError(errorOf(error), "none");
      const failure = this.#stepFailure(left ?? error);
      const { signal } = this.work;
      if (!signal?.aborted || !isLockFailure(left ?? error)) throw failure;
      // The run ends as stopped; a notice names what the file has left, and the next run asks about it.
      this.#tries.notify(failure.message);
      throw new ExecutionError(errorOf(signal.reason), failure.effect, failure);
    }
  }

  async #runAll(): Promise<void> {
    const { statements } = this.migration;
    let leftOpen = false;
    for (const [index, statement] of statements.entries()) {
      this.#current = index;
      leftOpen = await this.#runStep(statement, leftOpen || !this.dialect.isAtomic(statement));
      if (leftOpen) continue; // It counts when the file commits.
      this.#done = index + 1;
      if (this.#done < statements.length) await this.work.progress({ statements: this.#done });
    }
    if (!leftOpen) return;
    throw new DatabaseError(
      "refused",
      "the file starts a transaction and leaves it open: end it with COMMIT",
    );
  }

  async #runStep(statement: Statement, isOnce: boolean): Promise<boolean> {
    const work = async () => (await this.database.steps.run(statement)).open;
    if (this.migration.lockTimeoutMs === undefined) return await this.#tries.watch(work);
    if (isOnce) return await this.#tries.run(work, { most: 1 });
    // A file of which something is done goes on to its end.
    return await this.#tries.run(work, this.#done === 0 ? this.work : {});
  }

  #stepFailure(error: unknown): ExecutionError {
    const { file: { path }, statements } = this.migration;
    const [done, total] = [this.#done, statements.length];
    const failing = statements[this.#current];
    const at = { statement: this.#current, base: failing?.start ?? 0 };
    const kind = error instanceof DatabaseError ? error.kind : undefined;
    if (kind === "lost") {
      const known = howFar({ state: "running", statements: done }, total);
      const outcome = [`${known.charAt(0).toUpperCase()}${known.slice(1)}`];
      return this.#failure(error, "unknown", outcome, { ...at, known, statements: done });
    }
    const mayBePartial = kind === "refused" && failing !== undefined &&
      ((error as DatabaseError).isPartial || !this.dialect.isAtomic(failing));
    if (done === 0 && !mayBePartial) return this.#failure(error, "none", NOTHING_APPLIED, at);
    const known = howFar({ state: "partial", statements: done }, total);
    const outcome = [
      leftBehind(done, total),
      "Finish or undo it by hand, resolve the file, and run again:",
      `  resolve ${path} --applied   all of it is applied now`,
      `  resolve ${path} --retry     none of it is, or it may run again: the next run starts with its first statement`,
    ];
    return this.#failure(error, "partial", outcome, { ...at, known, statements: done });
  }

  #failure(
    error: unknown,
    effect: ExecutionError["effect"],
    outcome: readonly string[],
    about: Omit<FailurePlace, "outcome"> & Pick<ExecutionError, "known" | "statements"> = {},
  ): ExecutionError {
    const place = { ...about, outcome };
    return new ExecutionError(
      fileFailure(this.datasource.name, this.migration, this.#tries.withHolders(error), place),
      effect,
      about,
    );
  }

  #change(before: JournalEntry, after: JournalEntry): Command {
    const { table } = this.database;
    const connection = this.datasource.recordedAs ?? this.datasource.name;
    const command = changeOf({ table, connection }, before, after);
    if (command === undefined) throw new Error(`There is nothing to record for '${after.path}'`);
    return command;
  }
}
