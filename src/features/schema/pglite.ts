import { SchemaError } from "../../migrations/runner/mod.ts";
import { type Pglite, pgliteWire } from "../../migrations/sql/engines/pglite/driver.ts";
import {
  dumped,
  type DumpedPglite,
  type PgDump,
} from "../../migrations/sql/engines/pglite/dump.ts";
import { openInstance } from "../../migrations/sql/engines/pglite/instance.ts";
import { connectionOver } from "../../migrations/sql/engines/postgresql/driver.ts";
import { identifier } from "../../migrations/sql/files/quoting.ts";
import { loadPglite } from "../../migrations/sql/connect/drivers.ts";
import { PackageNotFoundError } from "../../runtime/mod.ts";
import { cleanPostgresql } from "./clean.ts";
import { PG_DUMP_OPTIONS, type SchemaRuntime, withinLimit } from "./dumps.ts";

/** By the `pg_dump` made for it, which leaves its transaction and settings in the session. */
export async function dumpPglite(pglite: Pglite): Promise<string> {
  const dump = pglite.dump ?? await dumpOfApplication(pglite);
  try {
    return cleanPostgresql(await dump(PG_DUMP_OPTIONS));
  } catch (error) {
    if (error instanceof PackageNotFoundError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaError(`The schema of the database cannot be read: ${reason}`);
  }
}

async function dumpOfApplication(pglite: Pglite): Promise<NonNullable<Pglite["dump"]>> {
  const { pgDump } = await loadPglite("@electric-sql/pglite-tools", "/pg_dump") as {
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
  runtime: Pick<SchemaRuntime, "signal">,
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
export function withoutNullNames(schema: string): string {
  return schema.replace(/ CONSTRAINT (?:"(?:[^"]|"")+"|\w+) NOT NULL/g, " NOT NULL");
}

/** Roles that are not PostgreSQL's own. */
export async function rolesOf(pglite: Pglite): Promise<readonly string[]> {
  const sql = "SELECT rolname FROM pg_roles WHERE oid >= 16384 ORDER BY oid";
  const [table] = await pglite.exec(sql);
  return table!.rows.map(({ rolname }) => `${rolname}`);
}

export async function addRoles(pglite: Pglite, names: readonly string[]): Promise<void> {
  for (const name of names) await pglite.exec(`CREATE ROLE ${identifier(name)}`);
}

/** Roles that the policies of a dump name, which it does not create. */
export function policyRoles(dump: string): readonly string[] {
  return [...dump.matchAll(POLICY)].flatMap(([, names = ""]) =>
    [...names.matchAll(/"((?:[^"]|"")+)"|[\w$]+/g)].map(([word, quoted]) =>
      quoted?.replaceAll('""', '"') ?? word
    )
  ).filter((name) => !/^(?:public|pg_\w+|current_user|session_user|postgres)$/i.test(name));
}

const POLICY =
  /^CREATE POLICY (?:"(?:[^"]|"")+"|\S+) ON [^;]*?\bTO ((?:(?:"(?:[^"]|"")+"|[\w$]+)(?:, )?)+)(?= USING| WITH CHECK|;)/gm;
