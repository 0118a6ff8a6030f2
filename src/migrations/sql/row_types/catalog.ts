import type { Datasource } from "../connect/datasource.ts";
import type { PostgresqlConnection } from "../engines/postgresql/driver.ts";
import { DatabaseError } from "../errors.ts";
import { connectionFailure } from "../failure.ts";
import { isHistory } from "../foreign/read.ts";
import { TABLE } from "../journal/records.ts";
import { matcherOf } from "../schema/ignored.ts";
import type { SqlEnvironment } from "../types.ts";

/** What a module of types says of a database. */
export interface Catalog {
  readonly tables: readonly TableInfo[];
  readonly enums: readonly EnumInfo[];
}

export interface EnumInfo {
  /** Of the type in the module. */
  readonly name: string;
  readonly labels: readonly string[];
}

export interface TableInfo {
  /** Of PostgreSQL. */
  readonly schema?: string;
  readonly name: string;
  /** As queries name it: `audit.log` outside of the default schema. */
  readonly key: string;
  readonly isView: boolean;
  readonly comment: string;
  readonly columns: readonly ColumnInfo[];
}

/** Types are texts of TypeScript, without `null`. */
export interface ColumnInfo {
  readonly name: string;
  /** What the driver returns by default. */
  readonly select: string;
  /** What it accepts; absent if the database alone makes the value. */
  readonly insert?: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  readonly comment: string;
}

/**
 * Reads the tables and views of a database by queries of its catalog alone, without history tables.
 *
 * @param engine of the application, whose driver decides the types of values
 */
export async function catalogOf(
  datasource: Datasource,
  engine: Datasource["engine"],
  environment: SqlEnvironment,
): Promise<Catalog> {
  const { tables, enums } = await read(datasource, engine, environment).catch((error) => {
    throw connectionFailure(datasource.name, error);
  });
  const isIgnored = matcherOf(datasource.migrations.driftIgnore ?? []);
  const all = new Set(tables.map(({ name }) => name.toLowerCase()));
  return {
    enums,
    tables: tables.filter((table) => {
      const { schema, name } = table;
      if (name === TABLE || isIgnored(name) || isIgnored(`${schema}.${name}`)) return false;
      const columns = table.columns.map((column) => column.name.toLowerCase());
      return !isHistory({ ...table, columns }, all);
    }),
  };
}

async function read(
  datasource: Datasource,
  engine: Datasource["engine"],
  environment: SqlEnvironment,
): Promise<Catalog> {
  if (datasource.kind === "sqlite") return await fromSqlite(datasource, environment);
  if (datasource.kind === "mysql") return await fromMysql(datasource, environment);
  const { readPostgresql } = await import("./postgresql.ts");
  const driver = engine === "pglite" ? "PGlite" : "pg";
  return await withPostgresql(datasource, environment, (connection) => {
    return readPostgresql(connection, datasource.schema, driver);
  });
}

async function fromSqlite({ database }: Datasource, { using, files }: SqlEnvironment) {
  const { loadSqliteDriver, wrapSqlite } = await import("../engines/sqlite/driver.ts");
  const { readSqlite } = await import("./sqlite.ts");
  if (using !== undefined) return readSqlite(wrapSqlite(database, using as never));
  const open = await loadSqliteDriver();
  // Opening it would create it.
  if (await files.stat(database) === undefined) {
    throw new DatabaseError("lost", `The database '${database}' does not exist`);
  }
  const connection = open(database);
  try {
    return readSqlite(connection);
  } finally {
    connection.close();
  }
}

async function fromMysql(datasource: Datasource, environment: SqlEnvironment) {
  const { connectMysql } = await import("../engines/mysql/driver.ts");
  const { readMysql } = await import("./mysql.ts");
  const connection = await connectMysql(datasource, environment);
  try {
    return await readMysql(connection);
  } finally {
    await connection.close();
  }
}

async function withPostgresql<T>(
  datasource: Datasource,
  environment: SqlEnvironment,
  work: (connection: Pick<PostgresqlConnection, "send">) => Promise<T>,
): Promise<T> {
  const { connectionOver, connectPostgresql } = await import("../engines/postgresql/driver.ts");
  if (datasource.engine === "pglite") {
    const { withPglite } = await import("../engines/pglite/database.ts");
    const { pgliteWire } = await import("../engines/pglite/driver.ts");
    return await withPglite(datasource, environment, async (pglite) => {
      const wire = pgliteWire(pglite, () => Promise.resolve());
      return await work(connectionOver(wire, (text) => text));
    });
  }
  const connection = await connectPostgresql(datasource, environment);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
