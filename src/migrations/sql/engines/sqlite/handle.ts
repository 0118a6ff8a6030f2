import { DatabaseError } from "../../errors.ts";
import { identifier } from "../../files/quoting.ts";
import type { Table } from "../../types.ts";
import { rollBack, type SqliteConnection } from "./driver.ts";

const taken = new WeakMap<object, UsedSqlite>();

/** Settings of connections that files and runs change, and their values in a new connection of `sqlite3`. */
const SETTINGS: Readonly<Record<string, string>> = {
  foreign_keys: "0",
  recursive_triggers: "0",
  ignore_check_constraints: "0",
  defer_foreign_keys: "0",
  busy_timeout: "20",
};

/** The same, and those that have no value of their own for a run. What cannot be read is not among them. */
const KEPT = [
  ...["synchronous", "cache_size", "temp_store", "mmap_size", "secure_delete", "locking_mode"],
  ...["journal_mode", "journal_size_limit", "wal_autocheckpoint", "max_page_count", "threads"],
  ...["legacy_alter_table", "trusted_schema", "writable_schema", "query_only", "cell_size_check"],
  ...["automatic_index", "reverse_unordered_selects", "read_uncommitted", "analysis_limit"],
  ...["short_column_names", "full_column_names", "fullfsync", "checkpoint_fullfsync"],
  ...Object.keys(SETTINGS),
];

export const TEMPORARIES =
  "SELECT type, name FROM sqlite_temp_master WHERE name NOT LIKE 'sqlite%'";
const DATABASES = "SELECT name FROM pragma_database_list";

export function dropsOf(temporaries: Table["rows"]): readonly string[] {
  return temporaries.filter(({ type }) => type !== "index")
    .map(({ type, name }) => `DROP ${type} IF EXISTS temp.${identifier(`${name}`)}`);
}

/**
 * A database that the application has opened itself, while a run works on it: what files leave in it is undone. Other
 * runs of this process are kept away from when it is opened until it is closed, as they would change each other's
 * settings and transactions.
 */
export class UsedSqlite {
  #before: Readonly<Record<string, string>> | undefined;
  #own = new Set<string>();

  constructor(private readonly using: object, private readonly connection: SqliteConnection) {}

  tryTake(): boolean {
    if (!taken.has(this.using)) taken.set(this.using, this);
    return taken.get(this.using) === this;
  }

  release(): void {
    if (this.#before === undefined && taken.get(this.using) === this) taken.delete(this.using);
  }

  /** Closing it gives it back as it was. @throws {DatabaseError} in a transaction, or while another run has it */
  open(): SqliteConnection {
    if (this.#before === undefined) {
      if (!this.tryTake()) {
        const message = "Another run of this process uses the connection of the application";
        throw new DatabaseError("busy", message);
      }
      try {
        refuseOpenTransaction(this.connection);
      } catch (error) {
        this.release();
        throw error;
      }
      this.#before = this.#settings();
      this.#own = new Set([
        ...this.#rows(TEMPORARIES).map(({ name }) => `${name}`),
        ...this.#rows(DATABASES).map(({ name }) => `attached ${name}`),
      ]);
      this.#set(SETTINGS);
    }
    return { ...this.connection, close: () => this.#close() };
  }

  /** Takes back what can be taken back of what a file has done to it. */
  renew(): void {
    if (this.#before === undefined) return;
    rollBack(this.connection);
    for (const [name, value] of Object.entries(this.#settings())) {
      const wanted = this.#before[name] ?? value;
      // Whether a database has a write-ahead log is a property of its file.
      if (name in SETTINGS || value === wanted || [value, wanted].includes("wal")) continue;
      this.connection.exec(`PRAGMA ${name} = ${wanted}`);
    }
    this.#set(SETTINGS);
    const left = this.#rows(TEMPORARIES).filter(({ name }) => !this.#own.has(`${name}`));
    for (const drop of dropsOf(left)) this.connection.exec(drop);
    for (const { name } of this.#rows(DATABASES)) {
      if (name === "main" || name === "temp" || this.#own.has(`attached ${name}`)) continue;
      this.connection.exec(`DETACH ${identifier(`${name}`)}`);
    }
  }

  #close(): void {
    const settings = this.#before ?? {};
    try {
      this.renew();
    } finally {
      this.#before = undefined;
      this.release();
      this.#set(settings);
    }
  }

  /** Reads nothing, which would fail while another connection locks the database. */
  #set(settings: Readonly<Record<string, string>>): void {
    for (const name of Object.keys(SETTINGS)) {
      const value = settings[name];
      if (value !== undefined) this.connection.exec(`PRAGMA ${name} = ${value}`);
    }
  }

  #settings(): Readonly<Record<string, string>> {
    return Object.fromEntries(KEPT.flatMap((name) => {
      const [value] = Object.values(this.#rows(`PRAGMA ${name}`)[0] ?? {});
      return value === undefined ? [] : [[name, `${value}`]];
    }));
  }

  #rows(sql: string) {
    return this.connection.all({ sql, values: [] }).rows;
  }
}

function refuseOpenTransaction(connection: SqliteConnection): void {
  try {
    connection.exec("BEGIN");
  } catch (error) {
    if (error instanceof DatabaseError && /within a transaction/.test(error.message)) {
      throw new DatabaseError("busy", "The connection of the application has an open transaction");
    }
    throw error;
  }
  connection.exec("ROLLBACK");
}
