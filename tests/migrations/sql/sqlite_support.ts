import { DatabaseSync } from "node:sqlite";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";

/** Where the databases are; gone when the tests of the file are done. */
export const folder = Deno.makeTempDirSync({ prefix: "irori-sqlite-" });
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
let databases = 0;

/** A database that does not exist yet. */
export function create(options: Partial<Datasource> = {}): Promise<Datasource> {
  return Promise.resolve({
    name: "main",
    kind: "sqlite",
    database: `${folder}/${++databases}.db`,
    host: "localhost",
    port: 0,
    connectTimeoutMs: 5000,
    offers: [],
    migrations: { enabled: true, onChange: "fail", placeholders: {} },
    ...options,
  });
}

/** Nothing to do: the folder goes as a whole. */
export async function cleanUp(): Promise<void> {}

export function query(
  { database }: Datasource,
  sql: string,
): Promise<Record<string, unknown>[]> {
  using connection = new DatabaseSync(database);
  return Promise.resolve(connection.prepare(sql).all().map((row) => ({ ...row })));
}
