import { createConfig } from "../../config/mod.ts";
import { defined, errorOf } from "../../text/mod.ts";
import type { CommandOptions, Finding } from "../../migrations/commands.ts";
import { filesOf, sqlConnections, targetsOf } from "../../migrations/connections.ts";
import { type MigrationFile, type Session, statusOf } from "../../migrations/runner/mod.ts";
import {
  type Datasource,
  readDatasources,
  type SqlOffer,
  sqlTarget,
} from "../../migrations/sql/mod.ts";
import { EACH } from "../tenants/each.ts";
import { SchemaError } from "./engine.ts";
import { DRIFT_IGNORE, SCHEMA_FILE } from "./feature.ts";
import { type Expected, isSameDatabase, Snapshots } from "./snapshots.ts";

export interface ComparedSchema {
  /** The schema file, if the schema is compared with one; else it is with the recorded files. */
  readonly path?: string | undefined;
  readonly files: number;
  /** As `diff -u` prints them. */
  readonly differences: readonly string[];
}

async function databases(options: CommandOptions, url?: string) {
  const connections = await sqlConnections(options);
  const several = connections.find(({ datasource }) => EACH.of(datasource))?.datasource.name;
  if (several !== undefined) {
    const message =
      `Expected '--connection' to name one database: '${several}' has 'migrations.each'`;
    throw new SchemaError(message, several);
  }
  const scratch = url === undefined ? undefined : scratchOf(url, connections, options);
  return { connections, scratch };
}

export async function filesOfDatasource({ name }: Datasource, options: CommandOptions) {
  const chosen = { ...options, connection: name, only: undefined };
  return await filesOf((await targetsOf("sql", chosen))[0]!, options);
}

async function ofConnection<T>(name: string, work: Promise<T>): Promise<T> {
  return await work.catch((error) => {
    if (error instanceof SchemaError) error.connection ??= name;
    throw error;
  });
}

/** Writes nothing. @throws {SchemaError} */
export async function currentSchemas(options: CommandOptions): Promise<readonly Finding<string>[]> {
  const { connections } = await databases(options);
  return await Array.fromAsync(connections, async ({ datasource, environment }) => {
    return {
      connection: datasource.name,
      found: await new Snapshots(datasource, environment).current(),
    };
  });
}

/** In an empty database; none of the configuration is connected to. @throws {SchemaError} */
export async function checkSchemas(
  url: string | undefined,
  options: CommandOptions,
): Promise<readonly Finding<ComparedSchema>[]> {
  const { connections, scratch } = await databases(options, url);
  const findings = await Array.fromAsync(connections, async ({ datasource, environment }) => {
    const path = SCHEMA_FILE.of(datasource);
    const files = await filesOfDatasource(datasource, options);
    const differences = path === undefined ? [] : await ofConnection(
      datasource.name,
      new Snapshots(datasource, environment, scratch).check(path, files),
    );
    return { connection: datasource.name, found: { files: files.length, differences, path } };
  });
  if (findings.length > 0 && findings.every(({ found }) => found.path === undefined)) {
    const names = findings.map(({ connection }) => `'${connection}'`).join(", ");
    const message = `There is nothing to compare with: ${names} has no 'migrations.schema_file'`;
    throw new SchemaError(message, findings[0]!.connection);
  }
  return findings;
}

/**
 * Compares each database with its files. Writes nothing, and applies files in no database of the configuration.
 *
 * @throws {SchemaError} when the expected schema is not known
 */
export async function schemaDrifts(
  url: string | undefined,
  options: CommandOptions,
): Promise<readonly Finding<ComparedSchema>[]> {
  const { connections, scratch } = await databases(options, url);
  const findings: Finding<ComparedSchema>[] = [];
  for (const one of connections) {
    const connection = one.datasource.name;
    try {
      const found = await ofConnection(connection, driftOf(one, scratch, options));
      findings.push({ connection, found });
    } catch (error) {
      if (!options.onFailure || options.signal?.aborted) throw error;
      options.onFailure(errorOf(error), connection);
    }
  }
  return findings;
}

async function driftOf(
  { datasource, environment }: SqlOffer,
  scratch: Datasource | undefined,
  options: CommandOptions,
): Promise<ComparedSchema> {
  const files = await filesOfDatasource(datasource, options);
  const session = await sqlTarget(datasource, environment).open(options.signal);
  const expected = await expectedSchema(session, datasource, files).finally(() => session.close());
  const differences = await new Snapshots(datasource, environment, scratch)
    .drift(expected, DRIFT_IGNORE.of(datasource) ?? []);
  return "path" in expected
    ? { path: expected.path, files: files.length, differences }
    : { files: expected.files.length, differences };
}

/** The schema file where all files are applied, else the recorded files. @throws {SchemaError} */
async function expectedSchema(
  session: Session,
  datasource: Datasource,
  files: readonly MigrationFile[],
): Promise<Expected> {
  const path = SCHEMA_FILE.of(datasource);
  const unknown = (reason: string) =>
    new SchemaError(`Cannot tell which schema '${datasource.name}' should have: ${reason}`);
  const status = await statusOf(session, files);
  const unclear = status.files.find(({ state }) => state !== "applied" && state !== "pending");
  if (unclear) {
    throw unknown(`'${unclear.file}' is ${unclear.state}: 'status' and 'validate' say more`);
  }
  const applied = new Set(status.files.flatMap((one) => one.state === "applied" ? one.file : []));
  if (path !== undefined && applied.size === status.files.length) return { path };
  if (applied.size === 0) throw unknown("no file is recorded");
  const entries = await session.journal.list();
  const only = [...applied].find((file) => entries.get(file)?.applied?.durationMs === undefined);
  if (only) {
    throw unknown(
      `'${only}' was recorded without applying it, so the database may have been different: set ` +
        "'migrations.schema_file', and apply the pending files",
    );
  }
  return { files: files.filter((file) => applied.has(file.path)) };
}

/**
 * The database that a URL names, under the datasource's name. If it is on the same server, and the URL does not mention
 * users, with the datasource's credentials and encryption: no other server gets to know them.
 */
export function scratchOf(
  url: string,
  connections: readonly SqlOffer[],
  { config }: CommandOptions,
): Datasource {
  const [one, ...others] = connections;
  if (one === undefined || others.length > 0) {
    throw new SchemaError("'--url' is for one datasource: select it with '--connection'");
  }
  const { name, kind, username, password, tls } = one.datasource;
  const datasource = [{ name, url }];
  const [scratch] = readDatasources(createConfig({ datasource }, { root: config.root }));
  if (
    scratch!.kind !== kind || scratch!.engine !== undefined || scratch!.database === ":memory:"
  ) {
    throw new SchemaError(`Expected '--url' to name a ${kind} database, as '${name}' is`);
  }
  const all = readDatasources(config, {}, one.environment.features);
  const live = all.find((datasource) => isSameDatabase(datasource, scratch!));
  if (live) {
    throw new SchemaError(
      `'--url' names the database of '${live.name}': expected an empty, disposable database`,
    );
  }
  const isElsewhere = scratch!.host !== one.datasource.host ||
    scratch!.port !== one.datasource.port;
  if (isElsewhere || scratch!.username !== undefined || scratch!.password !== undefined) {
    return scratch!;
  }
  return { ...scratch!, ...defined({ username, password, tls }) };
}
