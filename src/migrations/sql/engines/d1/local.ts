import { dirname, join } from "../../../../runtime/path.ts";
import { hexOf } from "../../../../text/mod.ts";
import { DatabaseError } from "../../errors.ts";
import type { Command, SqlEnvironment, Table } from "../../types.ts";
import {
  type BatchClient,
  loadSqliteDriver,
  rollBack,
  type SqliteConnection,
} from "../sqlite/driver.ts";
import type { WranglerDatabase } from "./wrangler.ts";

/** Where wrangler keeps the databases of a project, below the folder of its configuration. */
const STATE = [".wrangler", "state", "v3", "d1", "miniflare-D1DatabaseObject"];
/** How long a statement waits for `wrangler dev` before the run says that it waits. */
const TRY_MS = 20;

/** The SQLite file of a local database, which `wrangler dev` and `wrangler d1 … --local` use too. */
export async function localClient(
  { file, localId }: Pick<WranglerDatabase, "file" | "localId">,
  { files }: Pick<SqlEnvironment, "files">,
  redact: (text: string) => string,
): Promise<LocalClient> {
  const path = join(dirname(file), ...STATE, `${await objectName(localId)}.sqlite`);
  return new LocalClient(path, files, await loadSqliteDriver(redact));
}

class LocalClient implements BatchClient {
  readonly hasSession = false;
  readonly leastPauseMs = 0;
  #connection: SqliteConnection | undefined;
  #isClosed = false;

  constructor(
    private readonly path: string,
    private readonly files: SqlEnvironment["files"],
    private readonly open: (path: string) => SqliteConnection,
  ) {}

  async all(sql: string): Promise<Table> {
    const command = { sql, values: [] };
    if (this.#connection || await this.files.stat(this.path)) return this.#connect().all(command);
    // Reading makes no database: what there is of none is what an empty one has.
    const empty = this.open(":memory:");
    try {
      return empty.all(command);
    } finally {
      empty.close();
    }
  }

  async change(command: Command): Promise<number> {
    return (await this.#made()).run(command);
  }

  async batch(commands: readonly Command[]): Promise<void> {
    const connection = await this.#made();
    connection.exec("BEGIN IMMEDIATE");
    try {
      for (const { sql, values } of commands) {
        if (values.length > 0) connection.run({ sql, values });
        else connection.exec(sql);
      }
      connection.exec("COMMIT");
    } catch (error) {
      rollBack(connection);
      throw error;
    }
    if (!commands.some(({ sql }) => /\bPRAGMA\b/i.test(sql))) return;
    // As on D1, the next file has a connection without its settings.
    connection.close();
    this.#connection = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** SQLite makes the file, as another program may do at the same time, and says why where it cannot. */
  async #made(): Promise<SqliteConnection> {
    const isThere = this.#connection || await this.files.stat(this.path) !== undefined;
    if (!isThere) await this.files.makeFolder(dirname(this.path)).catch(() => {});
    const connection = this.#connect();
    if (!isThere) connection.exec("PRAGMA journal_mode = WAL");
    return connection;
  }

  #connect(): SqliteConnection {
    if (this.#connection) return this.#connection;
    // A renewal of the lock may still be on its way.
    if (this.#isClosed) throw new DatabaseError("lost", "The run is over");
    const connection = this.open(this.path);
    connection.exec(`PRAGMA busy_timeout = ${TRY_MS}`);
    connection.exec("PRAGMA foreign_keys = ON");
    return this.#connection = connection;
  }
}

/** The name of a Durable Object as Miniflare makes it from the name of its class and an identifier. */
async function objectName(id: string): Promise<string> {
  const encoder = new TextEncoder();
  const raw = await crypto.subtle.digest("SHA-256", encoder.encode(STATE.at(-1)));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const sign = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes)).slice(0, 16);
  const name = await sign(encoder.encode(id));
  return hexOf(name) + hexOf(await sign(name));
}
