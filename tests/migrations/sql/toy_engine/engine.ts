import {
  fileAddress,
  folderOfConnection,
  networkAddress,
} from "../../../../src/migrations/sql/connect/address.ts";
import type { Dialect, Engine } from "../../../../src/migrations/sql/types.ts";

/** Follows the recipe of CONTRIBUTING.md: an engine in a folder of its own, here on top of SQLite. */
export const toy: Engine = {
  title: "Toy",
  kind: "toy",
  schemes: ["toy"],
  otherSchemes: [],
  port: 0,
  isEmbedded: true,
  address: fileAddress,
  folder: folderOfConnection,
  schemas: "none",
  lockTimeout: "none",
  handles: "a ToyBox",
  recognize: ({ handle, has }) => has("play") ? { file: `${handle.box}` } : undefined,
  async dialect(): Promise<Dialect> {
    const { sqlite } = await import("../../../../src/migrations/sql/engines/sqlite/dialect.ts");
    return { ...sqlite, name: "Toy" };
  },
  async open() {
    const { openSqlite } = await import(
      "../../../../src/migrations/sql/engines/sqlite/database.ts"
    );
    return openSqlite;
  },
};

/** Toy as a server with schemas, of which no feature knows anything either. */
export const toyServer: Engine = {
  ...toy,
  title: "Toy Server",
  kind: "toyserver",
  schemes: ["toyserver"],
  port: 4711,
  isEmbedded: false,
  address: networkAddress,
  schemas: "in databases",
  recognize: () => undefined,
};
