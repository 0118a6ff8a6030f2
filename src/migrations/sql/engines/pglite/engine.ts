import { fileAddress } from "../../connect/address.ts";
import type { Engine } from "../../types.ts";
import { postgresql } from "../postgresql/engine.ts";

/** PostgreSQL in this process: its SQL is that of the server. */
export const pglite: Engine = {
  ...postgresql,
  title: "PGlite",
  schemes: ["pglite"],
  port: 0,
  isEmbedded: true,
  address: fileAddress,
  handles: "a PGlite",
  recognize({ handle: { dataDir }, has }) {
    if (!has("execProtocol", "runExclusive")) return undefined;
    const isFolder = typeof dataDir === "string" && !dataDir.startsWith("memory://");
    return { file: isFolder ? dataDir.replace(/^file:\/\//, "") : "" };
  },
  open: async () => (await import("./database.ts")).openPglite,
};
