import { ConfigError } from "../../../../config/mod.ts";
import { errorOf } from "../../../../text/mod.ts";
import { retry } from "../../../runner/mod.ts";
import type { Datasource } from "../../connect/datasource.ts";
import { DatabaseError } from "../../errors.ts";
import { stringLiteral } from "../../files/quoting.ts";
import type { Command, SqlEnvironment, Value } from "../../types.ts";
import { type BatchClient, toSqlite } from "../sqlite/driver.ts";
import { API_HOST } from "./address.ts";
import { tableOfLists } from "./binding.ts";
import type { WranglerDatabase } from "./wrangler.ts";

const PERMISSION = "the permission 'D1: Edit', or 'D1: Read' for commands that only read";
const BASE = `https://${API_HOST}/client/v4`;
/** How long an answer may take, in milliseconds; D1 itself ends a query after 30 seconds. */
const ANSWER_MS = 60_000;
/** Before a request is sent again: the API takes 1,200 of them in five minutes. */
const LEAST_PAUSE_MS = 2_000;

interface Api {
  readonly url: string;
  readonly token: string;
}

/**
 * Where the API has a database, and the token for it: `CLOUDFLARE_ACCOUNT_ID` or `account_id`, `database_id` and
 * `CLOUDFLARE_API_TOKEN`, as wrangler reads them.
 *
 * @throws {ConfigError} when one of them is missing or cannot be sent
 */
export function apiOf(
  { name }: Pick<Datasource, "name">,
  { file, name: database, id, account }: WranglerDatabase,
  { variable }: Pick<SqlEnvironment, "variable">,
): Api {
  const require = (value: string | undefined, expected: string): string => {
    if (value) return value;
    throw new ConfigError(
      `Cannot use the D1 database '${database}' of '${name}': expected ${expected}`,
    );
  };
  const owner = require(
    account || variable("CLOUDFLARE_ACCOUNT_ID"),
    `the environment variable CLOUDFLARE_ACCOUNT_ID, or 'account_id' in '${file}'`,
  );
  const own = require(id, `a 'database_id' of it in '${file}', as 'wrangler d1 create' prints it`);
  const token = require(
    variable("CLOUDFLARE_API_TOKEN"),
    `the environment variable CLOUDFLARE_API_TOKEN, a token with ${PERMISSION}`,
  );
  // A runtime would repeat other characters in its error.
  const sendable = /^[\x21-\x7e]+$/.test(token) ? token : undefined;
  require(
    sendable,
    "CLOUDFLARE_API_TOKEN to be of ASCII characters without spaces and line breaks",
  );
  const base = variable("CLOUDFLARE_API_BASE_URL") || BASE;
  const address = /^https?:\/\//i.test(base) && URL.canParse(base) ? base : undefined;
  require(address, `CLOUDFLARE_API_BASE_URL to be a URL such as '${BASE}'`);
  const [accountId, databaseId] = [owner, own].map(encodeURIComponent);
  return { url: `${base}/accounts/${accountId}/d1/database/${databaseId}`, token };
}

interface Answer {
  readonly success?: boolean;
  readonly errors?: readonly { readonly code: number; readonly message: string }[];
  readonly result?: readonly {
    readonly results: { readonly columns: readonly string[]; readonly rows: readonly unknown[][] };
    readonly meta: { readonly changes: number };
  }[];
}

/** A database of Cloudflare by D1's HTTP API: a request is a batch, which is applied whole or not at all. */
export function remoteClient(
  api: Api,
  { lockTimeoutMs, onNotice }: Pick<SqlEnvironment, "lockTimeoutMs" | "onNotice">,
): BatchClient {
  /**
   * Sends it again where too many requests were the reason against it, which has changed nothing; after any other failure that
   * is not known. A run that is stopped still has to give its lock back, so that no signal ends it.
   */
  const send = async (sql: string) => {
    const found = await retry(() => attempt(api, sql), {
      timeoutMs: lockTimeoutMs,
      firstMs: LEAST_PAUSE_MS,
      longestMs: 15_000,
      onWait: () => onNotice("Waiting: D1's API takes no more requests for now (429)"),
    });
    if (found !== undefined) return found;
    throw new DatabaseError("lost", "D1's API takes no more requests for now (429)");
  };
  return {
    hasSession: false,
    leastPauseMs: LEAST_PAUSE_MS,
    async all(sql) {
      const [first] = await send(sql);
      const { columns = [], rows = [] } = first?.results ?? {};
      return tableOfLists(columns, rows);
    },
    change: async (command) => (await send(written(command))).at(-1)?.meta.changes ?? 0,
    // SQLite keeps a line end before the semicolon as part of a table.
    batch: (commands) =>
      send(commands.map(written).map((sql) => sql + (sql.includes("--") ? "\n;" : ";")).join("\n")),
    close() {},
  };
}

/** `undefined` where it has to be sent again. @throws {DatabaseError | Error} */
async function attempt({ url, token }: Api, sql: string): Promise<Answer["result"]> {
  const { status, text } = await fetch(`${url}/raw`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      // On a connection that ends without an answer, Deno would send the request again, which may have been done.
      Connection: "close",
    },
    body: JSON.stringify({ sql }),
    redirect: "error",
    signal: AbortSignal.timeout(ANSWER_MS),
  }).then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error) => {
      const { host } = new URL(url);
      throw new DatabaseError("lost", `D1's API gave no answer: ${reasonOf(error)} (${host})`);
    });
  if (status === 429) return undefined;
  const answer = answerIn(text);
  if (status === 200 && answer.success) {
    if (answer.result?.[0]) return answer.result;
    throw new DatabaseError("lost", "D1's API answered 200 without a result");
  }
  const [{ code, message } = { code: status, message: "no answer of D1" }] = answer.errors ?? [];
  // Messages of SQLite have its code in them; all others are of the API.
  if (/SQLITE_/.test(message)) throw new Error(message);
  const said = `D1's API answered ${status}: ${message} (${code})`;
  const hints = [401, 403].includes(status)
    ? [`CLOUDFLARE_API_TOKEN has to be a token of this account with ${PERMISSION}`]
    : [];
  // No waiting helps where the request itself is refused.
  throw new DatabaseError(status >= 400 && status < 500 ? "denied" : "lost", said, { hints });
}

/** Proxies answer in HTML. */
function answerIn(text: string): Answer {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** `fetch` says by its cause what has failed. */
function reasonOf(error: unknown): string {
  const { message, cause } = errorOf(error);
  const { message: reason, code }: { message?: string; code?: string } = Object(cause);
  // Bun advises what only a program could do.
  return (reason || code || message).replace(/\s*For more information, pass `verbose.*$/s, "");
}

/** With its values in it: several statements of one request cannot have values of their own. */
function written({ sql, values }: Command): string {
  let next = 0;
  return values.length === 0 ? sql : sql.replaceAll("?", () => literal(values[next++] ?? null));
}

function literal(value: Value): string {
  const own = toSqlite(value);
  return typeof own === "string" ? stringLiteral(own) : `${own ?? "NULL"}`;
}
