import {
  type Applied,
  type ApplyOptions,
  type History,
  InterruptedError,
  MigrationFailedError,
  type Preview,
  type Session,
} from "../runner/mod.ts";
import { appliedRow, type ApplyContext } from "./apply_context.ts";
import { applySteps } from "./apply_steps.ts";
import { applyWhole } from "./apply_whole.ts";
import type { Datasource } from "./datasource.ts";
import { DatabaseError } from "./errors.ts";
import { connectionFailure } from "./failure.ts";
import {
  createTable,
  deleteRow,
  interruptionOf,
  type Row,
  type Rows,
  saveRow,
  selectAll,
  selectRow,
  TABLE,
  toHistory,
  toRecord,
  toRows,
  upgradeTable,
} from "./history.ts";
import type { Database, Dialect, SqlEnvironment, SqlMigration, SqlRecord } from "./types.ts";

/** One run on one database. */
export class SqlSession implements Session<SqlMigration> {
  readonly #connection: string;
  readonly #context: ApplyContext;
  #rows: Rows = { form: "missing", columns: [], byPath: new Map() };
  #holdsLock = false;
  /** Whether another run was at work when the table was read: its unfinished files are no concern of ours. */
  #othersAtWork = false;
  #toldOfOlderTable = false;

  private constructor(
    private readonly dialect: Dialect,
    private readonly database: Database,
    { name }: Datasource,
    private readonly environment: SqlEnvironment,
  ) {
    this.#connection = name;
    this.#context = {
      connection: name,
      database,
      owner: environment.owner,
      clock: environment.clock ?? (() => new Date()),
      isAtomic: (statement) => dialect.isAtomic(statement),
    };
  }

  /** Connects. @throws {ConnectionError} */
  static async open(
    dialect: Dialect,
    datasource: Datasource,
    environment: SqlEnvironment,
  ): Promise<SqlSession> {
    try {
      const database = await dialect.open(datasource, environment);
      return new SqlSession(dialect, database, datasource, environment);
    } catch (error) {
      throw connectionFailure(datasource.name, error);
    }
  }

  get requests(): number {
    return this.database.requests;
  }

  async read(migrations: readonly SqlMigration[]): Promise<History> {
    return await this.#telling(async () => {
      await this.#load();
      this.#othersAtWork = await this.#isSomebodyAtWork();
      return this.#history(migrations);
    });
  }

  async lock(migrations: readonly SqlMigration[], history: History): Promise<History> {
    return await this.#telling(async () => {
      const isOnce = this.dialect.lockScope === "run";
      if (isOnce || this.#othersAtWork) {
        await this.#lock();
        await this.#load();
      }
      if (!isOnce) await this.#unlock();
      await this.#prepareTable(migrations);
      const isUnread = !isOnce && !this.#othersAtWork;
      this.#othersAtWork = false;
      return isUnread ? history : this.#history(migrations);
    });
  }

  async apply(migration: SqlMigration, options: ApplyOptions): Promise<Applied> {
    const { path } = migration.file;
    const { transactions } = this.database;
    const row = migration.transactional && transactions
      ? await applyWhole(
        this.#context,
        transactions,
        migration,
        () => this.#current(migration, options),
      )
      : await this.#applySteps(migration, options);
    if (row === undefined) return { outcome: "skipped", note: "another run has applied it" };
    this.#rows.byPath.set(path, row);
    return { outcome: "applied" };
  }

  async unlock(): Promise<void> {
    await this.#telling(() => this.#unlock());
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  async all(): Promise<ReadonlyMap<string, SqlRecord>> {
    return await this.#telling(async () => {
      await this.#load();
      return new Map([...this.#rows.byPath].map(([path, row]) => [path, toRecord(row, "")]));
    });
  }

  /** Records files as applied without applying them; those that have a record keep it. */
  async record(migrations: readonly SqlMigration[]): Promise<void> {
    await this.#locked(migrations, async () => {
      const fresh = migrations.filter(({ file }) => !this.#rows.byPath.has(file.path));
      const rows = fresh.map((migration) => appliedRow(this.#context, migration));
      await this.database.write(rows.map((row) => saveRow(this.#connection, undefined, row)));
    });
  }

  async resolve(migration: SqlMigration, answer: "applied" | "retry"): Promise<boolean> {
    const { file } = migration;
    let settled = false;
    await this.#locked([migration], async () => {
      const row = this.#rows.byPath.get(file.path);
      if (row === undefined || row.state === "applied") return;
      settled = true;
      const command = answer === "retry"
        ? deleteRow(this.#connection, file.path)
        : saveRow(this.#connection, row, appliedRow(this.#context, { file }));
      await this.database.write([command]);
    });
    return settled;
  }

  /** Placeholders keep their names. */
  preview({ script, statements }: SqlMigration): Promise<Preview> {
    const requests = statements.map(({ start, end }) => script.original(start, end));
    return Promise.resolve({ requests });
  }

  async #telling<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw connectionFailure(this.#connection, error);
    }
  }

  async #locked(
    migrations: readonly SqlMigration[],
    action: () => Promise<void>,
  ): Promise<void> {
    await this.#telling(async () => {
      const isOurs = this.#holdsLock;
      await this.#lock();
      try {
        await this.#load();
        await this.#prepareTable(migrations);
        await action();
      } finally {
        if (!isOurs) await this.#unlock();
      }
    });
  }

  async #lock(): Promise<void> {
    if (this.#holdsLock) return;
    await this.database.lock();
    this.#holdsLock = true;
  }

  async #unlock(): Promise<void> {
    if (!this.#holdsLock) return;
    this.#holdsLock = false;
    await this.database.unlock();
  }

  async #load(): Promise<void> {
    try {
      this.#rows = toRows(await this.database.select(selectAll()), this.#connection);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== "missing table") throw error;
      this.#rows = toRows(undefined, this.#connection);
    }
  }

  /** Whether the files that are recorded as running are running: a run that was cut off holds no lock any more. */
  async #isSomebodyAtWork(): Promise<boolean> {
    for (let running = this.#running(); running !== "" && !this.#holdsLock;) {
      if (await this.database.isLocked()) return true;
      // Without a lock they are left over, unless that run has come to its end in the meantime.
      await this.#load();
      const before = running;
      running = this.#running();
      if (running === before) return false;
    }
    return false;
  }

  /** What is recorded as running, in a form that can be compared. */
  #running(): string {
    const rows = [...this.#rows.byPath.values()].filter(({ state }) => state === "running");
    return rows.length === 0 ? "" : JSON.stringify(rows);
  }

  #history(migrations: readonly SqlMigration[]): History {
    this.#tellOfOlderTable(migrations);
    const { records, interrupted } = toHistory(this.#rows, migrations);
    return { records, interrupted: this.#othersAtWork ? [] : interrupted };
  }

  #tellOfOlderTable(migrations: readonly SqlMigration[]): void {
    if (this.#toldOfOlderTable) return;
    const without = migrations.filter(({ file }) => {
      const row = this.#rows.byPath.get(file.path);
      return row !== undefined && row.hash === undefined;
    });
    if (without.length === 0) return;
    this.#toldOfOlderTable = true;
    this.environment.onNotice(
      `The table '${TABLE}' has ${without.length} of these files without a hash, as an older framework ` +
        "wrote it: they count as applied as they are now",
    );
  }

  async #prepareTable(migrations: readonly SqlMigration[]): Promise<void> {
    if (this.#rows.form === "current") return;
    const commands = this.#rows.form === "missing"
      ? [createTable(this.dialect)]
      : upgradeTable(this.dialect, this.#connection, this.#rows, migrations);
    await this.database.write(commands);
    this.#rows = { ...this.#rows, form: "current" };
  }

  async #applySteps(migration: SqlMigration, options: ApplyOptions): Promise<Row | undefined> {
    const isOurs = this.#holdsLock;
    await this.#telling(() => this.#lock());
    try {
      const { row, done } = await this.#telling(() => this.#current(migration, options));
      return done ? undefined : await applySteps(this.#context, migration, row);
    } finally {
      if (!isOurs) await this.#unlock();
    }
  }

  /** The row of a file under the lock, and whether another run has done what there was to do. */
  async #current(
    migration: SqlMigration,
    { previous }: ApplyOptions,
  ): Promise<{ readonly row?: Row; readonly done: boolean }> {
    const { path, hash } = migration.file;
    if (this.dialect.lockScope === "run") {
      const row = this.#rows.byPath.get(path);
      return { done: false, ...(row && { row }) };
    }
    const table = await this.database.select(selectRow(this.#connection, path));
    const row = toRows(table, this.#connection).byPath.get(path);
    if (row === undefined) return { done: false };
    if (row.state !== "applied") {
      const detail = interruptionOf(row, migration.statements.length);
      const message = `Another run was cut off in '${path}': ${detail}`;
      throw new InterruptedError(this.#connection, path, message);
    }
    if (row.hash === hash) return { row, done: true };
    if (row.hash === previous?.hash || migration.onChange === "reapply") {
      return { row, done: false };
    }
    const message = `Another run has applied another content of it just now\n` +
      `  applied  ${row.hash}\n  here     ${hash}`;
    throw new MigrationFailedError(this.#connection, path, message);
  }
}
