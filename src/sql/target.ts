import type { Target } from "../migrations/mod.ts";
import { classifySql } from "./classify.ts";
import type { Datasource } from "./datasource.ts";
import { sqlite } from "./dialects/sqlite.ts";
import { SqlSession } from "./session.ts";
import type { Dialect, SqlEnvironment, SqlMigration } from "./types.ts";

const DIALECTS: Readonly<Partial<Record<Datasource["kind"], Dialect>>> = { sqlite };

/** The migrations of one SQL database: files `*.sql`, the table `framework_migrations` (reference 2.7). */
export function sqlTarget(
  datasource: Datasource,
  environment: SqlEnvironment,
): Target<SqlMigration> & { open(): Promise<SqlSession> } {
  const dialect = DIALECTS[datasource.kind];
  if (dialect === undefined) throw new TypeError(`There is no dialect for '${datasource.kind}'`);
  return {
    connection: datasource.name,
    extension: ".sql",
    classify: (file) => classifySql(file, dialect, datasource.migrations),
    // One file of SQL says nothing about another one.
    check: () => [],
    open: () => SqlSession.open(dialect, datasource, environment),
  };
}
