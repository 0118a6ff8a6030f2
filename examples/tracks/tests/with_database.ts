import { type Application, bootstrap } from "irori";
import { databaseForTest } from "irori/migrations";
import { join } from "node:path";
import process from "node:process";
import { Database } from "../src/database/database.ts";
import { mountReports } from "../src/reports/reports.ts";
import { tracks } from "../tracks.ts";
import { attachment, comments, issues, project } from "./data.ts";

/** A PostgreSQL server where databases can be made. */
const server = process.env.TEST_PG_URL;

/** For tests that cannot run without a server. */
export const needsServer = { skip: server === undefined && "TEST_PG_URL names no PostgreSQL" };

/** The application on a database of its own, listening on a free port. */
export interface Started extends AsyncDisposable {
  readonly app: Application;
  readonly database: Database;
  readonly url: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Restores the initial data. */
  reset(): Promise<void>;
}

export async function startWithDatabase(): Promise<Started> {
  const made = await databaseForTest({ url: server ?? "", root: join(import.meta.dirname!, "..") });
  const app = await bootstrap({
    ...tracks,
    profiles: ["dev"],
    config: { server: { port: 0 }, datasource: [{ name: "main", url: made.url ?? "" }] },
  });
  mountReports(app);
  const listening = await app.listen();
  const database = app.context.get(Database);
  return {
    app,
    database,
    url: listening.url,
    fetch: (path, init) => fetch(new URL(path, listening.url), init),
    reset: () => reset(database),
    async [Symbol.asyncDispose]() {
      await app.close();
      await made.close();
    },
  };
}

async function reset(database: Database): Promise<void> {
  await database.query("TRUNCATE projects, issues, comments, attachments RESTART IDENTITY CASCADE");
  await database.query(
    "INSERT INTO projects SELECT * FROM json_populate_record(NULL::projects, $1)",
    JSON.stringify({ ...project, last_issue: issues.length, created_at: project.createdAt }),
  );
  for (const [table, rows] of Object.entries({ issues, comments, attachments: [attachment] })) {
    const columns = rows.map((row) => ({ ...row, created_at: project.createdAt }));
    await database.query(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
       SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
      JSON.stringify(columns),
    );
  }
  for (const table of ["issues", "comments"]) {
    await database.query(`ALTER TABLE ${table} ALTER id RESTART WITH 4`);
  }
}
