import type { Datasource } from "../../connect/datasource.ts";
import { DatabaseError } from "../../errors.ts";
import { redactor } from "../../connect/secret.ts";
import type { OpenDatabase, SqlEnvironment } from "../../types.ts";
import { awaited, ensureFolder, MEMORY, refuseMemory } from "../shared/connections.ts";
import { LockFile } from "../sqlite/lock_file.ts";
import { type Pglite, pgliteWire } from "./driver.ts";
import { ownSession, type Session, usedSession } from "./session.ts";
import { PostgresqlDatabase } from "../postgresql/database.ts";
import { connectionOver, type PostgresqlConnection } from "../postgresql/driver.ts";
import { loadSqliteDriver } from "../sqlite/driver.ts";

/**
 * Opens PGlite, PostgreSQL within the process. It has one session, so that the lock of a run is not one of the database:
 * queries of this process wait until the run is over, and other processes by a lock on the file `<folder>-migrations-lock`,
 * as two of them at work in one folder would destroy it.
 */
export const openPglite: OpenDatabase = async (datasource, environment, signal) => {
  refuseMemory("pglite", datasource, environment);
  const { database } = datasource;
  const { pglite, leave } = await enter(database, environment, signal);
  const wire = pgliteWire(pglite, leave);
  const { tables, error } = await wire.ask("SELECT pg_backend_pid() AS pid");
  if (error !== undefined) {
    await leave();
    throw new DatabaseError("lost", `Cannot use '${database}'`);
  }
  const processId = Number(tables[0]?.rows[0]?.pid);
  const work = connectionOver({ ...wire, processId }, redactor(datasource));
  return new PgliteDatabase(work, () => Promise.resolve(work), datasource, environment);
};

/** In the application's session, which is given back as it was, or in one under the same lock. @throws {DatabaseError} */
export async function withPglite<T>(
  { database }: Datasource,
  environment: SqlEnvironment,
  work: (pglite: Pglite) => Promise<T>,
): Promise<T> {
  const { pglite, leave } = await enter(database, environment);
  return await work(pglite).finally(leave);
}

/** Leaving the session gives up the lock. */
async function enter(
  folder: string,
  environment: SqlEnvironment,
  signal?: AbortSignal,
): Promise<Session> {
  const { using } = environment;
  await ensureFolder(folder, environment);
  const lock = folder === MEMORY
    ? undefined
    : new LockFile(`${folder}-migrations-lock`, await loadSqliteDriver());
  try {
    if (lock) {
      const what = `another run: a process that holds the file '${lock.path}'`;
      const attempt = () => Promise.resolve().then(() => lock.tryTake() || undefined);
      await awaited(what, attempt, environment, signal);
    }
    const { pglite, leave } = await (using === undefined
      ? ownSession(folder)
      : usedSession(using as Pglite, environment, signal));
    return {
      pglite,
      leave: () =>
        leave().finally(() => lock?.release()),
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Everything runs in one session, which is the lock. */
class PgliteDatabase extends PostgresqlDatabase {
  override readonly ensureLocked: string = "SELECT 1";

  override tryLock(): Promise<boolean> {
    return Promise.resolve(true);
  }

  override holder(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override checkLock(): void {}

  override unlock(): Promise<void> {
    return Promise.resolve();
  }

  /** Work in a process ends with it. */
  override orphan(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override connectApart(): Promise<PostgresqlConnection> {
    return Promise.resolve(this.work);
  }
}
