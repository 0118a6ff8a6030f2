import type { Datasource } from "../../connect/datasource.ts";
import { DatabaseError } from "../../errors.ts";
import type { Table } from "../../types.ts";
import { asNew, borrow, closing } from "../shared/connections.ts";
import { moved } from "../shared/parts.ts";
import { type Attempted, type Message, messageOf, type PostgresqlConnection } from "./driver.ts";
import { postgresqlError } from "./error.ts";

/** The part of postgres.js and of `Bun.SQL` that is used. */
interface Sql extends Pick<Reserved, "unsafe"> {
  reserve(): Promise<Reserved>;
  readonly options?: { readonly fetch_types?: boolean; readonly transform?: Transform };
}

type Renaming = { readonly from?: ((name: string) => string) | undefined };
type Transform = { readonly column?: Renaming; readonly row?: Renaming };

interface Reserved {
  unsafe(sql: string, values?: readonly [], options?: object): Unsafe;
  release(): void;
  /** Only Bun has it: ends the connection. */
  close?(options: { readonly timeout: number }): Promise<void>;
}

interface Unsafe {
  simple(): Unsafe;
  raw(): PromiseLike<Rows>;
}

interface Rows extends ReadonlyArray<readonly (Uint8Array | null)[]> {
  readonly columns?: readonly { readonly name: string }[] | null;
  /** Only postgres.js has it: the process as the server, or a pooler, has called it. */
  readonly state?: { readonly pid?: number } | null;
}

/** A connection of postgres.js, which has no other way to end one. */
interface Internal {
  onclose: (() => void) | null;
  terminate(): void;
}

const STATEMENTS_AT_ONCE = 64;

/**
 * Takes a connection of a pool that tells neither how many statements of a message are done nor whether a transaction is
 * open: it gets them one by one, without waiting in between. It is made as new, and ended afterwards. @throws {DatabaseError}
 */
export async function reserved(
  using: object,
  datasource: Datasource,
  redact: (text: string) => string,
): Promise<PostgresqlConnection> {
  const pool = using as Sql;
  const { fetch_types: isTyped, transform: { column, row } = {} } = pool.options ?? {};
  if (row?.from) {
    const message = "'transform.row' of postgres.js changes what a run reads: use another instance";
    throw new DatabaseError("lost", message);
  }
  // Without the query for types postgres.js never reserves a connection that it has to open first.
  const opened = isTyped === false ? pool.unsafe("SELECT 1").simple().raw() : undefined;
  const asked = Promise.resolve(opened).then(() => pool.reserve());
  const sql = await borrow(asked, (one) => one.release(), datasource.connectTimeoutMs);
  const connection = new ReservedConnection(sql, redact, column?.from);
  return await asNew(connection, async () => {
    await connection.renew();
    connection.processId ||= await processOf(pool, connection);
  });
}

/** Bun does not tell the process as the server has called it. Behind a pooler two connections may have the same one. */
async function processOf(pool: Sql, connection: ReservedConnection): Promise<number> {
  const [table] = await connection.send(PROCESS);
  const own = `${table?.rows[0]?.pid}`;
  if (!POOLED.has(pool)) {
    const other = await pool.reserve();
    const [[found] = []] = await other.unsafe(PROCESS).simple().raw();
    other.release();
    POOLED.set(pool, own === UTF8.decode(found!));
  }
  return POOLED.get(pool) ? -1 : Number(own);
}

const PROCESS = "SELECT pg_backend_pid() AS pid";
const POOLED = new WeakMap<Sql, boolean>();

class ReservedConnection implements PostgresqlConnection {
  processId = 0;
  #status: Status = "I";
  #isLost = false;
  #internal: Internal | undefined;
  #ended: Promise<void> | undefined;

  constructor(
    private readonly sql: Reserved,
    private readonly redact: (text: string) => string,
    private readonly renamed: (name: string) => string = (name) => name,
  ) {}

  async send(message: Message | string): Promise<readonly Table[]> {
    const { tables, error } = await this.attempt(message);
    if (error !== undefined) throw error;
    return tables;
  }

