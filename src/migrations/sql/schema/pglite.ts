import { SchemaError } from "../../runner/mod.ts";
import { openInstance, type Pglite, pgliteWire } from "../engines/pglite/driver.ts";
import { connectionOver } from "../engines/postgresql/driver.ts";
import { identifier } from "../files/quoting.ts";
import { loadPglite } from "../connect/drivers.ts";
import { cleanPostgresql } from "./clean.ts";
import { PG_DUMP_OPTIONS } from "./dumps.ts";

/** By the `pg_dump` made for it, which leaves its transaction and settings in the session. */
export async function dumpPglite(pglite: Pglite): Promise<string> {
  const { pgDump } = await loadPglite("@electric-sql/pglite-tools", "/pg_dump") as {
    pgDump(options: { pg: unknown; args: readonly string[] }): Promise<Blob>;
  };
  // Its own queries would wait for the session that this function holds.
  const session = connectionOver(pgliteWire(pglite, () => Promise.resolve()), (text) => text);
  const pg = {
    query: async (sql: string) => (await session.send(sql)).at(-1),
    exec: (sql: string) => session.send(sql),
    execProtocolRawStream: pglite.execProtocolRawStream.bind(pglite),
  };
  try {
    const file = await pgDump({ pg, args: PG_DUMP_OPTIONS });
    return cleanPostgresql(await file.text());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaError(`The schema of the database cannot be read: ${reason}`);
  }
}

/** A new database in memory, with the extensions that a text creates as far as PGlite includes them. */
export async function emptyPglite(texts: readonly string[]): Promise<Pglite> {
  const names = texts.flatMap((text) => [...text.matchAll(EXTENSION)].map(([, name = ""]) => name));
  const extensions: Record<string, unknown> = {};
  for (const name of new Set(names.map((name) => name.toLowerCase().replaceAll("-", "_")))) {
    const loaded = await loadPglite("@electric-sql/pglite", `/contrib/${name}`).catch(() => ({}));
    const extension = Object(loaded)[name];
    if (extension !== undefined) extensions[name] = extension;
  }
  return await openInstance(":memory:", { extensions });
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
