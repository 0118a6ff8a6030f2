import { orAborted } from "../../runtime/mod.ts";
import { type Datasource, LOCK_TIMEOUT_MS } from "../../migrations/sql/connect/datasource.ts";
import { stringLiteral } from "../../migrations/sql/files/quoting.ts";
import { OWN_SCHEMAS, OWN_TABLES } from "../../migrations/sql/journal/records.ts";
import { redactor } from "../../migrations/sql/connect/secret.ts";
import { failOf } from "../../migrations/sql/failure.ts";
import { openDatabase } from "../../migrations/sql/target.ts";
import type { SqlEnvironment, Table } from "../../migrations/sql/types.ts";
import type { TlsSettings } from "../../migrations/sql/connect/tls.ts";
import { cleanMysql, cleanPostgresql } from "./clean.ts";
import { SchemaError } from "./engine.ts";

export const PG_DUMP_OPTIONS: readonly string[] = [
  "--schema-only",
  "--no-owner",
  "--no-privileges",
  "--no-tablespaces",
  // They name servers and passwords.
  "--no-subscriptions",
  ...OWN_TABLES.map((name) => `--exclude-table=*.${name}`),
  ...OWN_SCHEMAS.map((name) => `--exclude-schema=${name}`),
];

/** The schema of a PostgreSQL server, by `pg_dump`. @throws {SchemaError} where it is missing, too old or refused */
export async function dumpPostgresql(
  datasource: Datasource,
  runtime: SqlEnvironment,
): Promise<string> {
  const { host, port, username, password, database, connectTimeoutMs, tls } = datasource;
  const { lockTimeoutMs = LOCK_TIMEOUT_MS } = datasource.migrations;
  const { ca, cert, key } = pathsOf(tls);
  // As the driver has it; known since version 16.
  const authorities = ca ?? (tls !== undefined && tls.verify !== "none" ? "system" : undefined);
  // Other users of the machine cannot see its environment.
  const env = {
    ...NOT_OURS,
    PGHOST: host,
    PGPORT: `${port}`,
    PGDATABASE: database,
    PGCONNECT_TIMEOUT: `${Math.max(2, Math.ceil(connectTimeoutMs / 1000))}`,
    PGCLIENTENCODING: "UTF8",
    PGSSLMODE: sslModeOf(tls),
    ...(username !== undefined && { PGUSER: username }),
    ...(password !== undefined && { PGPASSWORD: password.reveal() }),
    ...(authorities !== undefined && { PGSSLROOTCERT: authorities }),
    ...(cert !== undefined && { PGSSLCERT: cert }),
    ...(key !== undefined && { PGSSLKEY: key }),
  };
  const options = [
    "--no-password",
    `--lock-wait-timeout=${Math.max(1, Math.round(lockTimeoutMs))}`,
    ...PG_DUMP_OPTIONS,
  ];
  return cleanPostgresql(await outputOf(datasource, "pg_dump", options, env, runtime));
}

/** Variables that the driver ignores, and that would lead to another server, or in another way. */
const NOT_OURS: Readonly<Record<string, undefined>> = Object.fromEntries(
  [
    ...["SERVICE", "SERVICEFILE", "HOSTADDR", "OPTIONS", "TARGETSESSIONATTRS", "LOADBALANCEHOSTS"],
    ...["REQUIRESSL", "SSLROOTCERT", "SSLCERT", "SSLKEY", "SSLCRL", "SSLNEGOTIATION"],
    ...["CHANNELBINDING", "REQUIREAUTH", "REQUIREPEER", "GSSENCMODE", "SSLCERTMODE"],
  ].map((name) => [`PG${name}`, undefined]),
);

/** How long a program or PGlite may take in all: behind the locks of others some would wait without an end. */
const LIMIT_MS = 300_000;

/**
 * Does what is stopped by a signal: that of the command, or one after the limit.
 *
 * @throws {SchemaError} after the limit, and the reason of the command's signal
 */
export async function withinLimit<T>(
  what: string,
  advice: string,
  { signal }: Pick<SqlEnvironment, "signal">,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const late = `${what} did not finish within ${LIMIT_MS / 1000} s${advice}`;
  const timer = setTimeout(() => limit.abort(new SchemaError(late)), LIMIT_MS);
  const stop = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  return await orAborted(work(stop), stop).finally(() => clearTimeout(timer));
}

function sslModeOf(tls: TlsSettings | undefined): string {
  if (tls === undefined) return "disable";
  if (tls.optional) return "prefer";
  // Without a file of authorities libpq has no other mode that asks the system's.
  if (tls.ca === undefined && tls.verify !== "none") return "verify-full";
  return { full: "verify-full", chain: "verify-ca", none: "require" }[tls.verify];
}

