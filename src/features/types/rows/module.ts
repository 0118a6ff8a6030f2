/** TypeScript types of the rows of a database; loaded only by the command that writes them. */
import { literals, propertyName } from "../../../text/typescript.ts";
import { docComment, moduleOf, type TypeModule, TypeNames } from "../module_text.ts";
import { type Datasource, firstSchema } from "../../../migrations/sql/connect/datasource.ts";
import { ofEngine } from "../../../migrations/sql/engines/table.ts";
import { connectionFailure } from "../../../migrations/sql/failure.ts";
import { toBoolean } from "../../../migrations/sql/foreign/tool.ts";
import { withPlaceholders } from "../../schema/clean.ts";
import { openDatabase } from "../../../migrations/sql/target.ts";
import type { SqlEnvironment } from "../../../migrations/sql/types.ts";
import {
  type Catalog,
  type CatalogRow,
  type ReadCatalog,
  type Table,
  tablesOf,
} from "./catalog.ts";
import { DRIFT_IGNORE } from "../../schema/feature.ts";

const READERS: Readonly<Record<string, () => Promise<ReadCatalog>>> = {
  sqlite: async () => (await import("./sqlite.ts")).readSqlite,
  d1: async () => (await import("./sqlite.ts")).readSqlite,
  postgresql: async () => (await import("./postgresql.ts")).readPostgresql,
  pglite: async () => (await import("./postgresql.ts")).readPglite,
  mysql: async () => (await import("./mysql.ts")).readMysql,
};

/**
 * Reads a database by queries of its catalog alone. The same tables give the same text.
 *
 * @param engine of the application, whose driver decides the types of values
 */
export async function rowTypes(
  datasource: Datasource,
  engine: Datasource["engine"],
  environment: SqlEnvironment,
): Promise<TypeModule> {
  const { name, kind, migrations: { placeholders } } = datasource;
  const names = new TypeNames(RESERVED);
  const home = firstSchema(datasource.schema) ?? "public";
  const read = await ofEngine(READERS, { kind, ...(engine && { engine }) }, "'types'")();
  const database = await openDatabase(datasource, environment);
  try {
    const catalog = await read(database, names, home);
    const tables = tablesOf(catalog, { home, ignored: DRIFT_IGNORE.of(datasource) ?? [] }, names);
    return { text: withPlaceholders(write(catalog, tables), placeholders), count: tables.length };
  } catch (error) {
    throw connectionFailure(name, error);
  } finally {
    await database.close();
  }
}

function write({ typesOf, enums = new Map() }: Catalog, tables: readonly Table[]): string {
  const described = tables.map(({ type, rows }) => {
    const columns = rows.filter(({ name }) => name !== null);
    const members = columns.map((row) => memberOf(row, "", typesOf(row)[0]));
    const row = `${commentOf(rows[0]!.relation_comment)}${interfaceText(type, members)}`;
    if (isView(rows)) return row;
    const inserted = columns.filter((row) => !toBoolean(row.is_generated)).map((row) => {
      const insert = typesOf(row).at(-1)!;
      const isOptional = !toBoolean(row.not_null) || toBoolean(row.has_default);
      return memberOf(row, isOptional ? "?" : "", insert);
    });
    const update = `export type ${type}Update = Partial<New${type}>;\n`;
    return [row, interfaceText(`New${type}`, inserted), update].join("\n");
  });
  const unions = [...enums].map(([name, labels]) => `export type ${name} = ${literals(labels)};\n`);
  const inSchemas = new Set(
    tables.filter(({ key, rows }) => key !== rows[0]!.relation).map(({ key }) => key),
  );
  // Queries take 'a.b' for the table 'b' of the schema 'a', if there is one.
  const named = tables.filter(({ key, rows }) => key !== rows[0]!.relation || !inSchemas.has(key));
  const keys = named.map(({ key, type, rows }) => {
    const inserted = isView(rows) ? "" : `, New${type}`;
    return `  ${propertyName(key)}: Table<${type}${inserted}>;\n`;
  });
  const database =
    "/** The tables and views as Kysely takes them: `new Kysely<Database>(…)`. */\n" +
    interfaceText("Database", keys);
  return moduleOf([...unions, ...described, database].join("\n"), DECLARATIONS);
}

function isView([row]: readonly CatalogRow[]): boolean {
  return toBoolean(row!.is_view);
}

function commentOf(comment: unknown, indent?: string): string {
  return docComment(`${comment ?? ""}`, indent);
}

function memberOf({ name, comment, not_null }: CatalogRow, mark: string, type: string): string {
  const isNullable = !toBoolean(not_null) && type !== "unknown";
  return `${commentOf(comment, "  ")}  ${propertyName(`${name}`)}${mark}: ${type}${
    isNullable ? " | null" : ""
  };\n`;
}

function interfaceText(name: string, members: readonly string[]): string {
  return `export interface ${name} {\n${members.join("")}}\n`;
}

/** `Table` has columns in the form of Kysely's `ColumnType`, so that the module needs no package. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  Json: `/** Parsed JSON. */
export type Json = boolean | null | number | string | Json[] | { [name: string]: Json | undefined };
`,
  JsonInput: `/** A text is JSON itself. Send a list as \`JSON.stringify(list)\`. */
export type JsonInput = boolean | number | string | { [name: string]: Json | undefined };
`,
  Interval: `export interface Interval {
  years?: number;
  months?: number;
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
  milliseconds?: number;
  toPostgres(): string;
  toISO(): string;
  toISOString(): string;
}
`,
  Point: "export type Point = { x: number; y: number };\n",
  Circle: "export type Circle = { x: number; y: number; radius: number };\n",
  Table: `type Table<Row, New = object> = {
  [Name in keyof Row]: {
    readonly __select__: Row[Name];
    readonly __insert__: Name extends keyof New ? New[Name] : never;
    readonly __update__: Name extends keyof New ? Required<New>[Name] : never;
  };
};
`,
};

/** Names of a module that no table and no enum has. */
const RESERVED: readonly string[] = [
  ...Object.keys(DECLARATIONS),
  ...["Database", "Date", "Partial", "Required", "Uint8Array"],
];
