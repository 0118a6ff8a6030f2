import { sha256 } from "../../runner/mod.ts";
import type { Datasource } from "../datasource.ts";
import { DatabaseError } from "../errors.ts";
import type { Statement } from "../syntax/splitter.ts";
import type { Command, Database, SqlEnvironment, Table } from "../types.ts";
import { waitFor } from "../wait.ts";
import { connectMysql, type MysqlConnection } from "./_mysql_driver.ts";

/** Connects to MySQL or MariaDB. */
export async function openMysql(
  datasource: Datasource,
  environment: SqlEnvironment,
): Promise<Database> {
  const work = await connectMysql(datasource, environment);
  return new MysqlDatabase(work, await lockName(datasource), datasource, environment);
}

/** Such locks belong to the server, so the name says which database is meant; 64 characters are the most. */
async function lockName({ database }: Datasource): Promise<string> {
  const name = `irori:${database}`;
  if (name.length <= 63) return name;
  return `irori:${(await sha256(new TextEncoder().encode(database))).slice(0, 40)}`;
}

class MysqlDatabase implements Database {
  requests = 0;
  /**
   * Keeps the lock and writes the records: so they depend on nothing that a file does to its session, such as
   * `LOCK TABLES`, `USE` or `SET autocommit`.
   */
  #guard: MysqlConnection | undefined;
  /** What the session is like: `open` while a file runs in it. */
  #session: "connected" | "open" | "used" = "connected";

  constructor(
    private readonly work: MysqlConnection,
    private readonly lockName: string,
    private readonly datasource: Datasource,
    private readonly environment: SqlEnvironment,
  ) {}

  select(query: Command): Promise<Table> {
    return this.#execute(this.#guard ?? this.work, query);
  }

  async write(commands: readonly Command[]): Promise<void> {
    for (const command of commands) await this.#execute(this.#guard ?? this.work, command);
  }

  async isLocked(): Promise<boolean> {
    const query = { sql: "SELECT IS_FREE_LOCK(?) AS free", values: [this.lockName] };
    const { rows: [row] } = await this.#execute(this.#guard ?? this.work, query);
    return Number(row?.free) === 0;
  }

  async lock(): Promise<void> {
    const guard = await connectMysql(this.datasource, this.environment);
    try {
      // It waits while statements run: it must not be idle for too long. This is the most there is.
      await this.#execute(guard, { sql: "SET SESSION wait_timeout = 2147483", values: [] });
      const query = { sql: "SELECT GET_LOCK(?, 0) AS locked", values: [this.lockName] };
      const take = async () => Number((await this.#execute(guard, query)).rows[0]?.locked) === 1;
      if (!await waitFor(take, this.environment.lockTimeoutMs)) {
        throw new DatabaseError("busy", await this.#holder(guard));
      }
      this.#guard = guard;
    } catch (error) {
      await guard.close();
      throw error;
    }
  }

  async unlock(): Promise<void> {
    await this.#guard?.close();
    this.#guard = undefined;
  }

  async step({ text }: Statement): Promise<{ readonly open: boolean }> {
    if (this.#guard?.isLost()) {
      throw new DatabaseError("lost", "the connection that held the lock has ended");
    }
    await this.#prepareSession();
    this.requests++;
    await this.#limited(() => this.work.send(text));
    return { open: this.work.isInTransaction() };
  }

  async endSteps(): Promise<void> {
    this.#session = "used";
    if (this.work.isLost() || !this.work.isInTransaction()) return;
    this.requests++;
    await this.work.send("ROLLBACK").catch(() => {});
  }

  async close(): Promise<void> {
    await this.unlock();
    await this.work.close();
  }

  /** Makes the session of a file as new as one that the server's own client opens. */
  async #prepareSession(): Promise<void> {
    if (this.#session === "open") return;
    if (this.#session === "used") {
      this.requests++;
      await this.work.renew();
    }
    // With the server's own collation; and the driver, which goes by what it last saw, is told again.
    this.requests++;
    await this.work.send("SET NAMES utf8mb4");
    this.#session = "open";
  }

  #execute(connection: MysqlConnection, command: Command): Promise<Table> {
    this.requests++;
    return connection.execute(command);
  }

  /** Stops a statement that takes longer than the datasource allows. The server has no such limit for all kinds. */
  async #limited(action: () => Promise<void>): Promise<void> {
    const { statementTimeoutMs: limit } = this.datasource;
    const guard = this.#guard;
    if (limit === undefined || guard === undefined) return await action();
    let stopping: Promise<unknown> | undefined;
    const timer = setTimeout(() => {
      const command = { sql: `KILL QUERY ${this.work.id}`, values: [] };
      stopping = this.#execute(guard, command).catch(() => {});
    }, limit);
    try {
      await action();
    } catch (error) {
      if (stopping === undefined) throw error;
      const message = `the statement took longer than ${limit / 1000} s and was stopped`;
      throw new DatabaseError("refused", message);
    } finally {
      clearTimeout(timer);
      await stopping; // It must not hit the next statement.
    }
  }

  async #holder(guard: MysqlConnection): Promise<string> {
    const waited = `Waited ${this.environment.lockTimeoutMs / 1000} s for another run`;
    const query = {
      sql: "SELECT ID AS id, USER AS user, HOST AS host FROM information_schema.PROCESSLIST " +
        "WHERE ID = IS_USED_LOCK(?)",
      values: [this.lockName],
    };
    const { rows: [holder] } = await this.#execute(guard, query);
    if (holder === undefined) return waited;
    return `${waited}: connection ${holder.id} of the server, user '${holder.user}' from ${holder.host}`;
  }
}
