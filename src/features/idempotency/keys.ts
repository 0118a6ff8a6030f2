import { broughtBy } from "../../container/mod.ts";
import { HttpError } from "../../http/mod.ts";
import { afterCommit, TransactionError, type TransactionManager } from "../transactions/mod.ts";
import { type HandlerScope, isRetryable } from "../transactions/handler.ts";
import type { TransactionSettings } from "../transactions/mod.ts";
import { OwnTable, type Row } from "../transactions/own_tables.ts";
import { hexDigest } from "../../text/mod.ts";
import type { Exchange } from "../../web/mod.ts";
import { KEYS } from "./keys_table.ts";

interface KeysSettings {
  /** Seconds for which responses are kept. */
  readonly ttl: number;
  /** The largest body of a response, in bytes. */
  readonly maxResponseSize: number;
}

/** A key that a request has locked, whose response is to be stored. */
interface Claim {
  readonly id: string;
  readonly payload: string;
  /** Whether there is a row: one that is over or, on MySQL, the one that is locked. */
  hasRow: boolean;
}

const COLUMNS = "id, payload, status, headers, body, expires";
const MANY = 100;

export class IdempotencyKeys {
  readonly #claims = new WeakMap<HandlerScope, Claim>();
  #table!: OwnTable;
  #settings!: KeysSettings;
  #stored = 0;

  async open(manager: TransactionManager, settings: KeysSettings): Promise<void> {
    this.#table = new OwnTable(manager, {
      feature: "@Idempotent",
      table: KEYS,
      columns: COLUMNS,
      schema: "idempotency-schema",
    });
    this.#settings = settings;
    await this.#table.check();
  }

  /** Runs a handler in a transaction that has locked the key, or gives the stored response. @throws {HttpError} 409, 422 */
  async run(
    keyed: KeyedRequest,
    scope: HandlerScope,
    settings: TransactionSettings & { readonly retry?: number },
    handler: () => Promise<unknown>,
    label: string,
  ): Promise<unknown> {
    const table = this.#table;
    if (table.isInTransaction) {
      throw new TransactionError(
        `Cannot run '${label}' with @Idempotent in an open transaction: it begins one itself; remove @Transactional`,
      );
    }
    const claim = { id: await keyed.id(), payload: await keyed.payload(), hasRow: false };
    if (LOCKS[table.dialect] === "row") await this.#insertRow(claim.id);
    const work = async () => {
      const row = await this.#lock(claim.id);
      claim.hasRow = row !== undefined;
      if (row?.status != null && Number(row.expires) > Number(row.now)) {
        if (row.payload !== claim.payload) throw new HttpError(422, OTHER_PAYLOAD);
        return replayOf(row);
      }
      this.#claims.set(scope, claim);
      return await handler();
    };
    if (table.isInTest) return await table.transaction(work);
    return await scope.begin({ ...settings, manager: table.manager }, work, label);
  }

  /** For another transaction to lock. */
  async #insertRow(id: string): Promise<void> {
    const table = this.#table;
    // Inserting would wait for the transaction that has locked it.
    const [row] = await table.query(`SELECT id FROM ${KEYS} WHERE id = ?`, id);
    if (row) return;
    await table.query(
      `INSERT IGNORE INTO ${KEYS} (id, expires) VALUES (?, ${table.sql.now} + ?)`,
      ...[id, this.#settings.ttl * 1000],
    ).catch((error) => {
      throw isRetryable(error) ? inProgress() : error; // Another request has locked it since.
    });
  }

  /** Locks a key without waiting. @throws {HttpError} 409 */
  async #lock(id: string): Promise<Row | undefined> {
    const table = this.#table;
    const select = `SELECT ${COLUMNS}, ${table.sql.now} AS now FROM ${KEYS} WHERE id = ?`;
    const way = LOCKS[table.dialect];
    if (way === "row") {
      const [row] = await table.query(`${select} FOR UPDATE NOWAIT`, id).catch((error) => {
        if (!NOT_FREE.includes(Object(error).errno)) throw error;
        throw inProgress();
      });
      // Another request has deleted it, as it was over.
      if (row === undefined) throw inProgress();
      return row;
    }
    if (way === "number") {
      const lock = BigInt.asIntN(64, BigInt(`0x${id.slice(0, 16)}`));
      const sql = "SELECT pg_try_advisory_xact_lock(CAST(? AS BIGINT)) AS free";
      const [row] = await table.query(sql, `${lock}`);
      if (row?.free !== true) throw inProgress();
    }
    return (await table.query(select, id))[0];
  }

  /** Stores the response of a handler in its transaction, unless it is a stored one. @throws {TypeError} for a large one */
  async store(scope: HandlerScope, response: Response): Promise<void> {
    const claim = this.#claims.get(scope);
    if (claim === undefined) return;
    const table = this.#table;
    const { ttl, maxResponseSize } = this.#settings;
    const { status, headers, body } = await storedResponse(response, maxResponseSize);
    // Another request may have stored a response since the snapshot of this one.
    const isNumber = LOCKS[table.dialect] === "number";
    const end = isNumber ? " ON CONFLICT DO NOTHING RETURNING id" : "";
    try {
      if (claim.hasRow) await table.query(`DELETE FROM ${KEYS} WHERE id = ?`, claim.id);
      const stored = await table.query(
        `INSERT INTO ${KEYS} (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ${table.sql.now} + ?)${end}`,
        ...[claim.id, claim.payload, status, headers, body, ttl * 1000],
      );
      if (isNumber && stored.length === 0) throw inProgress();
    } catch (error) {
      throw isRetryable(error) ? inProgress(CONFLICT, error) : error;
    }
    if (scope.transaction && this.#stored++ % MANY === 0) afterCommit(() => this.#prune());
  }

  /** As many as are stored meanwhile, and more. */
  async #prune(): Promise<void> {
    const table = this.#table;
    const over = `FROM ${KEYS} WHERE expires < ${table.sql.now}`;
    const found = await table.query(`SELECT id ${over} ORDER BY expires LIMIT ${2 * MANY}`);
    if (found.length === 0) return;
    const list = found.map(() => "?").join(", ");
    await table.query(`DELETE ${over} AND id IN (${list})`, ...found.map(({ id }) => `${id}`));
  }
}
broughtBy(IdempotencyKeys, "idempotency() of '@irori/irori/idempotency'");

