import type { Datasource } from "../../../src/migrations/sql/mod.ts";

export function urlOf(
  { host, port, username, password, database }: Datasource,
  scheme: string,
): string {
  const user = [username ?? "", password?.reveal() ?? ""].map(encodeURIComponent).join(":");
  return `${scheme}://${user}@${host}:${port}/${database}`;
}

/** The statements that make the history which Drizzle 0.45.4 leaves, in this order. */
export function drizzleHistory(
  isPostgresql: boolean,
  rows: readonly { readonly hash: string; readonly when: number }[],
): readonly string[] {
  const history = isPostgresql ? "drizzle.__drizzle_migrations" : "__drizzle_migrations";
  const types = isPostgresql ? "SERIAL PRIMARY KEY" : "INTEGER PRIMARY KEY";
  return [
    ...isPostgresql ? ["CREATE SCHEMA drizzle"] : [],
    `CREATE TABLE ${history} (id ${types}, hash TEXT NOT NULL, created_at BIGINT)`,
    ...rows.map(({ hash, when }, index) =>
      `INSERT INTO ${history} VALUES (${index + 1}, '${hash}', ${when})`
    ),
  ];
}
