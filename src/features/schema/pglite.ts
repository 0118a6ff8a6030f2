import { errorOf } from "../../text/mod.ts";
import type { MigrationFile } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { type Pglite, pgliteWire } from "../../migrations/sql/engines/pglite/driver.ts";
import {
  dumped,
  type DumpedPglite,
  type PgDump,
} from "../../migrations/sql/engines/pglite/dump.ts";
import { openInstance } from "../../migrations/sql/engines/pglite/instance.ts";
import { connectionOver } from "../../migrations/sql/engines/postgresql/driver.ts";
import { identifier } from "../../migrations/sql/files/quoting.ts";
import { loadDriver, PGLITE } from "../../migrations/sql/connect/drivers.ts";
import { PackageNotFoundError } from "../../runtime/mod.ts";
import { cleanPostgresql } from "./clean.ts";
import { PG_DUMP_OPTIONS, withinLimit } from "./dumps.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";
import { type Comparing, SchemaError, type Source } from "./engine.ts";

/** @throws {SchemaError} when PGlite lacks an extension of the files */
export async function inNewPglite<T>(
  datasource: Datasource,
  files: readonly MigrationFile[],
  environment: SqlEnvironment,
  work: (own: Datasource, using: object) => Promise<T>,
): Promise<T> {
  const decoder = new TextDecoder();
  const texts = await Promise.all(files.map(async (file) => decoder.decode(await file.read())));
  return await inEmptyPglite(texts, environment, async (pglite) => {
    // The tables that the configuration names existed before the first file.
    const { historySchema } = datasource;
    if (historySchema !== undefined) {
      await pglite.exec(`CREATE SCHEMA IF NOT EXISTS ${identifier(historySchema)}`);
    }
    const own = { ...datasource, engine: "pglite", database: ":memory:" };
    return await work(own, pglite).catch((error) => {
      const { message } = errorOf(error);
      if (!/extension .* is not available/.test(message)) throw error;
      const advice = "pass the URL of an empty database of a server as '--url'";
      throw new SchemaError(`PGlite lacks an extension of the files: ${advice} (${message})`);
    });
  });
}

/** The dumps of two databases by the same program: its version does not matter. */
export async function textsOfPglite(
  sources: readonly [Source, Source],
  { environment, applied, withPlaceholders }: Comparing,
): Promise<readonly [string, string]> {
  const roles = new Set<string>();
  const schemaOf = async (pglite: Pglite) =>
    withPlaceholders(withoutNullNames(await dumpPglite(pglite)));
  const schemaText = async (source: Source): Promise<string> => {
    if ("files" in source) {
      return await applied(source.files, async (_, { using }) => {
        const pglite = using as Pglite;
        for (const role of await rolesOf(pglite)) roles.add(role);
        return await schemaOf(pglite);
      }).catch(nameBothPackages);
    }
    return await inEmptyPglite([source.text], environment, async (pglite) => {
      // They are no part of a schema, which may name them.
      await addRoles(pglite, [...new Set([...roles, ...policyRoles(source.text)])]);
      await load(pglite, source.text);
      return await schemaOf(pglite);
    }).catch(nameBothPackages);
  };
  // The roles of files are known when these were applied.
  const second = "text" in sources[0] ? await schemaText(sources[1]) : undefined;
  return [await schemaText(sources[0]), second ?? await schemaText(sources[1])];
}

