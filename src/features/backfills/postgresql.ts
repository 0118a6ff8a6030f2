import {
  connectPostgresql,
  inline,
  literal,
} from "../../migrations/sql/engines/postgresql/driver.ts";
import { searchPath } from "../../migrations/sql/engines/postgresql/files.ts";
import {
  liftLimits,
  limitLocks,
  select,
} from "../../migrations/sql/engines/postgresql/statements.ts";
import { LOCK_SECONDS, type OpenServer } from "./server.ts";

const KEY = (table: string, column: string) => `
SELECT GREATEST(c.reltuples, 0)::bigint AS rows FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnotnull
JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indimmediate
  AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum AND i.indpred IS NULL
WHERE c.oid = to_regclass(${literal(table)})
  AND ${literal(column)} IN (quote_ident(a.attname), '"' || a.attname || '"')`;
const LAG =
  "SELECT COALESCE(MAX(EXTRACT(EPOCH FROM replay_lag)) * 1000, 0) AS lag FROM pg_stat_replication";

export const openServer: OpenServer = async (datasource, environment) => {
  const connection = await connectPostgresql(datasource, environment);
  const query = async (text: string) => (await connection.send(text)).at(-1)?.rows ?? [];
  const limit = limitLocks(LOCK_SECONDS * 1000, "session");
  await query(select(limit, ...searchPath(datasource, "session"), ...liftLimits(false)));
  return {
    text: "TEXT",
    query,
    async change(command) {
      const changed = `WITH irori_rows AS (${inline(command)} RETURNING 1)`;
      return Number((await query(`${changed} SELECT COUNT(*) AS n FROM irori_rows`))[0]?.n);
    },
    async key(table, column) {
      const folded = column.startsWith('"') ? column : column.toLowerCase();
      const [found] = await query(KEY(table, folded));
      return found && { text: (name) => `${name}::text`, literal, rows: Number(found.rows) };
    },
    async tryLock(name) {
      const key = `hashtextextended(${literal(name)}, 0)`;
      return (await query(`SELECT pg_try_advisory_lock(${key}) AS locked`))[0]?.locked === "t";
    },
    lag: async () => Number((await query(LAG))[0]?.lag),
    close: () => connection.close(),
  };
};
