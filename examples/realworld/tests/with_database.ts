import { bootstrap } from "irori";
import { databaseForTest } from "irori/migrations";
import process from "node:process";
import { conduit } from "../src/application.ts";

/** A PostgreSQL server where databases can be made. */
const server = process.env.TEST_PG_URL;

/** For tests that cannot run without a server. */
export const needsServer = {
  skip: server === undefined && "TEST_PG_URL names no PostgreSQL",
};

/** The application on a database of its own, listening on a free port. */
export async function start() {
  const database = await databaseForTest({
    url: server ?? "",
    root: conduit.root,
  });
  const app = await bootstrap({
    ...conduit,
    profiles: ["dev"],
    config: {
      server: { port: 0 },
      datasource: [{ name: "main", url: database.url ?? "" }],
    },
  });
  const { url } = await app.listen();
  return {
    app,
    /** Without the context path. */
    url: new URL(url).origin,
    async [Symbol.asyncDispose]() {
      await app.close();
      await database.close();
    },
  };
}
