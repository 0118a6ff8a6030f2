/** TypeScript modules with the types of rows and documents, from the files of a connection. */
import type { TypeModule } from "../../text/typescript.ts";
import type { CommandOptions } from "../../migrations/commands.ts";
import {
  type Connection,
  connectionsOf,
  filesIn,
  sqlConnections,
} from "../../migrations/connections.ts";
import { classifyAll, InvalidFilesError, SchemaError } from "../../migrations/runner/mod.ts";
import { searchMigrations } from "../../migrations/search/offers.ts";
import { EACH } from "../tenants/each.ts";

/** @param url of an empty database to apply the files to @param live whether the configured one is read instead */
export async function databaseTypes(
  url: string | undefined,
  live: boolean | undefined,
  options: CommandOptions,
): Promise<TypeModule> {
  const [connection] = await sqlConnections(options);
  const { datasource, environment } = connection!;
  const { rowTypes } = await import("./rows/module.ts");
  if (live) {
    if (EACH.of(datasource) === undefined) {
      return await rowTypes(datasource, datasource.engine, environment);
    }
    throw new SchemaError(
      `'--live' is for one database: '${datasource.name}' has 'migrations.each'`,
    );
  }
  const { inAppliedDatabase } = await import("../schema/snapshots.ts");
  const { scratchOf } = await import("../schema/checks.ts");
  const files = await filesIn({ connection: datasource.name, extension: ".sql" }, options);
  const scratch = url === undefined ? undefined : scratchOf(url, [connection!], options);
  return await inAppliedDatabase(datasource, files, scratch, environment, (own, given) => {
    return rowTypes(own, datasource.engine, given);
  });
}

export async function clusterTypes(options: CommandOptions): Promise<TypeModule> {
  const [{ target, files }] = await connectionsOf("search", options) as [Connection];
  const { migrations, problems } = await classifyAll(await target.classifier(), files);
  if (problems.length > 0) throw new InvalidFilesError(problems, target.connection);
  const { documentTypes } = await import("./documents/module.ts");
  return documentTypes(searchMigrations(migrations));
}
