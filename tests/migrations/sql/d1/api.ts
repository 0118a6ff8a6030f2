import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { D1Database, D1Error, type Query, type Result } from "./database.ts";

/** A request that has reached the double. */
export interface ApiRequest {
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** An error, a delay or a cut connection that a request meets instead of its answer, or before it. */
export type Fault =
  /** The connection ends without an answer; with `isDone` after the statements were committed. */
  | { readonly cut: true; readonly isDone: boolean }
  /** An error, before anything is done. */
  | {
    readonly status: number;
    readonly code: number;
    readonly message: string;
    readonly retryAfter?: number;
  }
  /** A page that is no JSON, as a proxy in between answers. */
  | { readonly status: number; readonly html: string }
  /** A delay in milliseconds; the request is answered after it. */
  | { readonly delay: number };

/** An account with databases behind the HTTP API of D1. */
export interface D1Api extends AsyncDisposable {
  /** The base URL, for `CLOUDFLARE_API_BASE_URL`. */
  readonly url: string;
  readonly account: string;
  readonly token: string;
  readonly requests: readonly ApiRequest[];
  /** Adds an empty database. @returns its id */
  create(name: string): string;
  database(id: string): D1Database;
  /** Applies a fault to the next requests. */
  failNext(times: number, fault: Fault): void;
}

class HttpError extends Error {
  constructor(readonly status: number, readonly code: number, message: string) {
    super(message);
  }
}

/** Starts the double on a free port of 127.0.0.1. */
export async function d1Api(): Promise<D1Api> {
  const account = new Account();
  const server = createServer((request, response) => void account.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${BASE}`,
    account: account.id,
    token: account.token,
    requests: account.requests,
    create: (name) => account.create(name),
    database: (id) => account.find(id).database,
    failNext: (times, fault) => void account.faults.push(...Array(times).fill(fault)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      account[Symbol.dispose]();
    },
  };
}

const BASE = "/client/v4";

interface Entry {
  readonly uuid: string;
  readonly name: string;
  readonly database: D1Database;
}

class Account implements Disposable {
  readonly id = crypto.randomUUID().replaceAll("-", "");
  readonly token = crypto.randomUUID();
  readonly requests: ApiRequest[] = [];
  readonly faults: Fault[] = [];
  readonly #entries: Entry[] = [];

  [Symbol.dispose](): void {
    for (const { database } of this.#entries) database[Symbol.dispose]();
  }

  create(name: string): string {
    const uuid = crypto.randomUUID();
    this.#entries.push({ uuid, name, database: new D1Database() });
    return uuid;
  }

  /** @throws {HttpError} when there is no database with this id */
  find(id: string): Entry {
    const entry = this.#entries.find(({ uuid }) => uuid === id);
    if (entry === undefined) {
      throw new HttpError(404, 7404, `The database ${id} could not be found`);
    }
    return entry;
  }

  /** A database by its name or its id, as `GET` takes both. */
  #named(nameOrId: string): Entry {
    return this.#entries.find(({ name }) => name === nameOrId) ?? this.find(nameOrId);
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    incoming.setEncoding("utf8");
    for await (const chunk of incoming) body += chunk;
    const { method = "", url = "", headers } = incoming;
    const request = { method, path: url.slice(BASE.length), headers, body };
    this.requests.push(request);
    const fault = this.faults.shift();
    if (fault !== undefined && "cut" in fault) {
      if (fault.isDone) this.#answer(request);
      incoming.socket.destroy();
      return;
    }
    if (fault !== undefined && "delay" in fault) {
      await new Promise((resolve) => setTimeout(resolve, fault.delay));
    }
    const { status, headers: own, text } = fault !== undefined && "status" in fault
      ? failed(fault)
      : this.#answer(request);
    response.writeHead(status, own);
    response.end(text);
  }

  #answer(request: ApiRequest): Answer {
    try {
      return json(200, { success: true, errors: [], messages: [], ...this.#route(request) });
    } catch (error) {
      if (error instanceof D1Error) return refused(400, 7500, error.message);
      if (error instanceof HttpError) return refused(error.status, error.code, error.message);
      throw error;
    }
  }

  #route({ method, path, headers, body }: ApiRequest): object {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    const [, accounts, account, d1, kind, id, action, ...rest] = pathname.split("/");
    if (headers.authorization !== `Bearer ${this.token}`) {
      throw new HttpError(401, 10000, "Authentication error");
    }
    const isRoute = accounts === "accounts" && d1 === "d1" && kind === "database" &&
      rest.length === 0;
    if (isRoute && account !== this.id) throw new HttpError(403, 10000, "Authentication error");
    if (isRoute && method === "GET" && action === undefined) {
      return id === undefined
        ? this.#list(searchParams)
        : { result: listed(this.#named(decodeURIComponent(id))) };
    }
    if (isRoute && method === "POST" && (action === "query" || action === "raw")) {
      const { database } = this.find(`${id}`);
      return { result: database.run(queriesOf(body)).map((result) => resultOf(result, action)) };
    }
    throw new HttpError(
      404,
      7003,
      `Could not route to ${BASE}${path}, perhaps your object identifier is invalid?`,
    );
  }

  /** A page of databases. The name is searched for, so that it also finds names which contain it. */
  #list(parameters: URLSearchParams): object {
    const name = parameters.get("name") ?? "";
    const page = Number(parameters.get("page") ?? 1);
    const size = Number(parameters.get("per_page") ?? 1000);
    const found = this.#entries.filter((entry) => entry.name.includes(name));
    const result = found.slice((page - 1) * size, page * size).map(listed);
    const result_info = { page, per_page: size, count: result.length, total_count: found.length };
    return { result, result_info };
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

function json(status: number, value: object, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "Content-Type": "application/json", ...headers },
    text: JSON.stringify(value),
  };
}

function refused(status: number, code: number, message: string, headers?: Record<string, string>) {
  const errors = [{ code, message }];
  return json(status, { success: false, errors, messages: [], result: [] }, headers);
}

function failed(fault: Extract<Fault, { readonly status: number }>): Answer {
  if ("html" in fault) {
    return { status: fault.status, headers: { "Content-Type": "text/html" }, text: fault.html };
  }
  const { status, code, message, retryAfter } = fault;
  return refused(
    status,
    code,
    message,
    retryAfter === undefined ? {} : { "Retry-After": `${retryAfter}` },
  );
}

function listed({ uuid, name }: Entry): object {
  return { uuid, name, version: "production", created_at: "2026-01-01T00:00:00.000Z" };
}

/** @throws {HttpError} when the body is neither a statement nor a batch of them */
function queriesOf(body: string): readonly Query[] {
  const invalid = new HttpError(
    400,
    7400,
    "The request is malformed: expected { sql, params } or { batch }",
  );
  let value: Query | { readonly batch: readonly Query[] };
  try {
    value = JSON.parse(body);
  } catch {
    throw invalid;
  }
  const queries = "batch" in value ? value.batch : [value];
  if (queries.some(({ sql }) => typeof sql !== "string")) throw invalid;
  return queries;
}

/** The rows as objects for `query`, in which columns of the same name are one, and as lists for `raw`. */
function resultOf({ columns, rows, changes, lastRowId }: Result, action: "query" | "raw"): object {
  const results = action === "raw"
    ? { columns, rows }
    : rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
  const meta = {
    served_by: "double",
    duration: 0.1,
    changes,
    last_row_id: lastRowId,
    changed_db: changes > 0,
    size_after: 8192,
    rows_read: rows.length,
    rows_written: changes,
  };
  return { results, success: true, meta };
}
