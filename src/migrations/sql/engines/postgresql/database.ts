import type { Datasource } from "../../connect/datasource.ts";
import { DatabaseError } from "../../errors.ts";
import { oneLine } from "../../../../text/mod.ts";
import { TABLE } from "../../journal/records.ts";
import { identifier } from "../../files/quoting.ts";
import { redactor } from "../../connect/secret.ts";
import type {
  Command,
  Database,
  HistoryTypes,
  LockWait,
  OpenDatabase,
  Reading,
  SessionFacts,
  SqlEnvironment,
  SqlMigration,
  Table,
  WriteOptions,
} from "../../types.ts";
import { cannotUse, lostLock, overtaken } from "../shared/own_errors.ts";
import {
  type ConnectPostgresql,
  connectPostgresql,
  inline,
  type PostgresqlConnection,
  type Row,
} from "./driver.ts";
import {
  DIVISION_BY_ZERO,
  INVALID_SCHEMA_NAME,
  isFailedCheck,
  LOCK_NOT_AVAILABLE,
  UNIQUE_VIOLATION,
} from "./error.ts";
import {
  pathInComment,
  PostgresqlSteps,
  PostgresqlTransactions,
  searchPath,
  type Surroundings,
  type Text,
} from "./files.ts";
import { INVALID_INDEXES, invalidIndex, invalidIndexesIn, mayHaveLeft } from "./indexes.ts";
import { END_LOOK, lockWaitOf, lockWaitQuery } from "./lock_wait.ts";
import {
  AS_RECORDED,
  beginLock,
  blockingSessionQuery,
  factsQuery,
  fenced,
  GIVE_UP_LOCKS,
  liftLimits,
  limitLocks,
  type LockStatements,
  lockStatements,
  RESET,
  select,
} from "./statements.ts";

export const openPostgresql: OpenDatabase = async (datasource, environment) => {
  const { using, keep } = environment;
  const make = using === undefined
    ? () => connectPostgresql(datasource, environment)
    : (await import("./pool.ts")).borrowing(using, datasource);
  const connect = keep === undefined ? make : () => keep(make);
  // Limits that the application sets for its own statements are not for migrations.
  const { statementTimeoutMs = using === undefined ? undefined : 0, ...rest } = datasource;
  const settings = { ...rest, ...(statementTimeoutMs !== undefined && { statementTimeoutMs }) };
  return new PostgresqlDatabase(await connect(), connect, settings, environment);
};

const TYPES: HistoryTypes = {
  path: "VARCHAR(512)",
  name: "VARCHAR(190)",
  hash: "VARCHAR(64)",
  time: "TIMESTAMPTZ",
  text: "VARCHAR(255)",
  duration: "BIGINT",
  integer: "INTEGER",
  addsSeveral: true,
};

/** For files, for the transaction that holds the lock, and for records of files without a transaction. */
export class PostgresqlDatabase implements Database, Surroundings {
  readonly types = TYPES;
  readonly #transactions = new PostgresqlTransactions(this);
  readonly transactions = (): PostgresqlTransactions => this.#transactions;
  readonly steps: PostgresqlSteps = new PostgresqlSteps(this);
  requests = 0;
  facts: SessionFacts = {};
  isPooled = false;
  checksClient = false;
  isUsed = false;
  readonly locks: LockStatements;
  readonly ensureLocked: string;
  #guard: PostgresqlConnection | undefined;
  #records: PostgresqlConnection | undefined;
  #table: string | undefined;
  #hasSecond = false;
  readonly #redact: (text: string) => string;

  constructor(
    readonly work: PostgresqlConnection,
    private readonly connect: ConnectPostgresql,
    readonly datasource: Datasource,
    readonly environment: SqlEnvironment,
  ) {
    this.#redact = redactor(datasource);
    this.locks = lockStatements(datasource.tenantSchema);
    this.ensureLocked = this.locks.ensureHeld;
  }

  get table(): string {
    return this.#table ?? TABLE;
  }

