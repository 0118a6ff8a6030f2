/** TypeScript modules with the types of rows and documents, from the files of a connection. */
import type { TypeModule } from "./module_text.ts";
import type { CommandOptions } from "../../migrations/commands.ts";
import { filesOf } from "../../migrations/connections.ts";
import { classifyAll, InvalidFilesError, type Target } from "../../migrations/runner/mod.ts";
import { SQL } from "../../migrations/sql/offers.ts";
import { searchMigrations } from "../../migrations/search/offers.ts";
import { SchemaError } from "../schema/engine.ts";
import { EACH } from "../tenants/each.ts";

/** @param url of an empty database to apply the files to @param live whether the configured one is read instead */
export async function databaseTypes(
  url: string | undefined,
  live: boolean | undefined,
  target: Target,
  options: CommandOptions,
): Promise<TypeModule> {
  const connection = SQL.of(target)!;
  const { datasource, environment } = connection;
  const { rowTypes } = await import("./rows/module.ts");
  if (live) {
    if (EACH.of(datasource) === undefined) {
      return await rowTypes(datasource, datasource.engine, environment);
    }
    throw new SchemaError(
      `'--live' is for one database: '${datasource.name}' has 'migrations.each'`,
    );
  }
  const { Snapshots } = await import("../schema/snapshots.ts");
  const { scratchOf } = await import("../schema/checks.ts");
  const files = await filesOf(target, options);
  const scratch = url === undefined ? undefined : scratchOf(url, [connection], options);
  return await new Snapshots(datasource, environment, scratch).applied(files, (own, given) => {
    return rowTypes(own, datasource.engine, given);
  });
}

export async function clusterTypes(target: Target, options: CommandOptions): Promise<TypeModule> {
  const { migrations, problems } = await classifyAll(
    await target.classifier(),
    await filesOf(target, options),
  );
  if (problems.length > 0) throw new InvalidFilesError(problems, target.connection);
  const { documentTypes } = await import("./documents/module.ts");
  return documentTypes(searchMigrations(migrations));
}
