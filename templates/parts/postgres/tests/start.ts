import { PGlite } from "@electric-sql/pglite";
import { databaseForTest } from "irori/migrations";
import { asUser, testApplication } from "irori/testing"; // {{?security}}
import { testApplication } from "irori/testing"; // {{!security}}
import { PgliteTransactions, PgTransactions } from "irori/transactions";
import process from "node:process";
import { after } from "node:test";
import { application } from "../src/application.ts";

/** A server on which the user may create databases. Without one, PGlite runs PostgreSQL in this process. */
const server = process.env.TEST_DATABASE_URL;

// Starting it takes seconds: the tests of a file share it, and each begins with empty tables.
const pglite = server ? undefined : await PGlite.create();
if (pglite) await databaseForTest({ using: pglite, root: application.root });
after(() => pglite?.close()); // Otherwise a timer of PGlite keeps the process alive for 10 seconds.

const EMPTY_TABLES = `DO $$ BEGIN EXECUTE (
  SELECT format('TRUNCATE %s RESTART IDENTITY CASCADE', string_agg(quote_ident(tablename), ', '))
  FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'framework_migrations'
); END $$`;

/** The application on an empty database, with the migrations applied. */
export async function start() {
  const { url, overrides, close } = await emptyDatabase();
  const config = {
    ...application.config,
    datasource: [{ name: "main", url, migrations: { enabled: true } }],
    "admin.password": "of the tests", // {{?security}}
    "jobs.memory": overrides !== undefined, // {{?jobs}}
    "logging.level.root": "OFF", // {{?logging}}
    "logging.level.users": "OFF", // {{?logging}}
  };
  const app = await testApplication({ ...application, startup: [], config, overrides });
  const admin = { name: "admin", roles: ["admin"] }; // {{?security}}
  const headers = { "Content-Type": "application/json" }; // {{?security}}
  return {
    app,
    get: app.get, // {{!security}}
    send: app.send, // {{!security}}
    // Requests of the administrator. // {{?security}}
    get: (path: string) => app.request(asUser(admin, path)), // {{?security}}
    send: (method: string, path: string, body: unknown) => // {{?security}}
      app.request(asUser(admin, path, { method, headers, body: JSON.stringify(body) })), // {{?security}}
    async [Symbol.asyncDispose]() {
      await app.close();
      await close();
    },
  };
}

async function emptyDatabase() {
  if (pglite) {
    await pglite.exec(EMPTY_TABLES);
    const overrides = new Map([[PgTransactions, new PgliteTransactions(pglite)]]);
    // The pool of this URL is not used.
    return { url: "postgres://127.0.0.1:1/none", overrides, close: () => Promise.resolve() };
  }
  const { url = "", close } = await databaseForTest({ url: server, root: application.root });
  return { url, overrides: undefined, close };
}
