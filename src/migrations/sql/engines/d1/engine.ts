import type { AddressDetails } from "../../connect/address.ts";
import type { Datasource } from "../../connect/datasource.ts";
import type { Engine } from "../../types.ts";
import { folderOfConnection } from "../shared/folder.ts";
import { sqlite } from "../sqlite/engine.ts";

/** The host of D1's HTTP API, by which a datasource tells the database of Cloudflare from the local one. */
export const API_HOST = "api.cloudflare.com";

/**
 * Cloudflare D1, SQLite without sessions: the file that wrangler keeps on this machine, the database of Cloudflare by its
 * HTTP API, or a binding that the application has.
 */
export const d1: Engine = {
  ...sqlite,
  title: "Cloudflare D1",
  schemes: ["d1"],
  handles: "a D1Database",
  address,
  async folder(root, datasource, environment) {
    if (isBinding(datasource)) return await folderOfConnection(root, datasource, environment);
    const { databaseOf } = await import("./wrangler.ts");
    return (await databaseOf(datasource, environment)).folder;
  },
  recognize: ({ has }) => has("batch", "prepare", "exec") ? { file: "" } : undefined,
  dialect: async () => (await import("./dialect.ts")).d1,
  open: async () => (await import("./open.ts")).openD1,
};

/** Whether a datasource is only a binding that the application has, without a name that wrangler's configuration knows. */
export function isBinding({ database }: Pick<Datasource, "database">): boolean {
  return database === ":memory:";
}

/** `DB`, `apps/worker/DB`, `DB?remote`: the folder of wrangler's configuration, and a binding or the name of a database. */
function address(rest: string): AddressDetails {
  const [, database = "", remote, more] = /^(?:\/\/)?(.*?)(\?remote(?:=true)?)?(\?.*)?$/
    .exec(rest)!;
  if (more !== undefined || /(?:^|[\\/])$/.test(database) || database === ":memory:") {
    throw new TypeError(
      "Cannot read the URL: expected 'd1:' and a binding or the name of a database in wrangler's configuration, such as " +
        "'d1:DB' for the local one or 'd1:DB?remote' for that of Cloudflare",
    );
  }
  return { database, parameters: new Map(), ...(remote && { host: API_HOST, port: 443 }) };
}