  async attempt(message: Message | string, withinMs?: number): Promise<Attempted> {
    const { before = [], text } = messageOf(message);
    const [mark = ""] = /^\/\* irori: .*? \*\/ /.exec(before[0] ?? "") ?? [];
    const own = typeof text === "string" ? [{ text, start: 0 }] : text.own();
    const timer = withinMs === undefined ? undefined : setTimeout(() => this.close(), withinMs);
    const { tables, error } = await this.#sendAll([
      ...before,
      ...own.map((statement) => mark + statement.text),
    ]);
    clearTimeout(timer);
    if (error === undefined) return { tables };
    const completed = tables.length - before.length;
    const place = own[completed];
    const about = place ? { head: mark, sql: place.text, completed } : { own: tables.length };
    const rewritten = postgresqlError(error, this.redact, about);
    return { tables, error: moved(rewritten, { start: place?.start ?? 0, statements: 0 }) };
  }

  readonly isInTransaction = (): boolean => this.#status !== "I";
  readonly isLost = (): boolean => this.#isLost;

  /** It fails at first where a transaction is open, which the application may have left. */
  async renew(): Promise<void> {
    await this.send("DISCARD ALL").catch(async () => {
      await this.send("ROLLBACK");
      await this.send("DISCARD ALL");
    });
  }

  close(): Promise<void> {
    return this.#ended ??= closing(this.#end(), () => {});
  }

  async #end(): Promise<void> {
    const internal = this.#internal;
    if (this.sql.close) return await this.sql.close({ timeout: 0 });
    if (internal === undefined) return this.sql.release();
    if (internal.onclose === null) return; // It has told so.
    await new Promise<void>((resolve) => {
      internal.onclose = resolve;
      internal.terminate();
    });
  }

  /** Several are one transaction, as those of one message are; ends at the first that fails. */
  async #sendAll(statements: readonly string[]): Promise<Attempted> {
    const isWhole = statements.length > 1 && this.#status === "I" &&
      !BEGINS.test(withoutComments(statements[0]!));
    if (isWhole) await this.#sendSome(["BEGIN"]);
    const tables: Table[] = [];
    let error: unknown;
    for (let at = 0; at < statements.length && error === undefined; at += STATEMENTS_AT_ONCE) {
      const found = await this.#sendSome(statements.slice(at, at + STATEMENTS_AT_ONCE));
      tables.push(...found.tables);
      error = found.error;
    }
    if (isWhole && this.#status !== "I") {
      const ended = await this.#sendSome([error === undefined ? "COMMIT" : "ROLLBACK"]);
      error ??= ended.error;
    }
    return { tables, ...(error !== undefined && { error }) };
  }

  async #sendSome(statements: readonly string[]): Promise<Attempted> {
    const answers = await Promise.allSettled(statements.map((text) => this.#ask(text)));
    const tables: Table[] = [];
    let error: unknown;
    for (const [index, answer] of answers.entries()) {
      const isDone = answer.status === "fulfilled";
      this.#status = statusAfter(statements[index]!, this.#status, isDone);
      if (isDone && error === undefined) tables.push(answer.value);
      if (!isDone) error ??= answer.reason;
    }
    if (error === undefined) return { tables };
    const known = serverError(error);
    if (postgresqlError(known, this.redact).kind === "lost") this.#isLost = true;
    return { tables, error: known };
  }

  async #ask(text: string): Promise<Table> {
    // The pool may use the same object for another connection by now.
    if (this.#isLost) throw new Error("the connection was lost");
    const onexecute = (internal: Internal) => {
      this.#internal ??= internal;
      internal.onclose ??= () => this.#isLost = true;
      return true;
    };
    const rows = await this.sql.unsafe(text, [], { onexecute }).simple().raw();
    this.processId ||= rows.state?.pid ?? 0;
    const columns = rows.columns?.map(({ name }) => this.#own(name)) ?? [];
    const read = (value?: Uint8Array | null) => value ? UTF8.decode(value) : null;
    const valuesOf = (row: Rows[number]) => columns.map((name, at) => [name, read(row[at])]);
    return { columns, rows: [...rows].map((row) => Object.fromEntries(valuesOf(row))) };
  }

  /** Takes back what `postgres.camel` and the like have made of a name, as `migration_path`. */
  #own(name: string): string {
    const own = name.replace(/^./, (first) => first.toLowerCase())
      .replace(/[A-Z]|-./g, (part) => `_${part.replace("-", "").toLowerCase()}`);
    return this.renamed(own) === name ? own : name;
  }
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bun has the server's code under another name. */
function serverError(error: unknown) {
  const { message, code, errno, position, detail, hint, where } = Object(error);
  return { message, code: typeof errno === "string" ? errno : code, position, detail, hint, where };
}

type Status = "I" | "T" | "E"; // As the server calls them: none, open, failed.

function statusAfter(sql: string, status: Status, isDone: boolean): Status {
  const text = withoutComments(sql);
  if (ENDS.test(text) && !PARTLY.test(text)) return isDone && CHAINS.test(text) ? "T" : "I";
  if (!isDone) return status === "I" ? "I" : "E";
  // In one that has failed only ROLLBACK TO is done.
  return BEGINS.test(text) || status === "E" ? "T" : status;
}

const BEGINS = /^(?:BEGIN|START\s+TRANSACTION)\b/i;
const ENDS = /^(?:COMMIT|END|ROLLBACK|ABORT|PREPARE\s+TRANSACTION)\b/i;
/** To a savepoint, or those of a transaction that was prepared. */
const PARTLY = /^\w+\s+(?:(?:WORK|TRANSACTION)\s+)?(?:TO|PREPARED)\b/i;
const CHAINS = /\bAND\s+CHAIN\b/i;

function withoutComments(sql: string): string {
  return sql.slice(0, 2000).replace(/\/\*.*?\*\/|--[^\n]*/gs, " ").trim();
}
