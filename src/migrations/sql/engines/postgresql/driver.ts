import { stringLiteral } from "../../files/quoting.ts";
import type { Datasource } from "../../connect/datasource.ts";
import { loadDriver } from "../../connect/drivers.ts";
import { redactor } from "../../connect/secret.ts";
import type { LoadedTls } from "../../connect/tls.ts";
import type { Command, Kept, SqlEnvironment, Table, Value } from "../../types.ts";
import { closing, connecting } from "../shared/connections.ts";
import type { ScriptPart } from "../shared/parts.ts";
import { postgresqlError } from "./error.ts";

export interface Client {
  readonly connection: {
    readonly stream: { destroy(): void };
    on(event: "commandComplete", listener: () => void): void;
    on(event: "readyForQuery", listener: (message: { readonly status: string }) => void): void;
  };
  readonly processID: number | null;
  connect(): Promise<unknown>;
  query(query: SentQuery): void;
  /** `I` outside of transactions, `T` inside, `E` inside a failed one. That of Neon does not tell. */
  getTransactionStatus?(): string | null;
  on(event: "error" | "end", listener: () => void): void;
  end(): Promise<void>;
}

interface SentQuery {
  on(event: "row", listener: (row: Row, result: Result) => void): void;
  on(event: "end", listener: (results: Result | Result[]) => void): void;
  on(event: "error", listener: (error: unknown) => void): void;
}

export type Row = Readonly<Record<string, unknown>>;

interface Result {
  readonly fields: readonly { readonly name: string }[];
}

/** The class of queries, which clients of `pg` take as they are. */
export type QueryClass = new (settings: unknown) => SentQuery;

interface Driver {
  readonly Client: new (settings: unknown) => Client;
  readonly Query: QueryClass;
}

export interface Message {
  readonly before?: readonly string[];
  /** A statement, or several as a part. Errors count places and statements from its start. */
  readonly text: string | Pick<ScriptPart, "text" | "own">;
}

export function messageOf(message: Message | string): Message {
  return typeof message === "string" ? { text: message } : message;
}

export interface PostgresqlConnection extends Kept {
  /** Id of the server process, as the server reported it: behind a pooler another one answers. */
  readonly processId: number;
  /** Sends a message; gives the rows of every statement, those before the text included. All values are texts. */
  send(message: Message | string): Promise<readonly Table[]>;
  /** The same, which may fail; gives the rows of the statements before the one that has failed too. */
  attempt(message: Message | string, withinMs?: number): Promise<Attempted>;
  isInTransaction(): boolean;
  /** Makes the session as new, if more was done in it than {@linkcode attempt}. */
  renew(): Promise<void>;
}

export interface Attempted {
  readonly tables: readonly Table[];
  readonly error?: unknown;
}

export type ConnectPostgresql = () => Promise<PostgresqlConnection>;

/** Connects. Parameters of the session are not sent along: poolers refuse them. @throws {DatabaseError} */
export async function connectPostgresql(
  datasource: Datasource,
  environment: SqlEnvironment,
): Promise<PostgresqlConnection> {
  const { default: driver } = await loadDriver("pg") as { default: Driver };
  const redact = redactor(datasource);
  const attempt = async (tls?: LoadedTls) => {
    const ssl = tls ? sslOf(tls) : false;
    const client = new driver.Client({ ...poolOptions(datasource, environment), ssl });
    let isLost = false;
    client.on("error", () => isLost = true);
    client.on("end", () => isLost = true);
    await client.connect();
    return connectionOver(wireOf(driver.Query, client, () => isLost), redact);
  };
  const hasNoTls = (error: unknown) =>
    error instanceof Error && /does not support SSL/.test(error.message);
  return await connecting(datasource, environment, attempt, hasNoTls, (error) => {
    return postgresqlError(error, redact);
  });
}

/** A dead host is noticed after some minutes, not after two hours. */
const KEEP_ALIVE_MS = 30_000;

function poolOptions(
  { host, port, username, password, database, connectTimeoutMs }: Datasource,
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
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: `irori ${owner}`.slice(0, 63),
  };
}

