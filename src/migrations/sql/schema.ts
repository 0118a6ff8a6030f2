/** Reads the schema of a database; loaded only by commands on schemas, and after a run that changed it. */
import { errorOf } from "../../text/mod.ts";
import { InvalidFilesError, type MigrationFile, run, SchemaError } from "../runner/mod.ts";
import type { Datasource } from "./connect/datasource.ts";
import type { Pglite } from "./engines/pglite/driver.ts";
import { connectionFailure } from "./failure.ts";
import { identifier } from "./files/quoting.ts";
import { ensureEmpty } from "./schema/empty.ts";
import { differingLines } from "./schema/lines.ts";
import { dumpMysql, dumpPostgresql, dumpSqlite, type SchemaRuntime } from "./schema/dumps.ts";
import { withPlaceholders } from "./schema/clean.ts";
import { sqlTarget } from "./target.ts";
import type { SqlEnvironment } from "./types.ts";

export type { SchemaRuntime } from "./schema/dumps.ts";

export type SchemaEnvironment = Omit<SqlEnvironment, "files"> & SchemaRuntime;

/** Without values, secrets and the history table; the same for the same schema. @throws {SchemaError} */
export async function schemaOf(
  datasource: Datasource,
  environment: SchemaEnvironment,
): Promise<string> {
  return withPlaceholders(
    await readSchema(datasource, environment),
    datasource.migrations.placeholders,
  );
}

async function readSchema(
  datasource: Datasource,
  environment: SchemaEnvironment,
): Promise<string> {
  const { kind, engine, database } = datasource;
  const { using } = environment;
  if (engine === "pglite") {
    const { dumpPglite } = await import("./schema/pglite.ts");
    const { withPglite } = await import("./engines/pglite/database.ts");
    return await withPglite(datasource, environment, dumpPglite).catch((error) => {
      throw connectionFailure(datasource.name, error);
    });
  }
  if (kind === "postgresql") return await dumpPostgresql(datasource, environment);
  if (kind === "mysql") return await dumpMysql(datasource, environment);
  const { loadSqliteDriver, wrapSqlite } = await import("./engines/sqlite/driver.ts");
  if (using !== undefined) return dumpSqlite(wrapSqlite(database, using as never));
  const open = await loadSqliteDriver();
  if (await environment.files.stat(database) === undefined) return "";
  const connection = open(database);
  try {
    return dumpSqlite(connection);
  } finally {
    connection.close();
  }
}

/** Writes the schema to its file if it has changed. Errors are reported. */
export async function writeSchemaFile(
  path: string,
  datasource: Datasource,
  environment: SchemaEnvironment,
): Promise<void> {
  const { files, onNotice, signal } = environment;
  try {
    signal?.throwIfAborted();
    const schema = await schemaOf(datasource, environment);
    const before = await files.readTextFile(path).catch(() => undefined);
    if (schema === before) return;
    await files.writeTextFile(path, schema, { overwrite: true });
  } catch (error) {
    const reason = signal?.aborted
      ? "the run was stopped; 'irori schema' prints what belongs there"
      : errorOf(error).message;
    onNotice(`The schema was not written to '${path}', which is as it was: ${reason}`);
  }
}

export interface SchemaCheck {
  readonly files: readonly MigrationFile[];
  readonly path: string;
  readonly scratch?: Datasource;
}

/** Returns what `diff -u` prints, or nothing. Does not connect to the datasource. @throws {SchemaError} */
export async function checkSchema(
  datasource: Datasource,
  { files, path, scratch }: SchemaCheck,
  environment: SchemaEnvironment,
): Promise<readonly string[]> {
  const { placeholders } = datasource.migrations;
  const written = await environment.files.readTextFile(path).then((text) => {
    return withPlaceholders(text.replaceAll("\r\n", "\n"), placeholders);
  }, () => {
    throw new SchemaError(
      `The file '${path}' does not exist: 'migrate' writes it after it has applied files, ` +
        "and 'schema' prints its content",
    );
  });
  if (scratch) {
    const own = { ...scratch, migrations: datasource.migrations };
    await ensureEmpty(own, environment);
    await applyAll(own, files, environment);
    return differingLines(written, await schemaOf(own, environment));
  }
  if (datasource.kind === "sqlite") {
    return await checkInSqlite(datasource, files, written, environment);
  }
  if (datasource.kind === "postgresql") {
    return await checkInPglite(datasource, files, written, environment);
  }
  throw new SchemaError(
    `Checking MySQL needs a server: pass the URL of an empty database for '${datasource.name}' as '--url'`,
  );
}

