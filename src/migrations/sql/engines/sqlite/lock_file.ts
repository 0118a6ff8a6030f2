import { DatabaseError } from "../../errors.ts";
import type { SqliteConnection } from "./driver.ts";

/** SQLite's lock on a file of its own, which ends with the process, and parts its connections as well. */
export class LockFile {
  #connection: SqliteConnection | undefined;

  constructor(
    readonly path: string,
    private readonly connect: (path: string) => SqliteConnection,
  ) {}

  tryTake(): boolean {
    try {
      this.#connection ??= this.connect(this.path);
      return takes(this.#connection);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const reason = error.message.replace(/^Cannot open '.*': /, "");
      const message = `Cannot keep the lock of the run in '${this.path}': ${reason}`;
      throw new DatabaseError("lost", message);
    }
  }

  isTaken(): boolean {
    const connection = this.connect(this.path);
    try {
      return !takes(connection);
    } finally {
      connection.close();
    }
  }

  release(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

function takes(connection: SqliteConnection): boolean {
  try {
    connection.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === "busy") return false;
    throw error;
  }
}
