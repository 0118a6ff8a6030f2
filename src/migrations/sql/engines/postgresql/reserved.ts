import type { Datasource } from "../../connect/datasource.ts";
import { DatabaseError } from "../../errors.ts";
import type { Table } from "../../types.ts";
import { borrow, closing } from "../shared/connections.ts";
import { moved } from "../shared/parts.ts";
import type { Attempted, Message, PostgresqlConnection } from "./driver.ts";
import { postgresqlError } from "./error.ts";

/** What is used of `postgres` (postgres.js) and of `Bun.SQL`. */
interface Sql extends Pick<Reserved, "unsafe"> {
  reserve(): Promise<Reserved>;
  readonly options?: { readonly transform?: Transform; readonly fetch_types?: boolean };
}

/** What postgres.js makes of results, for all queries. */
interface Transform {
  readonly column?: { readonly from?: ((name: string) => string) | undefined };
  readonly row?: { readonly from?: unknown };
}

interface Reserved {
  unsafe(sql: string, values: readonly [], options: object): Query;
  release(): void;
  /** Of Bun: ends the connection. */
  close?(): Promise<void>;
}

interface Query {
  simple(): Query;
  raw(): Query & PromiseLike<Rows>;
}

/** Of texts in bytes, as the server sends them. */
interface Rows extends ReadonlyArray<readonly (Uint8Array | null)[]> {
  readonly columns?: readonly { readonly name: string }[] | null;
  /** Of postgres.js: the process as the server, or a pooler, has called it. */
  readonly state?: { readonly pid?: number } | null;
}

/** Of postgres.js, which has no other way to end one connection. */
interface Internal {
  onclose: (() => void) | null;
  terminate(): void;
}

/** How many statements are on their way at once. */
const PIPELINE = 64;

/**
 * A connection of a pool that tells neither how many statements of a message are done nor whether a transaction is open:
 * statements are sent one by one, without waiting in between where they are in a transaction. It is made as new, and ended
 * afterwards.
 *
 * @throws {DatabaseError}
 */