function nameBothPackages(error: unknown): never {
  if (error instanceof PackageNotFoundError && error.packageName === "@electric-sql/pglite") {
    const tools = `@electric-sql/pglite-tools@${PGLITE["@electric-sql/pglite-tools"]}`;
    error.message = error.message.replace(/'$/, ` ${tools}'`);
  }
  throw error;
}

async function load(pglite: Pglite, schema: string): Promise<void> {
  try {
    await pglite.exec(schema);
    // A dump sets the session for those who load it.
    await pglite.exec("RESET ALL");
  } catch (error) {
    throw new SchemaError(`The schema cannot be loaded into PGlite: ${errorOf(error).message}`);
  }
}

/** By the `pg_dump` made for it, which leaves its transaction and settings in the session. */
export async function dumpPglite(pglite: Pglite): Promise<string> {
  const dump = pglite.dump ?? await dumpOfApplication(pglite);
  try {
    return cleanPostgresql(await dump(PG_DUMP_OPTIONS));
  } catch (error) {
    if (error instanceof PackageNotFoundError) throw error;
    throw new SchemaError(`The schema of the database cannot be read: ${errorOf(error).message}`);
  }
}

async function dumpOfApplication(pglite: Pglite): Promise<NonNullable<Pglite["dump"]>> {
  const { pgDump } = await loadDriver("@electric-sql/pglite-tools", "/pg_dump") as {
    readonly pgDump: PgDump;
  };
  // Its own queries would wait for the session that this function holds.
  const session = connectionOver(pgliteWire(pglite, () => Promise.resolve()), (text) => text);
  const { execProtocolRawStream } = pglite as unknown as DumpedPglite;
  return (options) =>
    dumped(pgDump, {
      query: async (sql) => (await session.send(sql)).at(-1),
      exec: (sql) => session.send(sql),
      execProtocolRawStream: execProtocolRawStream.bind(pglite),
    }, options);
}

/** Works on a new database in memory, with the extensions that a text creates as far as PGlite includes them. */
export async function inEmptyPglite<T>(
  texts: readonly string[],
  runtime: Pick<SqlEnvironment, "signal">,
  work: (pglite: Pglite) => Promise<T>,
): Promise<T> {
  const names = texts.flatMap((text) => [...text.matchAll(EXTENSION)].map(([, name = ""]) => name));
  const extensions = new Set(names.map((name) => name.toLowerCase().replaceAll("-", "_")));
  const advice = ", so it was ended: pass the URL of an empty database of a server as '--url'";
  return await withinLimit("PGlite", advice, runtime, async (signal) => {
    const pglite = await openInstance(":memory:", extensions, signal);
    return await work(pglite).finally(() => pglite.close());
  });
}

const EXTENSION = /\bCREATE\s+EXTENSION\s+(?:IF\s+NOT\s+EXISTS\s+)?"?([\w-]+)"?/gi;

/** PostgreSQL 18 names `NOT NULL` constraints, which earlier versions cannot. */
function withoutNullNames(schema: string): string {
  return schema.replace(/ CONSTRAINT (?:"(?:[^"]|"")+"|\w+) NOT NULL/g, " NOT NULL");
}

/** Roles that are not PostgreSQL's own. */
async function rolesOf(pglite: Pglite): Promise<readonly string[]> {
  const [table] = await pglite.exec("SELECT rolname FROM pg_roles WHERE oid >= 16384 ORDER BY oid");
  return table!.rows.map(({ rolname }) => `${rolname}`);
}

async function addRoles(pglite: Pglite, names: readonly string[]): Promise<void> {
  for (const name of names) await pglite.exec(`CREATE ROLE ${identifier(name)}`);
}

/** Roles that the policies of a dump name, which it does not create. */
function policyRoles(dump: string): readonly string[] {
  return [...dump.matchAll(POLICY)].flatMap(([, names = ""]) =>
    [...names.matchAll(/"((?:[^"]|"")+)"|[\w$]+/g)].map(([word, quoted]) =>
      quoted?.replaceAll('""', '"') ?? word
    )
  ).filter((name) => !/^(?:public|pg_\w+|current_user|session_user|postgres)$/i.test(name));
}

const POLICY =
  /^CREATE POLICY (?:"(?:[^"]|"")+"|\S+) ON [^;]*?\bTO ((?:(?:"(?:[^"]|"")+"|[\w$]+)(?:, )?)+)(?= USING| WITH CHECK|;)/gm;
