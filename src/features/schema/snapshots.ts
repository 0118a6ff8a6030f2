/** Reads the schema of a database; loaded only by commands on schemas, and after a run that changed it. */
import { errorOf } from "../../text/mod.ts";
import {
  classifyAll,
  InvalidFilesError,
  type MigrationFile,
  run,
  SchemaError,
} from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import type { Pglite } from "../../migrations/sql/engines/pglite/driver.ts";
import type { DatabaseSync } from "../../migrations/sql/engines/sqlite/driver.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import { identifier } from "../../migrations/sql/files/quoting.ts";
import { ensureEmpty, takeCollation } from "./empty.ts";
import { withoutObjects } from "./ignored.ts";
import { differingLines } from "./lines.ts";
import { dumpMysql, dumpPostgresql, dumpSqlite, type SchemaRuntime } from "./dumps.ts";
import { withPlaceholders } from "./clean.ts";
import { sqlTarget } from "../../migrations/sql/target.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";

export type { SchemaRuntime } from "./dumps.ts";

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
    const { dumpPglite } = await import("./pglite.ts");
    const { withPglite } = await import("../../migrations/sql/engines/pglite/database.ts");
    return await withPglite(datasource, environment, dumpPglite).catch(failOf(datasource.name));
  }
  if (kind === "postgresql") return await dumpPostgresql(datasource, environment);
  if (kind === "mysql") return await dumpMysql(datasource, environment);
  const { loadSqliteDriver, wrapSqlite } = await import(
    "../../migrations/sql/engines/sqlite/driver.ts"
  );
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
  const text = await writtenSchema(path, datasource, environment);
  const [expected, found] = await texts(datasource, [{ text }, { files }], scratch, environment);
  return await differingLines(expected, found);
}

export interface DriftCheck {
  /** The recorded files, which give the expected schema, or the path of a file that contains it. */
  readonly expected: { readonly files: readonly MigrationFile[] } | { readonly path: string };
  readonly scratch?: Datasource;
}

/** What differs in the live schema from the expected one, as `diff -u` prints it. Writes nothing. @throws {SchemaError} */
export async function schemaDrift(
  datasource: Datasource,
  { expected, scratch }: DriftCheck,
  environment: SchemaEnvironment,
): Promise<readonly string[]> {
  const live = await schemaOf(datasource, environment);
  const source = "path" in expected
    ? { text: await writtenSchema(expected.path, datasource, environment) }
    : expected;
  // The same text needs no other database.
  if ("text" in source && source.text === live) return [];
  if (scratch && datasource.kind === "mysql" && "files" in source) {
    await ensureEmpty(scratch, environment);
    await takeCollation(datasource, scratch, environment);
  }
  const both = await texts(datasource, [source, { text: live }], scratch, environment);
  const { driftIgnore = [] } = datasource.migrations;
  const [wanted, found] = await Promise.all(both.map((text) => withoutObjects(text, driftIgnore)));
  return await differingLines(wanted!, found!);
}

/** The content of a schema file. @throws {SchemaError} where there is none */
async function writtenSchema(
  path: string,
  { migrations: { placeholders } }: Datasource,
  { files }: SchemaEnvironment,
): Promise<string> {
  return await files.readTextFile(path).then((text) => {
    return withPlaceholders(text.replaceAll("\r\n", "\n"), placeholders);
  }, () => {
    throw new SchemaError(
      `The file '${path}' does not exist: 'migrate' writes it after it has applied files, ` +
        "and 'schema' prints its content",
    );
  });
}

/** A schema that was written or read, or the one that files give an empty database. */
type Source = { readonly text: string } | { readonly files: readonly MigrationFile[] };

/** Two schemas as one program writes them. @throws {SchemaError} when files need a server and `scratch` is not given */
async function texts(
  datasource: Datasource,
  sources: readonly [Source, Source],
  scratch: Datasource | undefined,
  environment: SchemaEnvironment,
): Promise<readonly [string, string]> {
  if (!scratch && datasource.kind === "postgresql") {
    return await textsOfPglite(datasource, sources, environment);
  }
  const textOf = (source: Source) => {
    if ("text" in source) return source.text;
    return inAppliedDatabase(datasource, { ...source, scratch }, environment, schemaOf);
  };
  return [await textOf(sources[0]), await textOf(sources[1])];
}

/**
 * Works on a database that has the files alone: `scratch`, or one in this process, which ends with the work.
 *
 * @throws {SchemaError} when files need a server and `scratch` is not given
 */
