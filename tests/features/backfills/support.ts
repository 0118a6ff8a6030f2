import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { type Workspace, workspace } from "../../e2e/command_line.ts";
import * as mysql from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";

type Rows = Record<string, unknown>[];

export interface Scene extends Workspace {
  readonly datasource: Datasource;
  readonly query: (sql: string) => Promise<Rows>;
}

export interface Engine {
  readonly title: string;
  readonly isMysql: boolean;
  readonly ignore: boolean;
  /** An empty database, and a folder whose only connection leads to it. */
  scene(files?: Record<string, string>, settings?: string): Promise<Scene>;
  /** A connection that stays open. */
  client(datasource: Datasource): Promise<Client>;
  cleanUp(): Promise<void>;
}

interface Client extends AsyncDisposable {
  query(sql: string): Promise<Rows>;
}

function engine(
  title: string,
  isMysql: boolean,
  variable: string,
  support: Pick<typeof mysql | typeof postgresql, "cleanUp"> & {
    readonly create: (options?: Partial<Datasource>) => Promise<Datasource>;
    readonly query: (datasource: Datasource, sql: string) => Promise<Rows>;
  },
  missing: string | undefined,
  client: Engine["client"],
): Engine {
  return {
    title,
    isMysql,
    client,
    ignore: missing !== undefined,
    async scene(files = {}, settings = "") {
      const datasource = await support.create();
      const url = new URL(Deno.env.get(variable)!);
      url.pathname = datasource.database;
      const tree = Object.entries(files).map(([name, text]) => [`migrations/main/${name}`, text]);
      const space = await workspace({
        "config/application.yml":
          `datasource: [{ name: main, url: "${url.href}", migrations: { enabled: true${settings} } }]\n`,
        ...Object.fromEntries(tree),
      });
      return { ...space, datasource, query: (sql) => support.query(datasource, sql) };
    },
    cleanUp: () => support.cleanUp(),
  };
}

export const ENGINES: readonly Engine[] = [
  engine(
    ...["PostgreSQL", false, "TEST_PG_URL", postgresql, postgresql.postgresqlMissing] as const,
    async (datasource) => {
      const client = await postgresql.connect(datasource);
      return {
        query: async (sql) => (await client.query(sql)).rows,
        [Symbol.asyncDispose]: () => client.end(),
      };
    },
  ),
  engine(
    ...["MariaDB", true, "TEST_MYSQL_URL", mysql, mysql.mysqlMissing] as const,
    async (datasource) => {
      const client = await mysql.connect(datasource);
      return {
        query: async (sql) => (await client.query(sql))[0] as Rows,
        [Symbol.asyncDispose]: () => client.end(),
      };
    },
  ),
];

/** A test on each of the servers. */
export function serversTest(name: string, body: (engine: Engine) => Promise<void>): void {
  for (const engine of ENGINES) {
    const { title, ignore } = engine;
    Deno.test({ name: `${name} (${title})`, ignore, fn: () => body(engine) });
  }
}

/** @param count of the rows, whose keys have gaps */
export function filled(engine: Engine, table: string, count: number): string {
  const numbers = engine.isMysql
    ? `SELECT seq AS n FROM seq_1_to_${count}`
    : `SELECT n FROM generate_series(1, ${count}) n`;
  return `INSERT INTO ${table} (id, quantity) SELECT n * 3, n FROM (${numbers}) numbers`;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
