import { errorOf } from "../../../../text/mod.ts";
import { fileAddress, folderOfConnection } from "../../connect/address.ts";
import type { Engine } from "../../types.ts";
import type { DatabaseSync } from "./driver.ts";

export const sqlite: Engine = {
  title: "SQLite",
  kind: "sqlite",
  schemes: ["sqlite"],
  port: 0,
  isEmbedded: true,
  address: fileAddress,
  folder: folderOfConnection,
  schemas: "none",
  lockTimeout: "none",
  handles: "a DatabaseSync of 'node:sqlite'",
  recognize({ handle, has }) {
    // Packages with a `transaction()` give rows in another form; D1 has a `batch()`.
    const isOther = ["query", "transaction", "batch"].some((name) => has(name));
    if (isOther || !has("prepare", "exec")) return undefined;
    return { file: databaseFile(handle as unknown as DatabaseSync) };
  },
  dialect: async () => (await import("./dialect.ts")).sqlite,
  open: async () => (await import("./database.ts")).openSqlite,
};

/** SQLite without a session, by a connection of the application: libSQL, `Bun.SQL`. */
export const batch: Engine = {
  ...sqlite,
  schemes: [],
  handles: "a client of '@libsql/client'",
  recognize({ handle, has }) {
    const isBun = has("reserve", "unsafe") && Object(handle.options).adapter === "sqlite";
    return isBun || has("batch", "execute", "migrate") ? { file: "" } : undefined;
  },
  open: async () => (await import("./batches.ts")).openBatches,
};

/** The database itself knows its file in every version of `node:sqlite`. @throws {TypeError} when it is closed */
function databaseFile(database: DatabaseSync): string {
  try {
    const query = "SELECT file FROM pragma_database_list WHERE name = 'main'";
    const [file] = Object.values(database.prepare(query).all()[0] ?? {});
    return `${file ?? ""}`;
  } catch (error) {
    throw new TypeError(`Expected a database that is open: ${errorOf(error).message}`);
  }
}
