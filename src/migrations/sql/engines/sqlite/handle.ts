import { DatabaseError } from "../../errors.ts";
import { identifier } from "../../files/quoting.ts";
import { type DatabaseSync, type SqliteConnection, wrapSqlite } from "./driver.ts";

/**
 * A database that the application has opened itself, while a run works on it. Other runs of this process are kept away
 * from when it is opened until it is closed, as they would change each other's settings and transactions.
 */
export interface UsedSqlite {
  /** Blocks other runs of this process before it is opened. @returns whether it was free */
  tryTake(): boolean;
  /** Lets others have it, where it is not open. */
  release(): void;
  /**
   * The connection; closing it gives it back as it was.
   *
   * @throws {DatabaseError} when a transaction is open there, or another run has it
   */
  open(): SqliteConnection;
  /** Takes back what can be taken back of what a file has done to it. */
  renew(): void;
}

/** Those that runs of this process work on. */
const taken = new WeakSet<object>();

/** Settings of connections that files and runs change, and their values in a new connection of `sqlite3`. */
const SETTINGS: Readonly<Record<string, number>> = {
  foreign_keys: 0,
  recursive_triggers: 0,
  ignore_check_constraints: 0,
  defer_foreign_keys: 0,
  busy_timeout: 20,
};

/** Settings that files may change, and that have no value of their own for a run. What cannot be read is not among them. */
const KEPT = [
  ...["synchronous", "cache_size", "temp_store", "mmap_size", "secure_delete", "locking_mode"],
  ...["journal_mode", "journal_size_limit", "wal_autocheckpoint", "max_page_count", "threads"],
  ...["legacy_alter_table", "trusted_schema", "writable_schema", "query_only", "cell_size_check"],
  ...["automatic_index", "reverse_unordered_selects", "read_uncommitted", "analysis_limit"],
  ...["short_column_names", "full_column_names", "fullfsync", "checkpoint_fullfsync"],
];

const TEMPORARIES = "SELECT type, name FROM sqlite_temp_master WHERE name NOT LIKE 'sqlite%'";

/** Lets a run use what the application has opened. It is not closed by it. @param path for messages */
export function takeOver(
  using: object,
  path: string,
  redact: (text: string) => string,
): UsedSqlite {
  const connection = wrapSqlite(path, using as DatabaseSync, redact);
  let before: Readonly<Record<string, number>> | undefined;
  let kept: Readonly<Record<string, string>> = {};
  let temporaries = new Set<string>();
  let isOwn = false;

  const set = (settings: Readonly<Record<string, number>>) => {
    for (const [name, value] of Object.entries(settings)) {
      connection.exec(`PRAGMA ${name} = ${value}`);
    }
  };
  const names = (sql: string) => connection.all({ sql, values: [] }).rows;
  const valueOf = (setting: string) => {
    const [value] = Object.values(names(`PRAGMA ${setting}`)[0] ?? {});
    return value === undefined ? [] : [[setting, `${value}`] as const];
  };
  const keep = () => {
    for (const [name, value] of KEPT.flatMap(valueOf)) {
      // That a database has a log beside it is a property of its file.
      if (value === kept[name] || [value, kept[name]].includes("wal")) continue;
      connection.exec(`PRAGMA ${name} = ${kept[name]}`);
    }
  };
  const leaveTransaction = () => {
    try {
      connection.exec("ROLLBACK");
    } catch {
      // There is none.
    }
  };
  const renew = () => {
    if (before === undefined) return;
    leaveTransaction();
    keep();
    set(SETTINGS);
    for (const { type, name } of names(TEMPORARIES)) {
      if (temporaries.has(`${name}`) || type === "index") continue;
      connection.exec(`DROP ${type} IF EXISTS temp.${identifier(`${name}`)}`);
    }
    for (const { name } of names("SELECT name FROM pragma_database_list")) {
      if (name === "main" || name === "temp" || temporaries.has(`attached ${name}`)) continue;
      connection.exec(`DETACH ${identifier(`${name}`)}`);
    }
  };

  const tryTake = () => {
    if (isOwn) return true;
    if (taken.has(using)) return false;
    taken.add(using);
    return isOwn = true;
  };
  const release = () => {
    if (!isOwn || before !== undefined) return;
    taken.delete(using);
    isOwn = false;
  };

  return {
    tryTake,
    release,
    open() {
      if (before === undefined) {
        if (!tryTake()) {
          const message = "Another run of this process uses the connection of the application";
          throw new DatabaseError("busy", message);
        }
        try {
          refuseOpenTransaction(connection);
        } catch (error) {
          release();
          throw error;
        }
        before = Object.fromEntries(
          Object.keys(SETTINGS).flatMap(valueOf).map(([name, value]) => [name, Number(value)]),
        );
        kept = Object.fromEntries(KEPT.flatMap(valueOf));
        temporaries = new Set([
          ...names(TEMPORARIES).map(({ name }) => `${name}`),
          ...names("SELECT name FROM pragma_database_list").map(({ name }) => `attached ${name}`),
        ]);
        set(SETTINGS);
      }
      return {
        ...connection,
        close() {
          const settings = before ?? {};
          try {
            renew();
          } finally {
            before = undefined;
            release();
            set(settings);
          }
        },
      };
    },
    renew,
  };
}

function refuseOpenTransaction(connection: SqliteConnection): void {
  try {
    connection.exec("BEGIN");
  } catch (error) {
    if (error instanceof DatabaseError && /within a transaction/.test(error.message)) {
      throw new DatabaseError("busy", "The connection of the application has a transaction open");
    }
    throw error;
  }
  connection.exec("ROLLBACK");
}