/** The schema of a MySQL or MariaDB server, by its dump program. @throws {SchemaError} as {@linkcode dumpPostgresql} */
export async function dumpMysql(
  datasource: Datasource,
  runtime: SqlEnvironment,
): Promise<string> {
  const { database, password } = datasource;
  const env: Record<string, string> = {};
  if (password !== undefined) env.MYSQL_PWD = password.reveal();
  const programs = ["mariadb-dump", "mysqldump"];
  for (const program of programs) {
    const version = await runtime.execute(program, ["--version"]);
    if (version === undefined) continue;
    const options = [
      "--no-defaults",
      ...addressOptions(datasource),
      ...version.stdout.includes("MariaDB") ? tlsOfMariadb(datasource) : tlsOfMysql(datasource),
      ...["--no-data", "--routines", "--triggers", "--events", "--single-transaction"],
      ...["--skip-comments", "--skip-add-drop-table", "--skip-add-locks", "--no-tablespaces"],
      "--default-character-set=utf8mb4",
      ...OWN_TABLES.map((name) => `--ignore-table=${database}.${name}`),
      ...["--", database],
    ];
    return cleanMysql(await outputOf(datasource, program, options, env, runtime));
  }
  throw notFound(programs);
}

function addressOptions({ host, port, username }: Datasource): readonly string[] {
  const place = host.startsWith("/")
    ? [`--socket=${host}`]
    : ["--protocol=tcp", `--host=${host}`, `--port=${port}`];
  return [...place, ...username === undefined ? [] : [`--user=${username}`]];
}

function tlsOfMariadb({ tls }: Datasource): readonly string[] {
  if (tls === undefined) return ["--skip-ssl"];
  const skip = tls.verify === "none" ? "skip-" : "";
  return ["--ssl", `--${skip}ssl-verify-server-cert`, ...certificateOptions(tls)];
}

function tlsOfMysql({ tls }: Datasource): readonly string[] {
  const own = ["--set-gtid-purged=OFF", "--column-statistics=0"];
  if (tls === undefined) return [...own, "--ssl-mode=PREFERRED"];
  const mode = tls.optional
    ? "PREFERRED"
    : { full: "VERIFY_IDENTITY", chain: "VERIFY_CA", none: "REQUIRED" }[tls.verify];
  return [...own, `--ssl-mode=${mode}`, ...certificateOptions(tls)];
}

function certificateOptions(tls: TlsSettings): readonly string[] {
  return Object.entries(pathsOf(tls)).map(([name, path]) => `--ssl-${name}=${path}`);
}

function pathsOf(tls: TlsSettings | undefined): Partial<Record<"ca" | "cert" | "key", string>> {
  const names = (["ca", "cert", "key"] as const).filter((name) => tls?.[name] !== undefined);
  return Object.fromEntries(names.map((name) => {
    const path = tls?.[name]?.path;
    if (path !== undefined) return [name, path];
    throw new SchemaError(
      `The program that reads the schema needs 'ssl.${name}' as a file, not as a string`,
    );
  }));
}

/** The output of a program. @throws {SchemaError} when it does not exist, or failed */
async function outputOf(
  datasource: Datasource,
  program: string,
  options: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  runtime: SqlEnvironment,
): Promise<string> {
  const done = await withinLimit(program, "", runtime, (signal) => {
    return runtime.execute(program, options, { env, signal });
  });
  if (done === undefined) throw notFound([program]);
  if (done.code === 0) return done.stdout;
  const reason = redactor(datasource)(done.stderr.trim().replace(/\s*\n\s*/g, "; ")).slice(0, 500);
  const advice = /root certificate file "system"/.test(reason)
    ? ". pg_dump before version 16 does not know the system's authorities: set 'ssl.ca'"
    : "";
  throw new SchemaError(`${program} failed with exit code ${done.code}: ${reason}${advice}`);
}

function notFound(programs: readonly string[]): SchemaError {
  const names = programs.map((name) => `'${name}'`).join(" or ");
  return new SchemaError(
    `Cannot run ${names} to read the schema: not found on PATH, or this process may not run it`,
  );
}

export async function ask(
  datasource: Datasource,
  environment: SqlEnvironment,
  sql: string,
): Promise<Table["rows"]> {
  const database = await openDatabase(datasource, environment);
  return (await database.query(sql).finally(() => database.close())).rows;
}

/**
 * The schema of a SQLite database, as it keeps it: statements of tables, indexes, views and triggers, each group by name.
 * Objects that SQLite makes itself are left out, such as the tables behind a virtual one, and the history table.
 */
export async function dumpSqlite(
  datasource: Datasource,
  environment: SqlEnvironment,
): Promise<string> {
  const rows = await ask(
    datasource,
    environment,
    "SELECT s.sql FROM sqlite_schema s WHERE s.sql IS NOT NULL " +
      "AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND s.name NOT GLOB '_cf_*' " +
      `AND s.tbl_name NOT IN (${OWN_TABLES.map(stringLiteral).join(", ")}) ` +
      // Asked once: it lists all tables.
      "AND s.tbl_name NOT IN (SELECT l.name FROM pragma_table_list l " +
      "WHERE l.schema = 'main' AND l.type = 'shadow') " +
      "ORDER BY instr('table index view trigger', s.type), s.name",
  ).catch(failOf(datasource.name));
  return rows.map(({ sql }) => `${sql};\n`).join("\n");
}
