/**
 * The third door of this room, for the command line: the schemas of databases.
 *
 * @module
 */
import { createConfig } from "../config/mod.ts";
import type { CommandOptions, Finding } from "./commands.ts";
import { filesOf, type SqlConnection, sqlConnections } from "./connections.ts";
import { SchemaError } from "./runner/mod.ts";
import { type Datasource, readDatasources } from "./sql/mod.ts";
import { checkSchema, isSameDatabase, schemaOf } from "./sql/schema.ts";

/** What {@linkcode checkSchemas} has compared. */
export interface ComparedSchema {
  /** Absolute path of the file; absent where the configuration names none, and nothing was compared. */
  readonly path?: string;
  /** How many files of migrations were applied. */
  readonly files: number;
  /** What differs, as `diff -u` prints it. */
  readonly differences: readonly string[];
}

/**
 * The schemas of the enabled datasources as they are. Nothing is written.
 *
 * @throws {SchemaError} when one cannot be read
 */
export async function currentSchemas(options: CommandOptions): Promise<readonly Finding<string>[]> {
  const findings: Finding<string>[] = [];
  for (const { datasource, environment } of await sqlConnections(options)) {
    const found = await schemaOf(datasource, environment);
    findings.push({ connection: datasource.name, found });
  }
  return findings;
}

/**
 * Applies the files of each enabled datasource to an empty database, and compares its schema with the datasource's
 * `schema_file`. No database of the configuration is connected to.
 *
 * @param url of an empty database, for a single datasource
 * @throws {SchemaError} when nothing can be compared
 */
export async function checkSchemas(
  url: string | undefined,
  options: CommandOptions,
): Promise<readonly Finding<ComparedSchema>[]> {
  const connections = await sqlConnections(options);
  const scratch = url === undefined ? undefined : scratchOf(url, connections, options);
  const findings: Finding<ComparedSchema>[] = [];
  for (const { datasource, environment } of connections) {
    const { name, migrations: { schemaFile: path } } = datasource;
    const files = await filesOf({ connection: name, extension: ".sql" }, options);
    const differences = path === undefined
      ? []
      : await checkSchema(datasource, { files, path, ...(scratch && { scratch }) }, environment);
    findings.push({
      connection: name,
      found: { files: files.length, differences, ...(path !== undefined && { path }) },
    });
  }
  return findings;
}

/** The database that a URL names: with the datasource's name and credentials, where the URL has none. */
function scratchOf(
  url: string,
  connections: readonly SqlConnection[],
  { config }: CommandOptions,
): Datasource {
  const [one, ...others] = connections;
  if (one === undefined || others.length > 0) {
    throw new SchemaError("'--url' is for one datasource: name it by '--connection'");
  }
  const { name, kind, username, password } = one.datasource;
  const credentials = kind === "sqlite" ? {} : {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password: password.reveal() }),
  };
  const hasOwn = /\/\/[^/]*@/.test(url);
  const section = { name, url, ...(hasOwn ? {} : credentials) };
  const [scratch] = readDatasources(createConfig({ datasource: [section] }, { root: config.root }));
  if (scratch!.kind !== kind || scratch!.engine !== undefined) {
    throw new SchemaError(`Expected '--url' to name a database of ${kind}, as '${name}' is`);
  }
  const all = readDatasources(config);
  const live = all.find((datasource) => isSameDatabase(datasource, scratch!));
  if (live) {
    throw new SchemaError(
      `'--url' names the database of '${live.name}': expected an empty one that is thrown away`,
    );
  }
  return scratch!;
}
