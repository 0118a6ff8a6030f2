import { databaseForTest } from "irori/migrations";
import { testApplication } from "irori/testing";
import { current, PgTransactions } from "irori/transactions";
import process from "node:process";
import { orders } from "../orders.ts";

/** A PostgreSQL server on which the user may create databases. */
const server = process.env.TEST_PG_URL;

/** Skips tests without a server. */
export const needsServer = {
  skip: server === undefined && "TEST_PG_URL names no PostgreSQL",
};

/** The application on a new database with its migrations. */
export async function start(extensions = orders.extensions) {
  const { url = "", close } = await databaseForTest({
    url: server,
    root: orders.root,
  });
  const app = await testApplication({
    ...orders,
    extensions,
    config: { datasource: [{ name: "main", url }] },
  });
  return {
    app,
    place: (key: string, order: object) =>
      app.send("POST", "/orders", order, { "Idempotency-Key": key }),
    query: async (sql: string) => (await current(app.context.get(PgTransactions)).query(sql)).rows,
    async [Symbol.asyncDispose]() {
      await app.close();
      await close();
    },
  };
}
