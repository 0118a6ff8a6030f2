import { sqlConnections } from "../../migrations/commands.ts";
import { join, resolve } from "../../runtime/path.ts";
import { commandContext } from "./_context.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import type { GlobalOptions } from "../types.ts";

type Kind = "postgresql" | "mysql" | "sqlite";
type Schemas = Readonly<Partial<Record<Kind, string>>>;

type Files = () => AsyncIterable<string>;

/** Tables of the library that a migration creates, by what `irori new` is given. `migrations/sql/own_tables.ts` has their names. */
const SCHEMAS: Readonly<Record<string, (files: Files) => Promise<Schemas>>> = {
  "schedules-schema": async () =>
    (await import("../../features/scheduling/schema.ts")).SCHEDULES_SCHEMA,
  "idempotency-schema": async () =>
    (await import("../../features/idempotency/schema.ts")).IDEMPOTENCY_SCHEMA,
  "jobs-schema": async (files) => {
    const { jobsSchema, writtenVersion } = await import("../../features/jobs/schema.ts");
    let written: number | undefined;
    for await (const text of files()) written = Math.max(written ?? 0, writtenVersion(text) ?? 0);
    const sql = await jobsSchema(written || undefined);
    if (sql !== undefined) return { postgresql: sql };
    throw new UsageError(
      `Nothing to write: a migration has the schema of jobs in version ${written} already, which 'pg-boss' needs`,
    );
  },
};

export async function ownSchema(
  runtime: Runtime,
  options: GlobalOptions & { readonly connection: string },
  name: string,
): Promise<string | undefined> {
  if (options.type !== "sql" || !Object.hasOwn(SCHEMAS, name)) return undefined;
  using context = await commandContext(runtime, options);
  const [connection] = await sqlConnections(context.options);
  const { kind } = connection!.datasource;
  const folder = join(resolve(runtime.cwd(), options.sqlPath), options.connection);
  const schemas = await SCHEMAS[name]!(() => textsIn(runtime, folder));
  const sql = schemas[kind];
  if (sql !== undefined) {
    for await (const text of textsIn(runtime, folder)) {
      if (!text.includes(sql)) continue;
      throw new UsageError(
        `Nothing to write: a migration of '${options.connection}' has it already`,
      );
    }
    return sql;
  }
  throw new UsageError(
    `Cannot write '${name}' for '${options.connection}': jobs need PostgreSQL, found ${
      NAMES[kind]
    }`,
  );
}

const NAMES = { postgresql: "PostgreSQL", mysql: "MySQL or MariaDB", sqlite: "SQLite" } as const;

async function* textsIn({ files }: Runtime, folder: string): AsyncIterable<string> {
  if (await files.stat(folder) === undefined) return;
  for await (const { path, relative } of files.walk(folder)) {
    if (relative.endsWith(".sql")) yield await files.readTextFile(path);
  }
}