/** `pg` takes `sslmode=require` for more than it says, so its own reading of URLs is not used. */
function sslOf({ verify, optional: _, ...files }: LoadedTls) {
  return {
    rejectUnauthorized: verify !== "none",
    ...(verify === "chain" && { checkServerIdentity: () => undefined }),
    ...files,
  };
}

export interface Wire
  extends Pick<PostgresqlConnection, "processId" | "isInTransaction" | "isLost" | "close"> {
  /** Sends a text by the simple query protocol. Never rejects. @param withinMs how long to wait for the answer */
  ask(text: string, withinMs?: number): Promise<SentResult>;
}

export interface SentResult extends Attempted {
  readonly completed: number;
}

/** Texts, as the server sends them: the driver's own readings of times go by the zone of this machine. */
const TYPES = { getTypeParser: () => (value: string) => value };

export function wireOf(
  Query: QueryClass,
  client: Client,
  isLost: () => boolean,
  close: () => Promise<void> = () => client.end(),
): Wire {
  let completed = 0;
  let status = client.getTransactionStatus?.() ?? "T";
  client.connection.on("commandComplete", () => completed++);
  client.connection.on("readyForQuery", (message) => status = message.status);
  return {
    processId: client.processID ?? 0,
    ask: (text, withinMs) =>
      new Promise<SentResult>((resolve) => {
        const rowsOf = new Map<Result, Row[]>();
        const tables = (results: readonly Result[]) =>
          results.map((result) => ({
            columns: result.fields.map(({ name }) => name),
            rows: rowsOf.get(result) ?? [],
          }));
        let isLate = false;
        const timer = withinMs === undefined ? undefined : setTimeout(() => {
          isLate = true;
          client.connection.stream.destroy();
        }, withinMs);
        completed = 0;
        const query = new Query({ text, types: TYPES });
        query.on("row", (row, result) => {
          const rows = rowsOf.get(result);
          if (rows) rows.push(row);
          else rowsOf.set(result, [row]);
        });
        query.on("end", (results) => {
          clearTimeout(timer);
          resolve({ tables: tables([results].flat()), completed });
        });
        query.on("error", (error) => {
          clearTimeout(timer);
          const found = isLate ? new Error(`it took longer than ${withinMs! / 1000} s`) : error;
          resolve({ tables: tables([...rowsOf.keys()]), error: found, completed });
        });
        client.query(query);
      }),
    isInTransaction: () => status !== "I",
    isLost,
    close: () => closing(close(), () => client.connection.stream.destroy()),
  };
}

export function connectionOver(wire: Wire, redact: (text: string) => string): PostgresqlConnection {
  let isNew = false;
  return {
    ...wire,
    async send(message) {
      isNew = false;
      const { tables, error } = await this.attempt(message);
      if (error !== undefined) throw error;
      return tables;
    },
    async attempt(message, withinMs) {
      const { before = [], text: part } = messageOf(message);
      const sql = typeof part === "string" ? part : part.text;
      const head = before.map((statement) => `${statement};\n`).join("");
      const { tables, error, completed } = await wire.ask(head + sql, withinMs);
      if (error === undefined) return { tables };
      // Before the first is done the text itself could not be read.
      const own = completed > 0 && completed < before.length ? { own: completed } : {};
      const sent = { head, sql, completed: Math.max(completed - before.length, 0), ...own };
      return { tables, error: postgresqlError(error, redact, sent) };
    },
    async renew() {
      if (wire.isInTransaction()) await this.send("ROLLBACK");
      if (!isNew) await this.send("DISCARD ALL");
      isNew = true;
    },
  };
}

/** Puts the values of a command into its text: the simple protocol has no parameters. */
export function inline({ sql, values }: Command): string {
  let next = 0;
  return sql.replace(
    /"[^"]*"|\?/g,
    (part) => part === "?" ? literal(values[next++] ?? null) : part,
  );
}

/** A value as the server reads it whatever `standard_conforming_strings` is. */
export function literal(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return `${value}`;
  const text = value instanceof Date ? value.toISOString() : value;
  const quoted = stringLiteral(text.replaceAll("\\", "\\\\"));
  return text.includes("\\") ? `E${quoted}` : quoted;
}