  async read(before: readonly Command[] = []): Promise<Reading> {
    const { historySchema, connectTimeoutMs } = this.datasource;
    const isLocked = this.#guard !== undefined;
    const name = this.#table ??
      (historySchema === undefined ? TABLE : `${identifier(historySchema)}.${TABLE}`);
    const { lockTimeoutMs } = this.environment;
    const asked = factsQuery(lockTimeoutMs, this.locks, isLocked, historySchema !== undefined);
    this.requests++;
    const isSecond = isLocked && this.isPooled && !this.#hasSecond;
    const { tables, error } = await this.work.attempt(
      { before: [asked, ...before.map(inline)], text: `SELECT * FROM ${name}` },
      isSecond ? connectTimeoutMs : undefined,
    );
    const facts = tables[0]?.rows[0];
    if (facts === undefined) {
      throw isSecond ? this.#withoutSecond(error) : cannotUse(this.table, error);
    }
    this.#hasSecond ||= isLocked;
    this.#learn(facts);
    const found = facts.orphan === null
      ? {}
      : { orphan: this.#describeOrphan(JSON.parse(`${facts.orphan}`)) };
    if (error === undefined) {
      // Another run may have made it between the two statements, where this one would have.
      this.#table ??= `${identifier(historySchema ?? `${facts.found ?? facts.schema}`)}.${TABLE}`;
      const [table] = tables.slice(-1);
      return { ...found, ...(table && { table }) };
    }
    if (!isMissingTable(error)) throw await this.#readError(error);
    this.#table ??= `${identifier(historySchema ?? this.#newPlace(facts))}.${TABLE}`;
    return found;
  }

  async #readError(error: unknown): Promise<unknown> {
    if (!isMadeTwice(error)) return await this.ownError(error);
    const message =
      "Another run has created the history table at the same moment: the lock was lost";
    return new DatabaseError("busy", message);
  }

  async write(
    commands: readonly Command[],
    { apart = false, isRehearsal = false }: WriteOptions = {},
  ): Promise<void> {
    if (commands.length === 0) return;
    this.checkLock();
    const connection = apart ? await this.connectApart() : this.work;
    const limit = select(limitLocks(this.environment.lockTimeoutMs), ...liftLimits(this.isPooled));
    const of = commands.flatMap((command) => fenced(command).map(() => command));
    const own = [...isRehearsal ? ["BEGIN"] : [], limit, this.ensureLocked];
    try {
      // Statements of one message are one transaction.
      const end = isRehearsal ? "ROLLBACK" : "SELECT 1";
      await this.send(end, [...own, ...commands.flatMap(fenced)], connection);
    } catch (error) {
      if (isRehearsal) await this.send("ROLLBACK", [], connection).catch(() => {});
      const at = error instanceof DatabaseError ? error.own : undefined;
      throw await this.ownError(error, at === undefined ? undefined : of[at - own.length]);
    }
  }

  async obstacle({ statements }: SqlMigration): Promise<string | undefined> {
    const own = statements.filter(({ words }) => words.includes("CONCURRENTLY"));
    if (own.length === 0) return undefined;
    const indexes = invalidIndexesIn(await this.query(INVALID_INDEXES));
    const left = indexes.find((index) => own.some((statement) => mayHaveLeft(statement, index)));
    return left && invalidIndex(left.index).message;
  }

  async query(sql: string, waitMs = this.environment.lockTimeoutMs): Promise<Table> {
    const path = searchPath(this.datasource, "transaction");
    return await this.send(sql, [select(limitLocks(waitMs), ...AS_RECORDED, ...path)]);
  }

  async tryLock(): Promise<boolean> {
    const guard = this.#guard ?? await this.connect();
    this.#guard = undefined;
    try {
      const begin = beginLock(this.isPooled);
      if ((await this.send(this.locks.tryLock, begin, guard)).rows[0]?.locked === "t") {
        this.#guard = guard;
        return true;
      }
      // A pooler gives its connection to another client meanwhile; without one, the session keeps its settings.
      await this.send("COMMIT", [], guard);
      // The session that files run on is idle as long as this waits.
      await this.send(select(...liftLimits(this.isPooled)));
      this.#guard = guard;
      return false;
    } catch (error) {
      await guard.close();
      throw error;
    }
  }

  async holder(): Promise<string | undefined> {
    const { rows: [row] } = await this.send(this.locks.holder);
    if (row === undefined) return undefined;
    const { application_name: name, pid, usename: user, client_addr: address } = row;
    const from = address ? ` from ${address}` : "";
    // Other users may not see what a session is called.
    const whose = name === null ? "a session" : `'${name}'`;
    return `${whose} (process ${pid} of the server, user '${user}'${from})`;
  }

