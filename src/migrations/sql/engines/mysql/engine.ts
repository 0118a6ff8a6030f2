import { folderOfConnection, networkAddress } from "../../connect/address.ts";
import type { Engine } from "../../types.ts";

export const mysql: Engine = {
  title: "MySQL or MariaDB",
  kind: "mysql",
  schemes: ["mysql", "mariadb"],
  port: 3306,
  isEmbedded: false,
  address: networkAddress,
  folder: folderOfConnection,
  schemas: "are databases",
  lockTimeout: "of a file",
  handles: "a pool of 'mysql2'",
  recognize({ handle, has }) {
    if (!has("getConnection")) return undefined;
    const { connectionConfig } = Object(Object(Object(handle.pool ?? handle).config));
    return { pool: Object(connectionConfig) };
  },
  dialect: async () => (await import("./dialect.ts")).mysql,
  open: async () => (await import("./database.ts")).openMysql,
};
