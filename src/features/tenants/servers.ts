import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { engineOf, ofEngine } from "../../migrations/sql/engines/table.ts";
import { backquoted, identifier } from "../../migrations/sql/files/quoting.ts";
import type { Table } from "../../migrations/sql/types.ts";

export type QueryTable = (sql: string) => Promise<Table>;

/** Where tenants are schemas of one database or, as MySQL has it, databases of one server. */
interface TenantServer {
  readonly existing: string;
  /** Schemas that the server needs itself. */
  readonly reserved: RegExp;
  quote(name: string): string;
  at(name: string, base: Datasource): Partial<Datasource>;
  /** For files, for the lock, and for records of files without a transaction. */
  readonly connections: number;
  left(query: QueryTable): Promise<number>;
  readonly mostAtOnce: number;
}

const POSTGRESQL: TenantServer = {
  existing: "SELECT nspname AS name FROM pg_namespace",
  reserved: /^(?:pg_.*|information_schema)$/,
  quote: identifier,
  at(name, { schema }) {
    const path = schema === undefined ? identifier(name) : `${identifier(name)}, ${schema}`;
    return { schema: path, historySchema: name, tenantSchema: name };
  },
  connections: 3,
  async left(query) {
    const { rows: [row] } = await query(
      "SELECT LEAST(current_setting('max_connections')::int " +
        "- current_setting('superuser_reserved_connections')::int " +
        "- COALESCE(current_setting('reserved_connections', true)::int, 0) " +
        "- (SELECT sum(numbackends) FROM pg_stat_database), " +
        "(SELECT NULLIF(rolconnlimit, -1) - (SELECT count(*) FROM pg_stat_activity a " +
        "WHERE a.usesysid = r.oid) FROM pg_roles r WHERE r.rolname = current_user)) AS free",
    );
    return Number(row!.free);
  },
  mostAtOnce: Infinity,
};

const SERVERS: Readonly<Record<string, TenantServer>> = {
  postgresql: POSTGRESQL,
  // One session.
  pglite: { ...POSTGRESQL, mostAtOnce: 1 },
  mysql: {
    existing: "SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA",
    reserved: /^(?:mysql|sys|information_schema|performance_schema)$/i,
    quote: backquoted,
    at: (database) => ({ database }),
    connections: 2,
    async left(query) {
      const { rows: [row] } = await query(
        "SELECT @@max_connections AS free, NULLIF(@@max_user_connections, 0) - (SELECT COUNT(*) " +
          "FROM information_schema.PROCESSLIST WHERE USER = SUBSTRING_INDEX(CURRENT_USER(), '@', 1)) AS own",
      );
      const used = (await query("SHOW STATUS LIKE 'Threads_connected'")).rows[0]?.Value;
      return Math.min(Number(row!.free) - Number(used), Number(row!.own ?? Infinity));
    },
    mostAtOnce: Infinity,
  },
};

/** Nothing for engines without schemas, whose tenants are files. @throws {ConfigError} */
export function serverOf(datasource: Datasource): TenantServer | undefined {
  return engineOf(datasource).schemas === "none"
    ? undefined
    : ofEngine(SERVERS, datasource, "'migrations.each'");
}