  /** Without asking: the message that comes next has {@linkcode LockStatements.ensureHeld} in it. */
  // deno-lint-ignore require-await -- a throw has to become a rejection
  async ensureHeld(): Promise<void> {
    this.checkLock();
  }

  checkLock(): void {
    if (this.#guard === undefined || this.#guard.isLost()) throw lostLock();
  }

  async unlock(): Promise<void> {
    const guard = this.#guard;
    this.#guard = undefined;
    if (guard === undefined) return;
    // The next user must not take the session for one that is at work.
    if (this.isUsed && !this.work.isLost()) {
      await this.send(select(GIVE_UP_LOCKS), RESET).catch(() => {});
    }
    // A pooler would close its own connection too.
    if (this.isPooled && !guard.isLost() && guard.isInTransaction()) {
      await this.send("ROLLBACK", [], guard).catch(() => {});
    }
    await guard.close();
  }

  async orphan(): Promise<string | undefined> {
    const { rows: [row] } = await this.send(this.locks.orphan);
    return row && this.#describeOrphan(row);
  }

  async endOrphan(path: string, isBegun: boolean): Promise<string | undefined> {
    const { rows: [row] } = await this.send(this.locks.orphan);
    if (row === undefined) return undefined;
    const file = fileInQuery(row);
    if (file === undefined ? !isBegun : file !== pathInComment(path)) return undefined;
    // The session that has the mark when it is sent.
    const session = `(${this.locks.orphan}) o WHERE o.pid = ${row.pid}`;
    await this.send(`SELECT pg_terminate_backend(o.pid) FROM ${session}`);
    return `process ${row.pid} of the server, which still ran ${this.#workOf(row)}`;
  }

  /** On the connection of the lock, which is there anyhow: a pool may have no other. */
  async lockWait(): Promise<LockWait | undefined> {
    const guard = this.#guard;
    if (guard === undefined || guard.isLost()) return undefined;
    const [back, release] = END_LOOK;
    try {
      const look = lockWaitQuery(this.locks.orphan);
      const tables = await this.sendAll(release, ["SAVEPOINT irori", look, back], guard);
      return lockWaitOf(tables[1]?.rows ?? []);
    } catch {
      if (!guard.isLost()) await this.send(release, [back], guard).catch(() => {});
    }
  }

  async close(): Promise<void> {
    await this.unlock();
    await this.#records?.close();
    await this.work.close();
  }

  async sendAll(
    text: Text,
    before: readonly string[] = [],
    connection: PostgresqlConnection = this.work,
  ): Promise<readonly Table[]> {
    this.requests++;
    return await connection.send({ before, text }).catch((error) => {
      throw isFailedCheck(error, before.indexOf(this.ensureLocked)) ? lostLock() : error;
    });
  }

  async send(...sent: Parameters<Surroundings["send"]>): Promise<Table> {
    return (await this.sendAll(...sent)).at(-1) ?? { columns: [], rows: [] };
  }

  async connectApart(): Promise<PostgresqlConnection> {
    return this.#records ??= await this.connect();
  }

  async ownError(error: unknown, command?: Command): Promise<unknown> {
    if (!(error instanceof DatabaseError)) return error;
    const isThere = error.code === UNIQUE_VIOLATION;
    const isFence = isThere || error.code === DIVISION_BY_ZERO;
    if (command?.fence !== undefined && isFence) return overtaken(command, isThere);
    if (error.code === LOCK_NOT_AVAILABLE) return await this.#keptTable();
    if (error.code === INVALID_SCHEMA_NAME) {
      const message = `There is no schema for the history table, ${this.table}: create it, or ` +
        "name another one by 'migrations.history_schema'";
      return new DatabaseError("history", message);
    }
    return cannotUse(this.table, error);
  }

  async #keptTable(): Promise<DatabaseError> {
    const { lockTimeoutMs } = this.environment;
    const waited = `Waited ${lockTimeoutMs / 1000} s for the history table, ${this.table}`;
    const keeper = await this.connectApart()
      .then((connection) => this.send(blockingSessionQuery(this.table), [], connection))
      .then(({ rows }) => rows[0], () => undefined);
    if (keeper === undefined) return new DatabaseError("busy", waited);
    const { withoutValues } = await import("../../syntax/without_values.ts");
    const { POSTGRESQL } = await import("./grammar.ts");
    const query = oneLine(this.#redact(withoutValues(`${keeper.query}`, POSTGRESQL)));
    const message = `${waited}, which process ${keeper.pid} of the server keeps: '${query}'`;
    return new DatabaseError("busy", message);
  }

  #learn({ pid, strings, checks }: Row): void {
    this.checksClient = checks === "t";
    this.isPooled = Number(pid) !== this.work.processId;
    const { host, port } = this.datasource;
    this.facts = {
      strings: { backslashes: strings === "off", ansiQuotes: true },
      ...(this.isPooled && {
        stepsRefused: "A file without a transaction needs the server itself, and between it and " +
          `'${host}:${port}' there is a pooler: give the server's own URL under 'migrations.url'`,
      }),
    };
  }

