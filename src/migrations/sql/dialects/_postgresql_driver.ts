import type { Datasource } from "../datasource.ts";
import { loadDriver } from "../drivers.ts";
import { redactor } from "../redact.ts";
import { loadTls, type TlsSettings } from "../tls.ts";
import type { Command, SqlEnvironment, Table, Value } from "../types.ts";
import { connectError } from "./_connect_error.ts";
import { postgresqlError } from "./_postgresql_error.ts";

/** What is used of `pg`. */
interface Client {
  readonly connection: { on(event: "commandComplete", listener: () => void): void };
  connect(): Promise<unknown>;
  query(sql: string): Promise<Result | Result[]>;
  /** `I` outside of transactions, `T` inside, `E` inside a failed one. */
  getTransactionStatus(): string | null;
  on(event: "error" | "end", listener: () => void): void;
  end(): Promise<void>;
}

interface Result {
  readonly fields: readonly { readonly name: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A connection of `pg` that speaks the simple query protocol and whose errors are ours. */
export interface PostgresqlConnection {
  /** Sends a text of one or more statements; gives the rows of the last one. */
  send(sql: string): Promise<Table>;
  /**
   * Sends a text behind other statements, in one message; gives the rows of the last of those. Errors count places and
   * statements from the start of the text.
   */
  sendAfter(before: readonly string[], sql: string): Promise<Table>;
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
  isLost(): boolean;
  /** Ends it; never throws. */
  close(): Promise<void>;
}

/** Connects. @throws {DatabaseError} */
export async function connectPostgresql(
  datasource: Datasource,
  environment: SqlEnvironment,
  { statementTimeoutMs }: Pick<Datasource, "statementTimeoutMs"> = {},
): Promise<PostgresqlConnection> {
  const { default: { Client } } = await loadDriver("pg") as {
    default: { Client: new (settings: unknown) => Client };
  };
  const tls = await loadTls(datasource.tls, environment.files);
  const redact = redactor(datasource);
  const attempt = async (ssl: unknown) => {
    const client = new Client({
      ...settingsOf(datasource, environment),
      ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
      ssl,
    });
    let isLost = false;
    client.on("error", () => isLost = true);
    client.on("end", () => isLost = true);
    await client.connect();
    return wrap(client, redact, () => isLost);
  };
  try {
    return await attempt(tls ? sslOf(tls) : false);
  } catch (error) {
    const hasNoTls = error instanceof Error && /does not support SSL/.test(error.message);
    if (!tls?.optional || !hasNoTls) throw connectError(postgresqlError(error, redact), datasource);
  }
  try {
    return await attempt(false);
  } catch (error) {
    throw connectError(postgresqlError(error, redact), datasource);
  }
}

function settingsOf(
  { host, port, username, password, database, schema, connectTimeoutMs }: Datasource,
  { owner }: SqlEnvironment,
) {
  return {
    host,
    port,
    user: username,
    password: password?.reveal(),
    database,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: `irori ${owner}`.slice(0, 63),
    ...(schema !== undefined && {
      options: `-c search_path=${schema.replace(/[\\ ]/g, "\\$&")}`,
    }),
  };
}

/** `pg` takes `sslmode=require` for more than it says, so its own reading of URLs is not used. */
function sslOf({ verify, ca, cert, key }: TlsSettings) {
  return {
    rejectUnauthorized: verify !== "none",
    ...(verify === "chain" && { checkServerIdentity: () => undefined }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

function wrap(
  client: Client,
  redact: (text: string) => string,
  isLost: () => boolean,
): PostgresqlConnection {
  let completed = 0;
  client.connection.on("commandComplete", () => completed++);
  const query = async (before: readonly string[], sql: string): Promise<readonly Result[]> => {
    completed = -before.length;
    const head = before.map((statement) => `${statement};\n`).join("");
    try {
      const results = await client.query(head + sql);
      return Array.isArray(results) ? results : [results];
    } catch (error) {
      throw postgresqlError(error, redact, { head, sql, completed: Math.max(completed, 0) });
    }
  };
  return {
    send: async (sql) => tableOf((await query([], sql)).at(-1)),
    sendAfter: async (before, sql) => tableOf((await query(before, sql))[before.length - 1]),
    isInTransaction: () => client.getTransactionStatus() !== "I",
    isLost,
    close: () => client.end().catch(() => {}),
  };
}

function tableOf(result?: Result): Table {
  return { columns: result?.fields.map(({ name }) => name) ?? [], rows: result?.rows ?? [] };
}

/** Puts the values of a command into its text: the simple protocol has no parameters. */
export function inline({ sql, values }: Command): string {
  let next = 0;
  return sql.replaceAll("?", () => literal(values[next++] ?? null));
}

function literal(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return `${value}`;
  const text = value instanceof Date ? value.toISOString() : value;
  const quoted = `'${text.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;
  // Only this form means the same whatever standard_conforming_strings is.
  return text.includes("\\") ? `E${quoted}` : quoted;
}
