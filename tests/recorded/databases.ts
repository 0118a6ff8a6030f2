import { join } from "@std/path";
import mysql from "npm:mysql2@^3.24.0/promise";
import { DatabaseSync } from "node:sqlite";
import pg from "npm:pg@^8.23.0";

export type Row = Readonly<Record<string, string | number | null>>;

/** A database for one test, used without the code under test and deleted afterwards. */
export interface OwnDatabase extends AsyncDisposable {
  /** As `datasource.url` names it. */
  readonly url: string;
  query(sql: string, values?: readonly (string | number | null)[]): Promise<readonly Row[]>;
}

export interface Engine {
  readonly name: "sqlite" | "postgresql" | "mariadb";
  readonly title: string;
  readonly isMissing: boolean;
  /** @param folder of the configuration, where a database can be a file */
  create(folder: string): Promise<OwnDatabase>;
}

const PG_URL = Deno.env.get("TEST_PG_URL");
const MYSQL_URL = Deno.env.get("TEST_MYSQL_URL");

export const ENGINES: readonly Engine[] = [
  { name: "sqlite", title: "SQLite", isMissing: false, create: sqlite },
  {
    name: "postgresql",
    title: "PostgreSQL",
    isMissing: PG_URL === undefined,
    create: () => postgresql(PG_URL!),
  },
  {
    name: "mariadb",
    title: "MariaDB",
    isMissing: MYSQL_URL === undefined,
    create: () => mariadb(MYSQL_URL!),
  },
];

function sqlite(folder: string): Promise<OwnDatabase> {
  const path = join(folder, "app.db");
  const query: OwnDatabase["query"] = (sql, values = []) => {
    const database = new DatabaseSync(path, { timeout: 5000 });
    try {
      if (values.length === 0 && !/^SELECT/.test(sql)) database.exec(sql);
      else return Promise.resolve(database.prepare(sql).all(...values) as Row[]);
      return Promise.resolve([]);
    } finally {
      database.close();
    }
  };
  const gone = () => Deno.remove(path).catch(() => {});
  return Promise.resolve({ url: `sqlite:${path}`, query, [Symbol.asyncDispose]: gone });
}

async function postgresql(server: string): Promise<OwnDatabase> {
  const name = freshName();
  const url = new URL(server);
  url.pathname = `/${name}`;
  const run = async (at: string, sql: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    try {
      let mark = 0;
      const { rows } = await client.query(sql.replace(/\?/g, () => `$${++mark}`), [...values]);
      return rows as Row[];
    } finally {
      await client.end();
    }
  };
  await run(server, `CREATE DATABASE ${name} STRATEGY = FILE_COPY`);
  return {
    url: url.href,
    query: (sql, values) => run(url.href, sql, values),
    async [Symbol.asyncDispose]() {
      await run(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function mariadb(server: string): Promise<OwnDatabase> {
  const name = freshName();
  const url = new URL(server);
  const run = async (database: string, sql: string, values: readonly unknown[] = []) => {
    const { hostname: host, port, username: user, password } = url;
    const options = { host, port: Number(port), user, password, dateStrings: true };
    const more = { ...(database !== "" && { database }), multipleStatements: true };
    const client = await mysql.createConnection({ ...options, ...more });
    try {
      const [rows] = await client.query(sql, [...values]);
      return Array.isArray(rows) ? rows as Row[] : [];
    } finally {
      await client.end();
    }
  };
  await run("", `CREATE DATABASE ${name}`);
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    query: (sql, values) => run(name, sql, values),
    async [Symbol.asyncDispose]() {
      await run("", `DROP DATABASE ${name}`);
    },
  };
}

function freshName(): string {
  return `irori_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}