export async function inAppliedDatabase<T>(
  datasource: Datasource,
  { files, scratch }: {
    readonly files: readonly MigrationFile[];
    readonly scratch?: Datasource | undefined;
  },
  environment: SchemaEnvironment,
  work: (datasource: Datasource, environment: SchemaEnvironment) => Promise<T>,
): Promise<T> {
  if (scratch) {
    const own = { ...scratch, migrations: datasource.migrations };
    await ensureEmpty(own, environment);
    await applyAll(own, files, environment);
    return await work(own, environment);
  }
  if (datasource.kind === "mysql") {
    throw new SchemaError(
      "The files can only be applied to a server of MySQL or MariaDB: pass the URL of an empty database for " +
        `'${datasource.name}' as '--url'`,
    );
  }
  const isSqlite = datasource.kind === "sqlite";
  const applied = async (database: Pglite | DatabaseSync) => {
    const engine = isSqlite ? {} : { engine: "pglite" as const };
    const own: Datasource = { ...datasource, ...engine, database: ":memory:" };
    const given = { ...environment, using: database, allowMemory: true };
    await applyAll(own, files, given);
    return await work(own, given);
  };
  if (isSqlite) {
    const { newDatabase } = await import("../../migrations/sql/engines/sqlite/driver.ts");
    await refuseOtherFiles(datasource, files, environment);
    const database = await newDatabase(":memory:");
    return await applied(database).finally(() => database.close());
  }
  const { inEmptyPglite } = await import("./pglite.ts");
  const decoder = new TextDecoder();
  const texts = await Promise.all(files.map(async (file) => decoder.decode(await file.read())));
  return await inEmptyPglite(texts, environment, async (pglite) => {
    // What the configuration names was there before the first file.
    const { historySchema } = datasource;
    if (historySchema !== undefined) {
      await pglite.exec(`CREATE SCHEMA IF NOT EXISTS ${identifier(historySchema)}`);
    }
    return await applied(pglite);
  });
}

/** A file that attaches another database, or writes one, would do so here too. */
async function refuseOtherFiles(
  datasource: Datasource,
  files: readonly MigrationFile[],
  environment: Pick<SqlEnvironment, "onNotice">,
): Promise<void> {
  const { classifierOf } = await import("../../migrations/sql/execute/classifier.ts");
  const { migrations, problems } = await classifyAll(classifierOf(datasource, environment), files);
  if (problems.length > 0) throw new InvalidFilesError(problems, datasource.name);
  for (const { file, statements } of migrations) {
    const found = statements.find(({ words: [first, ...rest] }) =>
      first === "ATTACH" || (first === "VACUUM" && rest.includes("INTO"))
    );
    if (found === undefined) continue;
    throw new SchemaError(
      `'${datasource.name}/${file.path}' uses another database file with ${found.words[0]}: ` +
        "this is not possible in memory, so name an empty database with '--url'",
    );
  }
}

/**
 * What the same program writes of two databases, each made by files or by a text. So it does not matter which version of
 * which program wrote the text.
 */
async function textsOfPglite(
  datasource: Datasource,
  sources: readonly [Source, Source],
  environment: SchemaEnvironment,
): Promise<readonly [string, string]> {
  const { addRoles, dumpPglite, inEmptyPglite, policyRoles, rolesOf, withoutNullNames } =
    await import("./pglite.ts");
  const roles = new Set<string>();
  const dumped = async (pglite: Pglite) => {
    const schema = withoutNullNames(await dumpPglite(pglite));
    return withPlaceholders(schema, datasource.migrations.placeholders);
  };
  const textOf = async (source: Source): Promise<string> => {
    if ("files" in source) {
      return await inAppliedDatabase(datasource, source, environment, async (_, { using }) => {
        const pglite = using as Pglite;
        for (const role of await rolesOf(pglite)) roles.add(role);
        return await dumped(pglite);
      });
    }
    return await inEmptyPglite([source.text], environment, async (pglite) => {
      // They are no part of a schema, which may name them.
      await addRoles(pglite, [...new Set([...roles, ...policyRoles(source.text)])]);
      await load(pglite, source.text);
      return await dumped(pglite);
    });
  };
  // The roles of files are known when these were applied.
  const isTextFirst = "text" in sources[0];
  const second = isTextFirst ? await textOf(sources[1]) : undefined;
  return [await textOf(sources[0]), second ?? await textOf(sources[1])];
}

async function load(pglite: Pglite, schema: string): Promise<void> {
  try {
    await pglite.exec(schema);
    // What a dump sets is for those who load it.
    await pglite.exec("RESET ALL");
  } catch (error) {
    throw new SchemaError(`The schema cannot be loaded into PGlite: ${errorOf(error).message}`);
  }
}

async function applyAll(
  datasource: Datasource,
  files: readonly MigrationFile[],
  environment: SchemaEnvironment,
): Promise<void> {
  // No other client uses that database.
  const migrations = { ...datasource.migrations, lint: "off" as const };
  const { error } = await run(sqlTarget({ ...datasource, migrations }, environment), files);
  const isMissing = /extension .* is not available/.test(error?.message ?? "");
  if (isMissing && datasource.engine === "pglite") {
    const advice = "pass the URL of an empty database of a server as '--url'";
    throw new SchemaError(`PGlite lacks an extension of the files: ${advice} (${error?.message})`);
  }
  if (error) throw error;
}

export function isSameDatabase(one: Datasource, other: Datasource): boolean {
  const keys = ["kind", "host", "port", "database"] as const;
  return keys.every((key) => one[key] === other[key]);
}