export async function reserved(
  using: object,
  datasource: Datasource,
  redact: (text: string) => string,
): Promise<PostgresqlConnection> {
  const pool = using as Sql;
  const { column, row } = pool.options?.transform ?? {};
  if (row?.from) {
    const message = "The 'transform.row' of postgres.js changes the rows that a run reads: give " +
      "migrations an instance without it";
    throw new DatabaseError("lost", message);
  }
  const reserve = async () => {
    // Without the query for types postgres.js never reserves a connection that it has to open first.
    if (pool.options?.fetch_types === false) await pool.unsafe("SELECT 1", [], {}).simple().raw();
    return await pool.reserve();
  };
  const sql = await borrow(reserve(), (one) => one.release(), datasource.connectTimeoutMs);
  const connection = new ReservedConnection(sql, redact, column?.from);
  try {
    // A transaction may be open, and it ends nothing where there is none.
    await connection.send("ROLLBACK");
    await connection.send("DISCARD ALL");
    const [table] = await connection.send("SELECT pg_backend_pid() AS pid");
    connection.processId ||= Number(table?.rows[0]?.pid);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

class ReservedConnection implements PostgresqlConnection {
  processId = 0;
  /** As the server has it: `I` outside of transactions, `T` inside, `E` inside a failed one. */
  #status: "I" | "T" | "E" = "I";
  #isLost = false;
  #internal: Internal | undefined;
  #ended: Promise<void> | undefined;

  constructor(
    private readonly sql: Reserved,
    private readonly redact: (text: string) => string,
    private readonly renamed: (name: string) => string = (name) => name,
  ) {}

  async send(message: Message | string): Promise<readonly Table[]> {
    const { before = [], text, statements }: Message = typeof message === "string"
      ? { text: message }
      : message;
    const [mark = ""] = /^\/\* irori: .*? \*\/ /.exec(before[0] ?? "") ?? [];
    const own = statements?.() ?? [{ text, start: 0 }];
    const sent = [...before, ...own.map((statement) => mark + statement.text)];
    const { tables, error } = await this.#sendAll(sent);
    if (error === undefined) return tables;
    const completed = tables.length - before.length;
    const place = own[completed];
    const rewritten = postgresqlError(error, this.redact, {
      ...place ? { head: mark, sql: place.text, completed } : { own: tables.length },
    });
    throw moved(rewritten, { start: place?.start ?? 0, statements: 0 });
  }

  async attempt(statements: readonly string[], withinMs?: number): Promise<Attempted> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<Attempted>((resolve) => {
      if (withinMs === undefined) return;
      timer = setTimeout(() => {
        this.close();
        resolve({ tables: [], error: new Error(`it took longer than ${withinMs / 1000} s`) });
      }, withinMs);
    });
    const { tables, error } = await Promise.race([this.#sendAll(statements), late]);
    clearTimeout(timer);
    if (error === undefined) return { tables };
    return {
      tables,
      error: postgresqlError(error, this.redact, { sql: "", completed: tables.length }),
    };
  }

  isInTransaction(): boolean {
    return this.#status !== "I";
  }

  isLost(): boolean {
    return this.#isLost;
  }

  close(): Promise<void> {
    return this.#ended ??= closing(this.#end(), () => {});
  }

  async #end(): Promise<void> {
    const internal = this.#internal;
    if (this.sql.close) return await this.sql.close();
    if (this.#isLost || internal === undefined) return this.sql.release();
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
    for (let at = 0; at < statements.length && error === undefined; at += PIPELINE) {
      const found = await this.#sendSome(statements.slice(at, at + PIPELINE));
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
    const onexecute = (internal: Internal) => {
      this.#internal ??= internal;
      internal.onclose ??= () => this.#isLost = true;
      return true;
    };
    const rows = await this.sql.unsafe(text, [], { onexecute }).simple().raw();
    this.processId ||= rows.state?.pid ?? 0;
    const columns = rows.columns?.map(({ name }) => {
      const snake = name.replace(/-?[A-Z]|-/g, (part) => `_${part.replace("-", "")}`).toLowerCase();
      const own = snake.replace(/^_/, "");
      return this.renamed(own) === name ? own : name;
    }) ?? [];
    const decode = (value: Uint8Array | null | undefined) => value && UTF8.decode(value);
    return {
      columns,
      rows: [...rows].map((row) =>
        Object.fromEntries(columns.map((name, index) => [name, decode(row[index]) ?? null]))
      ),
    };
  }
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bun has the server's code under another name. */
function serverError(error: unknown) {
  const { message, code, errno, position, detail, hint, where } = Object(error);
  const own = typeof errno === "string" ? errno : code;
  return { message, code: own, position, detail, hint, where };
}

/** What comes of the transaction, of which the driver does not tell. */
function statusAfter(sql: string, status: "I" | "T" | "E", isDone: boolean): "I" | "T" | "E" {
  const text = withoutComments(sql);
  if (ENDS.test(text) && !PARTLY.test(text)) return isDone && CHAINS.test(text) ? "T" : "I";
  if (!isDone) return status === "I" ? "I" : "E";
  if (BEGINS.test(text)) return "T";
  return status === "E" ? "T" : status; // ROLLBACK TO
}

const BEGINS = /^(?:BEGIN|START\s+TRANSACTION)\b/i;
const ENDS = /^(?:COMMIT|END|ROLLBACK|ABORT|PREPARE\s+TRANSACTION)\b/i;
/** To a savepoint, or those of a transaction that was prepared. */
const PARTLY = /^\w+\s+(?:(?:WORK|TRANSACTION)\s+)?(?:TO|PREPARED)\b/i;
const CHAINS = /\bAND\s+CHAIN\b/i;

/** The start of a statement: what controls transactions is short. */
function withoutComments(sql: string): string {
  return sql.slice(0, 2000).replace(/\/\*.*?\*\/|--[^\n]*/gs, " ").trim();
}
