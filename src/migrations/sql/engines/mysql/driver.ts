import type { Datasource } from "../../connect/datasource.ts";
import { loadDriver } from "../../connect/drivers.ts";
import { DatabaseError } from "../../errors.ts";
import { redactor } from "../../connect/secret.ts";
import type { LoadedTls } from "../../connect/tls.ts";
import type { Command, Kept, SqlEnvironment, Table, Value } from "../../types.ts";
import { asNew, borrow, closing, connecting, placed } from "../shared/connections.ts";
import { mysqlError } from "./error.ts";

interface Connection {
  readonly threadId: number;
  query(statement: SentStatement): Promise<[unknown, readonly Field[] | undefined]>;
  execute(
    statement: SentStatement,
    values: (string | number | null)[],
  ): Promise<[unknown, readonly Field[] | undefined]>;
  changeUser(options: unknown): Promise<void>;
  on(event: "error", listener: () => void): void;
  end(): Promise<void>;
  destroy(): void;
}

interface Field {
  readonly name: string;
}

/** A statement, and how its values are read whatever the connection was made with. */
type SentStatement = typeof READING & { readonly sql: string };

const READING = {
  rowsAsArray: false,
  nestTables: false,
  namedPlaceholders: false,
  typeCast: true,
  // Times as they are written there, which is UTC.
  dateStrings: true,
  supportBigNumbers: true,
} as const;

/** The part of a pool of `mysql2` that is used, that of `mysql2/promise` or the other one. */
interface Pool {
  getConnection(): Promise<Connection>;
  promise?(): Pool;
}

export interface MysqlConnection extends Kept {
  readonly id: number;
  send(sql: string): Promise<void>;
  execute(command: Command): Promise<Table & { readonly matched?: number }>;
  isInTransaction(): boolean;
  /** @param database that it works in from then on; by default the one before */
  renew(database?: string): Promise<void>;
}

/** `SERVER_STATUS_IN_TRANS` of the protocol. */
const IN_TRANSACTION = 1;

export async function connectMysql(
  datasource: Datasource,
  environment: Pick<SqlEnvironment, "files" | "using" | "keep">,
): Promise<MysqlConnection> {
  const { keep, ...rest } = environment;
  if (keep) {
    const connection = await keep(() => connectMysql(datasource, rest));
    await connection.renew(datasource.database);
    return connection;
  }
  if (environment.using) return await takeFromPool(environment.using, datasource);
  const { createConnection } = await loadDriver("mysql2", "/promise") as {
    createConnection(settings: unknown): Promise<Connection>;
  };
  refuseAddress(datasource);
  const redact = redactor(datasource);
  const attempt = async (tls?: LoadedTls) => {
    const settings = { ...poolOptions(datasource), ...(tls && { ssl: sslOf(tls) }) };
    return wrap(await createConnection(settings), redact);
  };
  const hasNoTls = (error: unknown) => Object(error).code === "HANDSHAKE_NO_SSL_SUPPORT";
  return await connecting(datasource, environment, attempt, hasNoTls, (error) => {
    return mysqlError(error, redact);
  });
}

function poolOptions({ host, port, username, password, database, connectTimeoutMs }: Datasource) {
  return {
    ...(host.startsWith("/") ? { socketPath: host } : { host, port }),
    user: username,
    password: password?.reveal(),
    database,
    connectTimeout: connectTimeoutMs,
    charset: "utf8mb4_general_ci",
    // One statement a time: the server then says which of them failed.
    multipleStatements: false,
    // A server that may ask for files could ask for any. The others change what statements mean, and
    // IGNORE_SPACE even stays in the routines that are created.
    flags: ["-LOCAL_FILES", "-IGNORE_SPACE", "-FOUND_ROWS"],
  };
}

/** A connection of the application's pool, made as new; it is not given back but ended, and the pool makes another one. */
async function takeFromPool(using: object, datasource: Datasource): Promise<MysqlConnection> {
  const given = using as Pool;
  const pool = given.promise?.() ?? given;
  const redact = redactor(datasource);
  return await placed(datasource, (error) => mysqlError(error, redact), async () => {
    const asked = pool.getConnection();
    const connection = await borrow(asked, (one) => one.destroy(), datasource.connectTimeoutMs);
    return await asNew(wrap(connection, redact, () => Promise.resolve(connection.destroy())));
  });
}

/** For an address the driver compares the certificate with `localhost`, which would be no protection. */
function refuseAddress({ host, tls }: Datasource): void {
  const isAddress = /^[\d.]+$|:/.test(host) && !/^127\.|^::1$/.test(host);
  if (!isAddress || tls?.verify !== "full") return;
  throw new DatabaseError(
    "lost",
    `Cannot verify the certificate of '${host}', which is an IP address: use the host name of the server, or ` +
      "'sslmode=verify-ca' in the URL",
  );
}

function sslOf({ verify, optional: _, ...files }: LoadedTls) {
  return { rejectUnauthorized: verify !== "none", verifyIdentity: verify === "full", ...files };
}

function wrap(
  connection: Connection,
  redact: (text: string) => string,
  end: () => Promise<void> = () => connection.end(),
): MysqlConnection {
  let isLost = false;
  let isInTransaction = false;
  connection.on("error", () => isLost = true);
  const rewriting = async <T>(action: () => Promise<T>, sql?: string): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const rewritten = mysqlError(error, redact, sql);
      if (rewritten.kind === "lost") isLost = true;
      throw rewritten;
    }
  };
  return {
    id: connection.threadId,
    send: (sql) =>
      rewriting(async () => {
        const [result] = await connection.query({ ...READING, sql });
        const status = statusOf(result);
        if (status !== undefined) isInTransaction = (status & IN_TRANSACTION) !== 0;
      }, sql),
    execute: ({ sql, values }) =>
      rewriting(async () => {
        const [rows, fields] = values.length === 0
          ? await connection.query({ ...READING, sql })
          : await connection.execute({ ...READING, sql }, values.map(toMysql));
        const columns = fields?.map(({ name }) => name) ?? [];
        if (Array.isArray(rows)) return { columns, rows };
        return { columns, rows: [], matched: matchedRows(rows) };
      }),
    isInTransaction: () => isInTransaction,
    isLost: () => isLost,
    async renew(database) {
      await rewriting(() => connection.changeUser(database === undefined ? {} : { database }));
      isInTransaction = false;
    },
    close: async () => {
      if (isLost) return connection.destroy();
      await closing(end(), () => connection.destroy());
    },
  };
}

/** Rows come without a status; a procedure gives it behind its rows. */
function statusOf(result: unknown): number | undefined {
  const status: unknown = Object(Array.isArray(result) ? result.at(-1) : result).serverStatus;
  return typeof status === "number" ? status : undefined;
}

/** Without a flag of the connection the server counts rows that are changed, and says in words how many it found. */
function matchedRows(result: unknown): number {
  const { info, affectedRows }: { info?: string; affectedRows?: number } = Object(result);
  const matched = /^Rows matched: (\d+)/.exec(info ?? "")?.[1];
  return matched === undefined ? affectedRows ?? 0 : Number(matched);
}

function toMysql(value: Value): string | number | null {
  return value instanceof Date ? value.toISOString().replace("T", " ").replace("Z", "") : value;
}
