import type { FileSystem, Runtime } from "../../../runtime/mod.ts";
import { SchemaError } from "../../runner/mod.ts";
import type { Datasource } from "../datasource.ts";
import { TABLE } from "../records.ts";
import { redactor } from "../secret.ts";
import type { TlsSettings } from "../tls.ts";
import { cleanMysql, cleanPostgresql } from "./clean.ts";

/** What reading and writing schemas needs of the process. */
export interface SchemaRuntime {
  readonly files: FileSystem;
  readonly execute: Runtime["execute"];
}

/** What `pg_dump` is told, that of PGlite too. */
export const PG_DUMP_OPTIONS: readonly string[] = [
  "--schema-only",
  "--no-owner",
  "--no-privileges",
  "--no-tablespaces",
  // They name servers and passwords.
  "--no-subscriptions",
  `--exclude-table=*.${TABLE}`,
];

/** The schema of a PostgreSQL server, by `pg_dump`. @throws {SchemaError} where it is missing, too old or refused */
export async function dumpPostgresql(
  datasource: Datasource,
  { execute }: SchemaRuntime,
): Promise<string> {
  const { host, port, username, password, database, connectTimeoutMs, tls } = datasource;
  const paths = pathsOf(tls);
  // What it is told by its environment is not seen by other users of the machine.
  const env = {
    PGHOST: host,
    PGPORT: `${port}`,
    PGDATABASE: database,
    PGCONNECT_TIMEOUT: `${Math.max(2, Math.ceil(connectTimeoutMs / 1000))}`,
    PGCLIENTENCODING: "UTF8",
    PGSSLMODE: sslModeOf(tls),
    ...(username !== undefined && { PGUSER: username }),
    ...(password !== undefined && { PGPASSWORD: password.reveal() }),
    ...(paths.ca !== undefined && { PGSSLROOTCERT: paths.ca }),
    ...(paths.cert !== undefined && { PGSSLCERT: paths.cert }),
    ...(paths.key !== undefined && { PGSSLKEY: paths.key }),
  };
  const done = await execute("pg_dump", ["--no-password", ...PG_DUMP_OPTIONS], env);
  return cleanPostgresql(outputOf(datasource, ["pg_dump"], "pg_dump", done));
}

function sslModeOf(tls: TlsSettings | undefined): string {
  if (tls === undefined) return "disable";
  if (tls.optional) return "prefer";
  return { full: "verify-full", chain: "verify-ca", none: "require" }[tls.verify];
}

/** The schema of a MySQL or MariaDB server, by its dump program. @throws {SchemaError} as {@linkcode dumpPostgresql} */
export async function dumpMysql(
  datasource: Datasource,
  { execute }: SchemaRuntime,
): Promise<string> {
  const { database, password } = datasource;
  const env: Record<string, string> = {};
  if (password !== undefined) env.MYSQL_PWD = password.reveal();
  const programs = ["mariadb-dump", "mysqldump"];
  for (const program of programs) {
    const version = await execute(program, ["--version"]);
    if (version === undefined) continue;
    const options = [
      "--no-defaults",
      ...addressOptions(datasource),
      ...version.stdout.includes("MariaDB") ? tlsOfMariadb(datasource) : tlsOfMysql(datasource),
      ...["--no-data", "--routines", "--triggers", "--events", "--single-transaction"],
      ...["--skip-comments", "--skip-add-drop-table", "--skip-add-locks", "--no-tablespaces"],
      ...["--default-character-set=utf8mb4", `--ignore-table=${database}.${TABLE}`],
      ...["--", database],
    ];
    const done = await execute(program, options, env);
    return cleanMysql(outputOf(datasource, programs, program, done));
  }
  return outputOf(datasource, programs, "", undefined);
}

function addressOptions({ host, port, username }: Datasource): readonly string[] {
  const place = host.startsWith("/")
    ? [`--socket=${host}`]
    : ["--protocol=tcp", `--host=${host}`, `--port=${port}`];
  return [...place, ...username === undefined ? [] : [`--user=${username}`]];
}

function tlsOfMariadb({ tls }: Datasource): readonly string[] {
  if (tls === undefined) return ["--skip-ssl"];
  const verifies = tls.verify === "none"
    ? "--skip-ssl-verify-server-cert"
    : "--ssl-verify-server-cert";
  return ["--ssl", verifies, ...certificateOptions(tls)];
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

/** @throws {SchemaError} for certificates that are given as a text, which programs do not take */
function pathsOf(tls: TlsSettings | undefined): Partial<Record<"ca" | "cert" | "key", string>> {
  const paths: Partial<Record<"ca" | "cert" | "key", string>> = {};
  for (const name of ["ca", "cert", "key"] as const) {
    const source = tls?.[name];
    if (source === undefined) continue;
    if (source.path === undefined) {
      throw new SchemaError(
        `The program that reads the schema needs 'ssl.${name}' as a file, not as a text`,
      );
    }
    paths[name] = source.path;
  }
  return paths;
}

/** What a program wrote. @throws {SchemaError} when there is none, or it failed */
function outputOf(
  datasource: Datasource,
  programs: readonly string[],
  program: string,
  done: Awaited<ReturnType<Runtime["execute"]>>,
): string {
  if (done === undefined) {
    const names = programs.map((name) => `'${name}'`).join(" or ");
    throw new SchemaError(
      `There is no ${names} on PATH, or this process may not run it: the schema is read by it`,
    );
  }
  if (done.code === 0) return done.stdout;
  const reason = redactor(datasource)(done.stderr.trim().replace(/\s*\n\s*/g, "; ")).slice(0, 500);
  throw new SchemaError(`${program} gave up with exit code ${done.code}: ${reason}`);
}
