import { dirname, join } from "../../../../runtime/path.ts";
import { hexOf } from "../../../../text/mod.ts";
import { DatabaseError } from "../../errors.ts";
import type { SqlEnvironment } from "../../types.ts";
import {
  type BatchClient,
  loadSqliteDriver,
  rollBack,
  type SqliteConnection,
} from "../sqlite/driver.ts";
import { refuseRebuild } from "./rebuilds.ts";
import type { WranglerDatabase } from "./wrangler.ts";

/** Where wrangler keeps the databases of a project, below the folder of its configuration. */
const STATE = [".wrangler", "state", "v3", "d1", "miniflare-D1DatabaseObject"];
/** How long a statement waits for `wrangler dev` before the run says that it waits. */
const TRY_MS = 20;

/** The SQLite file of a local database, which `wrangler dev` and `wrangler d1 … --local` use too. */
export async function localClient(
  { file, localId }: WranglerDatabase,
  { files }: Pick<SqlEnvironment, "files">,
  redact: (text: string) => string,
): Promise<BatchClient> {
  const path = join(dirname(file), ...STATE, `${await objectName(localId)}.sqlite`);
  const open = await loadSqliteDriver(redact);
  let connection: SqliteConnection | undefined;
  let isClosed = false;
  const connect = (path: string) => {
    // A lock is renewed until the run is over, and once more at the same moment.
    if (isClosed) throw new DatabaseError("lost", "The run is over");
    connection = open(path);
    connection.exec(`PRAGMA busy_timeout = ${TRY_MS}`);
    connection.exec("PRAGMA foreign_keys = ON");
    return connection;
  };
  const writing = async () => {
    if (connection) return connection;
    const isThere = await files.stat(path) !== undefined;
    // SQLite makes the file, as another program may do at the same time, and says why where it cannot.
    if (!isThere) await files.makeFolder(dirname(path)).catch(() => {});
    const made = connect(path);
    if (!isThere) made.exec("PRAGMA journal_mode = WAL");
    return made;
  };
  const client: BatchClient = {
    hasSession: false,
    leastPauseMs: 0,
    async all(sql) {
      if (connection || await files.stat(path)) {
        return (connection ?? connect(path)).all({ sql, values: [] });
      }
      // Reading makes no database: what there is of none is what an empty one has.
      const empty = open(":memory:");
      try {
        return empty.all({ sql, values: [] });
      } finally {
        empty.close();
      }
    },
    change: async (command) => (await writing()).run(command),
    async batch(commands) {
      const connection = await writing();
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
    },
    refuse: (migration) => refuseRebuild(migration, client.all),
    close() {
      isClosed = true;
      connection?.close();
      connection = undefined;
    },
  };
  return client;
}

/** The name of a Durable Object as Miniflare makes it from the name of its class and an identifier. */
async function objectName(id: string): Promise<string> {
  const encoder = new TextEncoder();
  const { subtle } = crypto;
  const raw = await subtle.digest("SHA-256", encoder.encode(STATE.at(-1)));
  const key = await subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const sign = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await subtle.sign("HMAC", key, bytes)).slice(0, 16);
  const name = await sign(encoder.encode(id));
  return hexOf(name) + hexOf(await sign(name));
}
