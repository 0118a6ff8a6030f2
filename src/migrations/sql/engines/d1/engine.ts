import { folderOfConnection } from "../../connect/address.ts";
import type { Engine } from "../../types.ts";
import { sqlite } from "../sqlite/engine.ts";
import { d1Address, isBinding } from "./address.ts";

/**
 * Cloudflare D1, SQLite without sessions: the file that wrangler keeps on this machine, the database of Cloudflare by its
 * HTTP API, or a binding that the application has.
 */
export const d1: Engine = {
  ...sqlite,
  title: "Cloudflare D1",
  schemes: ["d1"],
  handles: "a D1Database",
  address: d1Address,
  async folder(root, datasource, environment) {
    if (isBinding(datasource)) return await folderOfConnection(root, datasource);
    const { databaseOf } = await import("./wrangler.ts");
    return (await databaseOf(datasource, environment)).folder;
  },
  recognize: ({ has }) => has("batch", "prepare", "exec") ? {} : undefined,
  dialect: async () => (await import("./dialect.ts")).d1,
  open: async () => (await import("./open.ts")).openD1,
};
