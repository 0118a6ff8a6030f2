import { within } from "../../../../runtime/mod.ts";
import { dirname } from "../../../../runtime/path.ts";
import { retry } from "../../../runner/mod.ts";
import type { Datasource } from "../../connect/datasource.ts";
import { type LoadedTls, loadTls } from "../../connect/tls.ts";
import { DatabaseError } from "../../errors.ts";
import type { Kept, LockingSession, SqlEnvironment, Table } from "../../types.ts";

const CLOSE_MS = 2000;
const LATE: unique symbol = Symbol("late");

/** Connects, without TLS where the server has none and none is required. */
export async function connecting<C>(
  datasource: Datasource,
  { files }: Pick<SqlEnvironment, "files">,
  attempt: (tls?: LoadedTls) => Promise<C>,
  hasNoTls: (error: unknown) => boolean,
  rewritten: (error: unknown) => DatabaseError,
): Promise<C> {
  const tls = await loadTls(datasource.tls, files);
  return await placed(datasource, rewritten, () =>
    attempt(tls).catch((error) => {
      if (tls?.optional && hasNoTls(error)) return attempt();
      throw error;
    }));
}

/** Makes errors of a driver say what was connected to, and who did. */
export async function placed<C>(
  { host, port, username, database }: Datasource,
  rewritten: (error: unknown) => DatabaseError,
  connect: () => Promise<C>,
): Promise<C> {
  try {
    return await connect();
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const { kind, message, code } = rewritten(error);
    const place = `'${database}' at ${host.startsWith("/") ? host : `${host}:${port}`}`;
    const user = username === undefined ? "" : ` as '${username}'`;
    throw new DatabaseError(kind, `Cannot connect to ${place}${user}: ${message}`, { code });
  }
}

/** A connection that another had before, as new; it is closed where that fails. */
export async function asNew<C extends Kept>(
  connection: C,
  renew: () => Promise<void> = () => connection.renew(),
): Promise<C> {
  try {
    await renew();
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Waits for the end of a connection; for a server that is frozen the operating system would wait without a limit. */
export async function closing(end: Promise<unknown>, destroy: () => void): Promise<void> {
  if (await within(end.catch(() => {}), CLOSE_MS, LATE) === LATE) destroy();
}

/** Pools wait without a limit while all connections are in use. @throws {DatabaseError} after `withinMs` */
export async function borrow<C>(
  asked: Promise<C>,
  giveBack: (connection: C) => void,
  withinMs: number,
): Promise<C> {
  const found = await within(asked, withinMs, LATE);
  if (found !== LATE) return found;
  asked.then(giveBack, () => {});
  const message = `The pool of the application gave no connection within ${withinMs / 1000} s: ` +
    "all of them are in use, or it has too few: a run needs 2 to MySQL, and 3 to PostgreSQL";
  throw new DatabaseError("lost", message);
}

/** Tries until there is a value. @throws {DatabaseError} with `busy` after the time of the lock */
export async function awaited<T>(
  what: string,
  attempt: () => Promise<T | undefined>,
  environment: Pick<SqlEnvironment, "lockTimeoutMs" | "onNotice">,
  signal?: AbortSignal,
): Promise<T> {
  const { lockTimeoutMs: timeoutMs, onNotice } = environment;
  const onWait = () => onNotice(`Waiting up to ${timeoutMs / 1000} s for ${what}`);
  const found = await retry(attempt, { timeoutMs, onWait, signal });
  if (found === undefined) throw waitedFor(what, environment);
  return found;
}

export function waitedFor(
  what: string,
  { lockTimeoutMs }: Pick<SqlEnvironment, "lockTimeoutMs">,
): DatabaseError {
  return new DatabaseError("busy", `Waited ${lockTimeoutMs / 1000} s for ${what}`);
}

export const MEMORY = ":memory:";

export function refuseMemory(
  scheme: string,
  { database }: Datasource,
  { using, allowMemory }: SqlEnvironment,
): void {
  if (database !== MEMORY || using !== undefined || allowMemory) return;
  const message = `Cannot migrate '${scheme}::memory:': the database ends with the run`;
  throw new DatabaseError("lost", message);
}

export async function ensureFolder(path: string, { files }: SqlEnvironment): Promise<void> {
  const folder = dirname(path);
  if (path === MEMORY || (await files.stat(folder))?.isDirectory) return;
  throw new DatabaseError("lost", `Cannot open '${path}': there is no folder '${folder}'`);
}

/** @param id by which the server has it, if it is one: transactions that are prepared have none */
export function lockingSession(
  kind: string,
  id: unknown,
  row: Table["rows"][number],
): LockingSession {
  const facts = ["user", "application", "state", "since", "query"]
    .flatMap((name) => row[name] === null ? [] : [[name, `${row[name]}`]]);
  return {
    name: Number(id) === 0 ? "a prepared transaction" : `${kind} ${id} of the server`,
    ...Object.fromEntries(facts),
    ...(row.since !== null && { seconds: Number(row.seconds) }),
  };
}
