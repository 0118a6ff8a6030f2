import type { Classifier } from "../runner/mod.ts";
import { classifySql } from "./classify.ts";
import type { Datasource } from "./datasource.ts";
import { mysql } from "./dialects/mysql.ts";
import { postgresql } from "./dialects/postgresql.ts";
import { sqlite } from "./dialects/sqlite.ts";
import type { Dialect, SessionFacts, SqlMigration } from "./types.ts";

/** How SQL is written for each kind of database. */
export const DIALECTS: Readonly<Record<Datasource["kind"], Dialect>> = {
  sqlite,
  postgresql,
  mysql,
};

/**
 * Understands the files of a datasource.
 *
 * @param facts of the session that they are to run in; without any, what servers do by default
 */
export function classifierOf(
  { kind, migrations }: Pick<Datasource, "kind" | "migrations">,
  facts: () => SessionFacts = () => ({}),
): Classifier<SqlMigration> {
  return {
    // One file of SQL says nothing about another one.
    comparesFiles: false,
    ignoresLineEnds: true,
    classify: (file) => classifySql(file, DIALECTS[kind], migrations, facts()),
    check: () => [],
    followers: () => new Set(),
  };
}