async function checkInSqlite(
  datasource: Datasource,
  files: readonly MigrationFile[],
  written: string,
  environment: SchemaEnvironment,
): Promise<readonly string[]> {
  const { newDatabase } = await import("./engines/sqlite/driver.ts");
  await refuseOtherFiles(datasource, files);
  const database = await newDatabase(":memory:");
  try {
    const own: Datasource = { ...datasource, database: ":memory:" };
    const given = { ...environment, using: database };
    await applyAll(own, files, given);
    return differingLines(written, await schemaOf(own, given));
  } finally {
    database.close();
  }
}

/** A file that attaches another database, or writes one, would do so here too. */
async function refuseOtherFiles(
  datasource: Datasource,
  files: readonly MigrationFile[],
): Promise<void> {
  const { DIALECTS } = await import("./execute/classifier.ts");
  const { classifySql } = await import("./files/classify.ts");
  for (const file of files) {
    const loaded = { ...file, bytes: await file.read() };
    const { statements } = named(
      datasource.name,
      () => classifySql(loaded, DIALECTS[datasource.kind], datasource.migrations),
    );
    const found = statements.find(({ words: [first, ...rest] }) =>
      first === "ATTACH" || (first === "VACUUM" && rest.includes("INTO"))
    );
    if (found === undefined) continue;
    throw new SchemaError(
      `'${datasource.name}/${file.path}' uses another database file with ${found.words[0]}: ` +
        "this cannot be checked in memory, so name an empty database with '--url'",
    );
  }
}

function named<T>(connection: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidFilesError)) throw error;
    throw new InvalidFilesError(error.problems, connection);
  }
}

/**
 * Compares what the same program writes of two databases: one made by the files, one by what was written. So it does not
 * matter which version of which program that was.
 */
async function checkInPglite(
  datasource: Datasource,
  files: readonly MigrationFile[],
  written: string,
  environment: SchemaEnvironment,
): Promise<readonly string[]> {
  const { addRoles, dumpPglite, emptyPglite, rolesOf, withoutNullNames } = await import(
    "./schema/pglite.ts"
  );
  const texts = await Promise.all(
    files.map(async (file) => new TextDecoder().decode(await file.read())),
  );
  const schemaFrom = async (make: (pglite: Pglite) => Promise<void>) => {
    const pglite = await emptyPglite([...texts, written]);
    try {
      await make(pglite);
      const schema = withoutNullNames(await dumpPglite(pglite));
      return withPlaceholders(schema, datasource.migrations.placeholders);
    } finally {
      await pglite.close();
    }
  };
  let roles: readonly string[] = [];
  const found = await schemaFrom(async (pglite) => {
    // What the configuration names was there before the first file.
    const { historySchema } = datasource;
    if (historySchema !== undefined) {
      await pglite.exec(`CREATE SCHEMA IF NOT EXISTS ${identifier(historySchema)}`);
    }
    const own: Datasource = { ...datasource, engine: "pglite", database: ":memory:" };
    await applyAll(own, files, { ...environment, using: pglite });
    roles = await rolesOf(pglite);
  });
  const expected = await schemaFrom(async (pglite) => {
    try {
      // They are no part of a schema, which may name them.
      await addRoles(pglite, roles);
      await pglite.exec(written);
      // What a dump sets is for those who load it.
      await pglite.exec("RESET ALL");
    } catch (error) {
      throw new SchemaError(`The schema file cannot be loaded: ${errorOf(error).message}`);
    }
  });
  return differingLines(expected, found);
}

async function applyAll(
  datasource: Datasource,
  files: readonly MigrationFile[],
  environment: SchemaEnvironment,
): Promise<void> {
  // No other client uses that database.
  const migrations = { ...datasource.migrations, lint: "off" as const };
  const { error } = await run(sqlTarget({ ...datasource, migrations }, environment), files);
  if (error) throw error;
}

/** Whether two datasources lead to one database, as far as their settings say. */
export function isSameDatabase(one: Datasource, other: Datasource): boolean {
  const keys = ["kind", "host", "port", "database"] as const;
  return keys.every((key) => one[key] === other[key]);
}
