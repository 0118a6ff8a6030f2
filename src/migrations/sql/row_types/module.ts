/** TypeScript types of the rows of a database; loaded only by the command that writes them. */
import { docComment, moduleOf, propertyName, TypeNames } from "../../../text/typescript.ts";
import type { Datasource } from "../connect/datasource.ts";
import { withPlaceholders } from "../schema/clean.ts";
import type { SqlEnvironment } from "../types.ts";
import { catalogOf, type ColumnInfo, type TableInfo } from "./catalog.ts";
import { DECLARATIONS, RESERVED } from "./declarations.ts";

/** A module of types, and how many tables and views it describes. */
export interface RowTypes {
  readonly text: string;
  readonly count: number;
}

/**
 * Reads the catalog of a database. Writes nothing. The same tables give the same text.
 *
 * @param engine of the application, whose driver decides the types of values
 */
export async function rowTypes(
  datasource: Datasource,
  engine: Datasource["engine"],
  environment: SqlEnvironment,
): Promise<RowTypes> {
  const { tables, enums } = await catalogOf(datasource, engine, environment);
  const names = new TypeNames([...RESERVED, ...enums.map(({ name }) => name)]);
  // The table 'users' gets its name before 'new_users', which would take 'NewUsers'.
  const types = new Map(
    tables.map(({ key }) => key).toSorted((a, b) => a.length - b.length).map((key) => {
      return [key, names.take(key, { with: (name) => [`New${name}`, `${name}Update`] })];
    }),
  );
  const named = tables.map((table) => ({ ...table, type: types.get(table.key)! }));
  const unions = enums.map(({ name, labels }) => {
    const label = labels.map((label) => JSON.stringify(label)).join(" | ");
    return `export type ${name} = ${label || "never"};\n`;
  });
  const parts = [...unions, ...named.map(tableText), databaseText(named)];
  const text = moduleOf(parts.join("\n"), DECLARATIONS);
  return {
    text: withPlaceholders(text, datasource.migrations.placeholders),
    count: tables.length,
  };
}

interface NamedTable extends TableInfo {
  readonly type: string;
}

function tableText({ type, isView, comment, columns }: NamedTable): string {
  const row = interfaceText(
    type,
    columns.map(({ name, select, isNullable, comment }) => {
      return `${docComment(comment, "  ")}  ${propertyName(name)}: ${
        nullable(select, isNullable)
      };\n`;
    }),
  );
  if (isView) return docComment(comment) + row;
  return [
    docComment(comment) + row,
    interfaceText(`New${type}`, columns.map(insertText)),
    `export type ${type}Update = Partial<New${type}>;\n`,
  ].join("\n");
}

function insertText({ name, insert, isNullable, hasDefault, comment }: ColumnInfo): string {
  if (insert === undefined) return "";
  const mark = isNullable || hasDefault ? "?" : "";
  return `${docComment(comment, "  ")}  ${propertyName(name)}${mark}: ${
    nullable(insert, isNullable)
  };\n`;
}

function interfaceText(name: string, members: readonly string[]): string {
  return `export interface ${name} {\n${members.join("")}}\n`;
}

function nullable(type: string, isNullable: boolean): string {
  return isNullable && type !== "unknown" ? `${type} | null` : type;
}

function databaseText(tables: readonly NamedTable[]): string {
  const members = tables.map(({ key, type, isView }) =>
    `  ${propertyName(key)}: ${isView ? `View<${type}>` : `Table<${type}, New${type}>`};\n`
  );
  return `/** The tables and views as Kysely takes them: \`new Kysely<Database>(…)\`. */\n${
    interfaceText("Database", members)
  }`;
}
