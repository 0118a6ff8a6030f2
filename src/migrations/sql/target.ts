import type { Target } from "../runner/mod.ts";
import { classifySql } from "./classify.ts";
import type { Datasource } from "./datasource.ts";
import { mysql } from "./dialects/mysql.ts";
import { postgresql } from "./dialects/postgresql.ts";
import { sqlite } from "./dialects/sqlite.ts";
import { SqlSession } from "./session.ts";
import type { Dialect, SqlEnvironment, SqlMigration } from "./types.ts";

/** A SQL database as a target of migrations. */
export interface SqlTarget extends Target<SqlMigration> {
  /** Connects. @throws {ConnectionError} */
  open(): Promise<SqlSession>;
}

const DIALECTS: Readonly<Record<Datasource["kind"], Dialect>> = { sqlite, postgresql, mysql };

/** The migrations of one SQL database: files `*.sql`, the table `framework_migrations` (reference 2.7). */
export function sqlTarget(datasource: Datasource, environment: SqlEnvironment): SqlTarget {
  const dialect = DIALECTS[datasource.kind];
  return {
    connection: datasource.name,
    extension: ".sql",
    classify: (file) => classifySql(file, dialect, datasource.migrations),
    // One file of SQL says nothing about another one.
    check: () => [],
    open: () => SqlSession.open(dialect, datasource, environment),
  };
}
