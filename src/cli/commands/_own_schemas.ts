import { sqlConnections } from "../../migrations/commands.ts";
import { commandContext } from "./_context.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { GlobalOptions } from "../types.ts";

type Schemas = Readonly<Record<"postgresql" | "mysql" | "sqlite", string>>;

/** Tables of the library that a migration creates, by what `irori new` is given. `migrations/sql/own_tables.ts` has their names. */
const SCHEMAS: Readonly<Record<string, () => Promise<Schemas>>> = {
  "schedules-schema": async () => (await import("../../scheduling/schema.ts")).SCHEDULES_SCHEMA,
  "idempotency-schema": async () =>
    (await import("../../idempotency/schema.ts")).IDEMPOTENCY_SCHEMA,
};

/** The content of a migration that creates tables of the library, in the SQL of a connection. */
export async function ownSchema(
  runtime: Runtime,
  options: GlobalOptions,
  name: string,
): Promise<string | undefined> {
  if (options.type !== "sql" || !Object.hasOwn(SCHEMAS, name)) return undefined;
  using context = await commandContext(runtime, options);
  const [{ datasource } = { datasource: undefined }] = await sqlConnections(context.options);
  const schemas = await SCHEMAS[name]!();
  return datasource && schemas[datasource.kind];
}
