import type { ForeignTable, Tool } from "./tool.ts";

/** Tools whose rows are not files: changesets, revisions, positions of programs. `baseline --until` is the way from them. */
export const RECOGNISED: readonly Tool[] = [
  tool("liquibase", "Liquibase", "databasechangelog", has("md5sum")),
  tool("alembic", "Alembic", "alembic_version", has("version_num")),
  {
    ...tool("goose", "goose", "goose_db_version", has("version_id")),
    // Its first row is no file.
    isEmpty: (rows) => rows.every(({ version_id }) => Number(version_id) === 0),
  },
  tool("rails", "Rails", "schema_migrations", ({ columns }, names) => {
    return columns.join() === "version" && names.has("ar_internal_metadata");
  }),
  tool("drizzle", "Drizzle", "__drizzle_migrations", has("hash")),
  tool("kysely", "Kysely", "kysely_migration", has("name")),
  tool("umzug", "Umzug", "sequelizemeta", has("name")),
];

function tool(id: string, name: string, table: string, isOwn: Tool["isOwn"]): Tool {
  return { id, name, tables: [table], isOwn };
}

function has(column: string): (table: ForeignTable) => boolean {
  return ({ columns }) => columns.includes(column);
}
