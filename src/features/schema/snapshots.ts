/** Reads the schema of a database; loaded only by commands on schemas, and after a run that changed it. */
import { errorOf } from "../../text/mod.ts";
import { type MigrationFile, NO_FEATURES, run } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { ofEngine } from "../../migrations/sql/engines/table.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import { ask } from "./dumps.ts";
import { withoutObjects } from "./ignored.ts";
import { differingLines } from "./lines.ts";
import { type SchemaEngine, SchemaError, type Source } from "./engine.ts";
import { plainTexts, SCHEMAS } from "./engines.ts";
import { withPlaceholders } from "./clean.ts";
import { sqlTarget } from "../../migrations/sql/target.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";

/** Without values, secrets and the history table; the same for the same schema. @throws {SchemaError} */
export async function schemaOf(
  datasource: Datasource,
  environment: SqlEnvironment,
): Promise<string> {
  const schema = await engineOf(datasource).dump(datasource, environment);
  return withPlaceholders(schema, datasource.migrations.placeholders);
}

function engineOf(datasource: Datasource): SchemaEngine {
  return ofEngine(SCHEMAS, datasource, "'schema'");
}

/** Writes the schema to its file if it has changed. Errors are reported. */
export async function writeSchemaFile(
  path: string,
  datasource: Datasource,
  environment: SqlEnvironment,
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

/** Returns what `diff -u` prints, or nothing. Does not connect to the datasource. @throws {SchemaError} */
export async function checkSchema(
  datasource: Datasource,
  path: string,
  files: readonly MigrationFile[],
  scratch: Datasource | undefined,
  environment: SqlEnvironment,
): Promise<readonly string[]> {
  const text = await writtenSchema(path, datasource, environment);
  const [expected, found] = await texts(datasource, [{ text }, { files }], scratch, environment);
  return await differingLines(expected, found);
}

/** The recorded files, which give the expected schema, or the path of a file that contains it. */
export type Expected = { readonly files: readonly MigrationFile[] } | { readonly path: string };

/** What differs in the live schema from the expected one, as `diff -u` prints it. Writes nothing. @throws {SchemaError} */
export async function schemaDrift(
  datasource: Datasource,
  expected: Expected,
  ignored: readonly string[],
  scratch: Datasource | undefined,
  environment: SqlEnvironment,
): Promise<readonly string[]> {
  const live = await schemaOf(datasource, environment);
  const source = "path" in expected
    ? { text: await writtenSchema(expected.path, datasource, environment) }
    : expected;
  // The same text needs no other database.
  if ("text" in source && source.text === live) return [];
  if (scratch && "files" in source) {
    await ensureEmpty(scratch, environment);
    await engineOf(datasource).imitate?.(datasource, scratch, environment);
  }
  const both = await texts(datasource, [source, { text: live }], scratch, environment);
  const [wanted, found] = await Promise.all(both.map((text) => withoutObjects(text, ignored)));
  return await differingLines(wanted!, found!);
}

/** The content of a schema file. @throws {SchemaError} where there is none */
async function writtenSchema(
  path: string,
  { migrations: { placeholders } }: Datasource,
  { files }: SqlEnvironment,
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

/** @throws {SchemaError} when files need a server and `scratch` is not given */
async function texts(
  datasource: Datasource,
  sources: readonly [Source, Source],
  scratch: Datasource | undefined,
  environment: SqlEnvironment,
): Promise<readonly [string, string]> {
  const both = scratch ? plainTexts : engineOf(datasource).texts;
  return await both(sources, {
    environment,
    applied: (files, work) => inAppliedDatabase(datasource, files, scratch, environment, work),
    dump: schemaOf,
    withPlaceholders: (schema) => withPlaceholders(schema, datasource.migrations.placeholders),
  });
}

/**
 * Works on a database that has the files alone: `scratch`, or one in this process, which ends with the work.
 *
 * @throws {SchemaError} when files need a server and `scratch` is not given
 */
export async function inAppliedDatabase<T>(
  datasource: Datasource,
  files: readonly MigrationFile[],
  scratch: Datasource | undefined,
  environment: SqlEnvironment,
  work: (datasource: Datasource, environment: SqlEnvironment) => Promise<T>,
): Promise<T> {
  const applied = async (own: Datasource, given: SqlEnvironment) => {
    await applyAll(own, files, given);
    return await work(own, given);
  };
  if (scratch) {
    const own = { ...scratch, migrations: datasource.migrations };
    await ensureEmpty(own, environment);
    return await applied(own, environment);
  }
  return await engineOf(datasource).inProcess(datasource, files, environment, (own, using) => {
    return applied(own, { ...environment, using, allowMemory: true });
  });
}

/** @throws {SchemaError} when a database has anything in it */
async function ensureEmpty(datasource: Datasource, environment: SqlEnvironment): Promise<void> {
  const asked = ask(datasource, environment, engineOf(datasource).anything);
  if ((await asked.catch(failOf(datasource.name))).length === 0) return;
  throw new SchemaError(
    `The database that '--url' names is not empty, so nothing was applied: expected a disposable database ` +
      "without tables, views, functions and types",
  );
}

async function applyAll(
  datasource: Datasource,
  files: readonly MigrationFile[],
  environment: SqlEnvironment,
): Promise<void> {
  // No other client uses that database, and it is no one's but ours.
  const own = { ...environment, features: NO_FEATURES };
  const { error } = await run(sqlTarget(datasource, own), files);
  if (error) throw error;
}

export function isSameDatabase(one: Datasource, other: Datasource): boolean {
  const keys = ["kind", "host", "port", "database"] as const;
  return keys.every((key) => one[key] === other[key]);
}
