/** The schema of the engine and of {@linkcode DONE}, apart from one that an application has of its own pg-boss. */
export const SCHEMA = "irori_jobs";
/** Jobs whose transaction is committed. */
export const DONE: string = `${SCHEMA}.done`;

const TABLE = `
CREATE TABLE ${DONE} (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX done_at ON ${DONE} USING brin (at);
`;

const ALLOWED = "-- irori: allow update-without-where: the table has one row";

export async function loadEngine(): Promise<typeof import("pg-boss")> {
  return await import("pg-boss").catch(async (cause) => {
    const { packageMissing, PG_BOSS } = await import("../../runtime/mod.ts");
    return packageMissing(PG_BOSS)(cause);
  });
}

/**
 * The statements by which a migration creates the tables, or changes them where an older migration has created them.
 *
 * @param written the newest version that migrations have written, 0 for none
 * @returns `undefined` when there is nothing to change
 */
export async function jobsSchema(written = 0): Promise<string | undefined> {
  const { getConstructionPlans, getMigrationPlans } = await loadEngine();
  const plan = getConstructionPlans(SCHEMA);
  const created = transactionIn(plan) ?? plan; // That of the file has it.
  const version = schemaVersion(plan);
  if (written >= version) return undefined;
  const title =
    `-- The schema of jobs, version ${version}: 'irori new jobs-schema' has written it, for @Job\n`;
  if (written === 0) return `${title}${created}${TABLE}`;
  const changed = getMigrationPlans(SCHEMA, written)
    .replace(/^UPDATE irori_jobs\.version SET/gm, `${ALLOWED}\n$&`);
  // Its transaction, and indices that are built beside it.
  return `-- irori: no-transaction\n${title}${changed}\n`;
}

export async function neededVersion(): Promise<number> {
  return schemaVersion((await loadEngine()).getConstructionPlans(SCHEMA));
}

/** The version that a migration has written, 0 for none. */
export function writtenVersion(sql: string): number {
  return Number(/^-- The schema of jobs, version (\d+)/m.exec(sql)?.[1] ?? 0);
}

function schemaVersion(script: string): number {
  const found = /INSERT INTO irori_jobs\.version\(version\) VALUES \('(\d+)'\)/.exec(script)?.[1];
  if (found !== undefined) return Number(found);
  throw new Error("Cannot read the version of the schema that 'pg-boss' creates");
}

/** The statements between the `BEGIN` and `COMMIT` of a script, if it is one. */
export function transactionIn(script: string): string | undefined {
  return /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/.exec(script)?.[1];
}

/** Why jobs cannot run on a database, by the kind of its SQL; empty for PostgreSQL. */
export function unsuitable(kind: string): string {
  return DATABASES[kind] ?? `'${kind}'`;
}

const DATABASES: Readonly<Record<string, string>> = {
  postgresql: "",
  ...{ mysql: "MySQL or MariaDB", sqlite: "SQLite" },
};