  /** Where a new table belongs. @throws {DatabaseError} when there is one in another place */
  #newPlace({ schema, places }: Row): string {
    const others: string[] = places === null ? [] : JSON.parse(`${places}`);
    const own = schema === null ? undefined : `${schema}`;
    const [first] = others;
    if (first !== undefined) {
      const here = own === undefined ? "no existing schema" : `the schema '${own}'`;
      const found = others.map((name) => `'${name}'`).join(", ");
      const lines = [
        `The history table, '${TABLE}', is in the schema ${found}, and the search_path of this ` +
        `session begins with ${here}: nothing was applied, as all of it would be applied again`,
        "  Either",
        `    - use that table: set 'migrations.history_schema: ${first}', or for the search_path of ` +
        `files as well '?currentSchema=${first}' at the end of the URL`,
        ...own === undefined ? [] : [
          `    - or apply the files to this schema as well, with its own history table: ` +
          `'migrations.history_schema: ${own}', or '?currentSchema=${own}'`,
        ],
      ];
      throw new DatabaseError("history", lines.join("\n"));
    }
    if (own !== undefined) return own;
    const message = "There is no schema for the history table: none of the search_path exists; " +
      "name one by 'migrations.history_schema' or '?currentSchema=' at the end of the URL";
    throw new DatabaseError("history", message);
  }

  /** A run needs two sessions of a pooler: the third is for files without a transaction, which a pooler cannot run. */
  #withoutSecond(error: unknown): unknown {
    if (!(error instanceof DatabaseError) || error.kind !== "lost") return error;
    const { host, port, connectTimeoutMs } = this.datasource;
    const message = `The pooler at '${host}:${port}' gave no second connection within ` +
      `${connectTimeoutMs / 1000} s: one keeps the lock of the run, another one runs the files. ` +
      "Let its pool have two or more, or give the server's own URL under 'migrations.url'";
    return new DatabaseError("lost", message);
  }

  #describeOrphan(row: Row): string {
    const name = `${row.application_name ?? ""}`;
    // A pool of the application keeps its own name.
    const other = ` ('${name}', perhaps another program with the same advisory lock)`;
    return `process ${row.pid} of the server${/^(?:irori |$)/.test(name) ? "" : other}` +
      ` still runs ${this.#workOf(row)}`;
  }

  #workOf(row: Row): string {
    const file = fileInQuery(row);
    return file === undefined ? `'${oneLine(this.#redact(`${row.query}`))}'` : `the file '${file}'`;
  }
}

function fileInQuery({ query }: Row): string | undefined {
  return /^\/\* irori: (.*?) \*\//.exec(`${query}`)?.[1];
}

const UNDEFINED_TABLE = "42P01";

/** `CREATE TABLE IF NOT EXISTS` fails where two sessions make one table at once: its name, or that of its type, is taken. */
function isMadeTwice(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { code = "", message } = error;
  return /^42(?:710|P07)$/.test(code) ||
    (code === UNIQUE_VIOLATION && /"pg_(?:type|class)_/.test(message));
}

/** Whether the last statement failed, because its table does not exist. */
function isMissingTable(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === UNDEFINED_TABLE &&
    error.own === undefined;
}
