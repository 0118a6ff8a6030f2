import {
  connectPostgresql,
  inline,
  literal,
  type PostgresqlConnection,
} from "../../migrations/sql/engines/postgresql/driver.ts";
import { searchPath } from "../../migrations/sql/engines/postgresql/files.ts";
import {
  beginLock,
  liftLimits,
  limitLocks,
  select,
} from "../../migrations/sql/engines/postgresql/statements.ts";
import { DatabaseError } from "../../migrations/sql/errors.ts";
import { LOCK_SECONDS, nameOf, type OpenServer } from "./server.ts";

const KEY = (table: string, column: string) => `
SELECT 1 FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnotnull
JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indimmediate
  AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum AND i.indpred IS NULL
WHERE c.oid = to_regclass(${literal(table)}) AND a.attname = ${literal(column)}`;
const STRAIN = `SELECT
(SELECT COALESCE(MAX(EXTRACT(EPOCH FROM replay_lag)) * 1000, 0) FROM pg_stat_replication) AS lag,
(SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND backend_type = 'client backend'
  AND pid <> pg_backend_pid()) AS running
WHERE pg_has_role('pg_read_all_stats', 'USAGE')`;
const NO_SECOND =
  "The pooler gave no second connection: one keeps the lock of the run, another one " +
  "changes rows. Let its pool have two or more, or give the server's own URL under 'migrations.url'";
const ENDED =
  "The server has ended the session of this run while it waited for the lock: run it again";
/** Keys must be the same as texts, in each run. That policies hide some of them from the user is an error. */
const EXACT = ["DateStyle', 'ISO", "extra_float_digits', '1", "row_security', 'off"]
  .map((setting) => `set_config('${setting}', true)`).join(", ");
/** Triggers of a statement may read tables whose policies are meant for the user. */
const POLICIES = "set_config('row_security', 'on', true)";

export const openServer: OpenServer = async (datasource, environment) => {
  const connection = await connectPostgresql(datasource, environment);
  let locking: PostgresqlConnection | undefined;
  // Settings end with each transaction: of a pooler, other clients get the session.
  const limits = [limitLocks(LOCK_SECONDS * 1000), ...liftLimits(true)];
  const settings = select(...limits, ...searchPath(datasource, "transaction"), EXACT);
  const usual = () => connection.isInTransaction() ? [] : [settings];
  const query = async (text: string, before = usual()) =>
    (await connection.send({ before, text })).at(-1)?.rows ?? [];
  return {
    text: "TEXT",
    query: (sql) => query(sql),
    async begin() {
      await connection.send(`BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE; ${settings}`);
    },
    async change({ sql, values }) {
      // A question mark of the user's statement is an operator, or part of a text.
      const statement = values.length === 0 ? sql : inline({ sql, values });
      const changed = `WITH irori_rows AS (${statement} RETURNING 1)`;
      const before = [`${settings}, ${POLICIES}`];
      return Number((await query(`${changed} SELECT COUNT(*) AS n FROM irori_rows`, before))[0]?.n);
    },
    async key({ table, column }) {
      const name = column.startsWith('"') ? nameOf(column) : column.toLowerCase();
      if ((await query(KEY(table, name))).length === 0) return undefined;
      // The first batch says why the table cannot be read.
      const [plan = {}] = await query(`EXPLAIN SELECT 1 FROM ${table}`).catch(() => []);
      const rows = Number(/rows=(\d+)/.exec(`${Object.values(plan)[0]}`)?.[1] ?? 0);
      return { text: (name) => `${name}::text`, literal, rows };
    },
    async tryLock(name) {
      locking ??= await connectPostgresql(datasource, environment);
      const key = `hashtextextended(${literal(name)}, 0)`;
      const lock = `SELECT pg_try_advisory_xact_lock(${key}) AS locked`;
      const tables = await locking.send([...beginLock(true), lock].join("; "));
      if (tables.at(-1)?.rows[0]?.locked !== "t") {
        // It would keep a connection of a pooler from the run that it waits for.
        await locking.send("ROLLBACK");
        return false;
      }
      if (connection.isLost()) throw new DatabaseError("lost", ENDED);
      const { error } = await connection.attempt("SELECT 1", datasource.connectTimeoutMs);
      if (error) throw new DatabaseError("lost", NO_SECOND);
      return true;
    },
    async strain() {
      const [found] = await query(STRAIN);
      return found && { lagMs: Number(found.lag), running: Number(found.running) };
    },
    async [Symbol.asyncDispose]() {
      await locking?.close();
      await connection.close();
    },
  };
};