/** A request with a key, which the binder hands over to the decorated method. */
export class KeyedRequest {
  constructor(
    readonly exchange: Exchange,
    readonly key: string,
    readonly user: string | null,
    readonly keys: IdempotencyKeys,
  ) {}

  /** Names the effect: the same key of another user, or for another resource, is another one. */
  id(): Promise<string> {
    const { method, path } = this.exchange.context.req;
    return hash(JSON.stringify([this.user, method, path, this.key]));
  }

  /** The parts that have to be the same when the request is sent again: the query and the body. */
  async payload(): Promise<string> {
    const { request, context } = this.exchange;
    const body = await request.bytes().catch((cause) => {
      throw cause instanceof TypeError ? streamed(cause) : cause;
    });
    return await hash(`${new URL(context.req.url).search}\n`, body);
  }
}

export function streamed(cause?: unknown): TypeError {
  const message =
    "Cannot compare a request that is sent again: its body is read as a stream; read it as a whole";
  return new TypeError(message, { cause });
}

async function hash(...parts: readonly BlobPart[]): Promise<string> {
  return await hexDigest(await new Blob([...parts]).arrayBuffer());
}

/** The lock of a key. SQLite has one writer, which waits. */
const LOCKS = { postgresql: "number", mysql: "row", sqlite: "writer" } as const;

/** The row is locked: MariaDB and MySQL. */
const NOT_FREE: readonly unknown[] = [1205, 3572];
const OTHER_PAYLOAD =
  "This value of 'Idempotency-Key' was used for a request with another query or body";

const CONFLICT = "Another request has changed the same data at the same time: send this one again";

function inProgress(
  message = "A request with this value of 'Idempotency-Key' is in progress",
  cause?: unknown,
): HttpError {
  return new HttpError(409, message, { headers: { "Retry-After": "1" }, cause });
}

/** Headers that belong to one response, not to its effect. */
const LEFT_OUT = new Set(["set-cookie", "date", "x-request-id", "content-length", "connection"]);
const CHUNK = 0x8000;

/** The stored form of a response; the body in base64. @throws {TypeError} for a larger one */
async function storedResponse(
  response: Response,
  maxBytes: number,
): Promise<{ readonly status: number; readonly headers: string; readonly body: string | null }> {
  const { status, headers } = response;
  const bytes = response.body && new Uint8Array(await response.clone().arrayBuffer());
  if (bytes && bytes.length > maxBytes) {
    throw new TypeError(
      `Cannot store a response of ${bytes.length} bytes for 'Idempotency-Key': expected at most ${maxBytes}, the ` +
        "'maxResponseSize' of idempotency()",
    );
  }
  const kept = [...headers].filter(([name]) => !LEFT_OUT.has(name));
  return { status, headers: JSON.stringify(kept), body: bytes && base64(bytes) };
}

function replayOf({ status, headers, body }: Row): Response {
  const bytes = body === null
    ? null
    : Uint8Array.from(atob(`${body}`), (char) => char.charCodeAt(0));
  const all = new Headers(JSON.parse(`${headers}`));
  all.set("Idempotency-Replayed", "true");
  if (bytes) all.set("Content-Length", `${bytes.length}`);
  return new Response(bytes, { status: Number(status), headers: all });
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(text);
}
