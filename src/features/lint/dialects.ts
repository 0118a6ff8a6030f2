import { hexOf } from "../../text/mod.ts";
import { type Datasource, firstSchema } from "../../migrations/sql/connect/datasource.ts";
import type { QueryLive, TableFacts, TableName } from "./facts.ts";
import { describePostgresql } from "./postgresql/live.ts";
import { loadParser, type Parse, TEMPORARY } from "./postgresql/tree.ts";
import type { WordRules } from "./words.ts";

export interface LintedDialect {
  readonly words: WordRules;
  /** The schema of temporary tables. */
  readonly temporary: string;
  /** How many bytes of a name count. @default all */
  readonly longestName?: number;
  /** Whether what it says of a table tells whether that has a row. @default false */
  readonly tellsEmpty?: boolean;
  /** The schema of names without one. */
  home(datasource: Datasource): string;
  parser?(): Promise<Parse>;
  /** Facts of some tables, indexes and domains; missing ones are left out. */
  describe?(
    query: QueryLive,
    names: readonly TableName[],
    options: { readonly sizes: boolean; readonly datasource: Datasource; readonly parse?: Parse },
  ): Promise<readonly TableFacts[]>;
}

const SQLITE: LintedDialect = { words: { folds: "all" }, temporary: "temp", home: () => "main" };

/** By engine, or by its SQL. */
export const LINTED: Readonly<Record<string, LintedDialect>> = {
  postgresql: {
    words: { folds: "plain", locksForIndex: true },
    temporary: TEMPORARY,
    longestName: 63,
    tellsEmpty: true,
    home: ({ schema }) => firstSchema(schema) ?? "public",
    parser: loadParser,
    describe: describePostgresql,
  },
  mysql: {
    words: { folds: "none", isMysql: true },
    temporary: TEMPORARY,
    home: ({ database }) => database,
    describe: describeMysql,
  },
  sqlite: SQLITE,
  d1: { ...SQLITE, words: { folds: "all", keepsForeignKeys: true } },
};

async function describeMysql(
  query: QueryLive,
  names: readonly TableName[],
  { datasource }: { readonly datasource: Datasource },
): Promise<readonly TableFacts[]> {
  const wanted = names.map(({ schema = datasource.database, name }) =>
    `(${[schema, name].map(mysqlLiteral).join(", ")})`
  );
  const { rows } = await query(
    "SELECT TABLE_SCHEMA AS place, TABLE_NAME AS name, TABLE_ROWS AS number, " +
      "DATA_LENGTH + INDEX_LENGTH AS bytes FROM information_schema.TABLES " +
      `WHERE (TABLE_SCHEMA, TABLE_NAME) IN (${wanted.join(", ")})`,
  );
  return rows.map(({ place, name, number, bytes }) => ({
    ...{ schema: `${place}`, name: `${name}`, columns: [], checks: [], isPartitioned: false },
    ...{ rows: Number(number), bytes: Number(bytes) },
  }));
}

/** The same in every `sql_mode`. */
function mysqlLiteral(text: string): string {
  return `_utf8mb4 X'${hexOf(new TextEncoder().encode(text))}'`;
}
