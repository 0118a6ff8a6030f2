import { folderOfConnection, networkAddress } from "../../connect/address.ts";
import type { Engine } from "../../types.ts";

/** The engine that `Bun.SQL` connects to; `postgres` has no such option. */
const ADAPTERS = ["undefined", "postgres"];

export const postgresql: Engine = {
  title: "PostgreSQL",
  kind: "postgresql",
  schemes: ["postgres"],
  otherSchemes: ["postgresql", "pgsql"],
  port: 5432,
  isEmbedded: false,
  address: networkAddress,
  folder: folderOfConnection,
  schemas: "in databases",
  lockTimeout: "of all files",
  handles: "a Pool of 'pg' or '@neondatabase/serverless', an instance of 'postgres' or Bun.SQL",
  recognize({ handle, has }) {
    const isReserving = has("reserve", "unsafe") && !has("release") &&
      ADAPTERS.includes(`${Object(handle.options).adapter}`);
    const isPool = has("connect") && typeof handle.totalCount === "number";
    return isReserving || isPool ? { pool: Object(handle.options) } : undefined;
  },
  dialect: async () => (await import("./dialect.ts")).postgresql,
  open: async () => (await import("./database.ts")).openPostgresql,
};
