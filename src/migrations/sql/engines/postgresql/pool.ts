import type { Datasource } from "../../connect/datasource.ts";
import { DatabaseError } from "../../errors.ts";
import { redactor } from "../../connect/secret.ts";
import { asNew, borrow, placed } from "../shared/connections.ts";
import { postgresqlError } from "./error.ts";
import {
  type Client,
  connectionOver,
  type ConnectPostgresql,
  type PostgresqlConnection,
  type QueryClass,
  wireOf,
} from "./driver.ts";

interface Pool {
  readonly options?: { readonly max?: number };
  connect(): Promise<PoolClient>;
  readonly reserve?: unknown;
}

interface PoolClient extends Client {
  readonly constructor: { readonly Query?: QueryClass };
  readonly connectionParameters?: { query_timeout?: unknown };
  release(destroy: boolean): void;
  off(event: "error" | "end", listener: () => void): void;
}

/** One keeps the lock, one runs the files, one writes what is done of a file without a transaction. */
const NEEDED = 3;

/**
 * Connections of a pool that the application has. Each is made as new when it is taken, and is not given back but
 * ended: whatever a file did to it, the pool makes another one.
 *
 * @throws {DatabaseError} when the pool is too small, which would wait for itself
 */
export function borrowing(using: object, datasource: Datasource): ConnectPostgresql {
  const pool = using as Pool;
  const max = pool.options?.max;
  if (max !== undefined && max < NEEDED) {
    const message = `The pool of the application has ${max} connection${max === 1 ? "" : "s"} at ` +
      `most, and a run needs ${NEEDED}: the lock, the files and the records each have their own`;
    throw new DatabaseError("lost", message);
  }
  const redact = redactor(datasource);
  const connect = async () => {
    if (pool.reserve !== undefined) {
      return await (await import("./reserved.ts")).reserved(using, datasource, redact);
    }
    const give = (client: PoolClient) => client.release(true);
    return takeOver(await borrow(pool.connect(), give, datasource.connectTimeoutMs), redact);
  };
  return () => placed(datasource, (error) => postgresqlError(error, redact), connect);
}

function takeOver(
  client: PoolClient,
  redact: (text: string) => string,
): Promise<PostgresqlConnection> {
  const { Query } = client.constructor;
  if (Query === undefined || client.connection === undefined) {
    client.release(true);
    throw new DatabaseError("lost", "Expected connections of 'pg' in the pool, not of 'pg-native'");
  }
  let isLost = false;
  client.on("error", () => isLost = true);
  const ended = Promise.withResolvers<void>();
  client.on("end", () => {
    isLost = true;
    ended.resolve();
  });
  // How long an answer may take is a matter of the configuration.
  if (client.connectionParameters) client.connectionParameters.query_timeout = undefined;
  let isReleased = false;
  const close = () => {
    if (!isReleased) client.release(true);
    isReleased = true;
    return ended.promise;
  };
  return asNew(connectionOver(wireOf(Query, client, () => isLost, close), redact));
}
