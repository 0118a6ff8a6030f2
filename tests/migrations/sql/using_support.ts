/** Connections as applications have them, for each engine that a run can use one of. */
import { PGlite } from "npm:@electric-sql/pglite@0.5.8";
import { neonConfig, Pool } from "npm:@neondatabase/serverless@^1.2.0";
import { createClient } from "npm:@libsql/client@^0.18.0";
import mysql from "npm:mysql2@^3.24.0/promise";
import postgres from "npm:postgres@^3.4.9";
import { DatabaseSync } from "node:sqlite";
import { createConfig } from "../../../src/config/mod.ts";
import { migrateSql } from "../../../src/migrations/mod.ts";
import type { MigrationResult, RunEvent } from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { batches } from "./dialects.ts";
import * as mariadb from "./mysql_support.ts";
import { credentials, poolOf } from "./postgresql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import * as sqlite from "./sqlite_support.ts";
import { handles } from "./support.ts";

/** Ends what was made, and takes its databases away. */
type CleanUp = () => Promise<void>;

const ends: (() => Promise<unknown>)[] = [];

async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}

export const pgPool = {
  async create(options: Partial<Datasource> = {}): Promise<Datasource> {
    const datasource = await postgresql.create(options);
    const pool = poolOf(datasource);
    handles.set(datasource.database, pool);
    ends.push(() => pool.end());
    return datasource;
  },
  query: postgresql.query,
  cleanUp: (async () => {
    await endAll();
    await postgresql.cleanUp();
  }) as CleanUp,
};

/** Pools of Neon's driver, which connects by WebSockets: to a proxy in front of the server, as Neon has one. */
export const neonPool = {
  async create(options: Partial<Datasource> = {}): Promise<Datasource> {
    const datasource = await postgresql.create(options);
    const proxy = webSocketProxy(datasource);
    neonConfig.wsProxy = () => `127.0.0.1:${proxy.addr.port}/`;
    neonConfig.webSocketConstructor = WebSocket;
    Object.assign(neonConfig, {
      ...{ useSecureWebSocket: false, pipelineTLS: false, pipelineConnect: false },
    });
    const pool = new Pool(credentials(datasource));
    pool.on("error", () => {});
    handles.set(datasource.database, pool);
    ends.push(() => pool.end(), () => proxy.shutdown());
    return datasource;
  },
  query: postgresql.query,
  cleanUp: pgPool.cleanUp,
};

function webSocketProxy({ host: hostname, port }: Datasource): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const server = await Deno.connect({ hostname, port });
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.binaryType = "arraybuffer";
    const writer = server.writable.getWriter();
    socket.onmessage = ({ data }) => writer.write(new Uint8Array(data)).catch(() => {});
    socket.onclose = () => writer.close().catch(() => {});
    socket.onopen = async () => {
      for await (const bytes of server.readable) {
        if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
      }
      socket.close();
    };
    return response;
  });
}

/** An application's `sql` of postgres.js. */
export function sqlOf(
  datasource: Datasource,
  settings: postgres.Options<Empty> = {},
): postgres.Sql {
  return postgres({ ...credentials(datasource), onnotice: () => {}, ...settings } as Settings);
}

// deno-lint-ignore ban-types -- as the package names it
type Empty = {};
type Settings = postgres.Options<Empty>;

export const postgresJs = {
  async create(options: Partial<Datasource> = {}): Promise<Datasource> {
    const datasource = await postgresql.create(options);
    // Nothing of what an application may set changes what a run reads.
    const sql = sqlOf(datasource, { transform: postgres.camel, max_lifetime: 1 });
    handles.set(datasource.database, sql);
    ends.push(() => sql.end({ timeout: 5 }));
    return datasource;
  },
  query: postgresql.query,
  cleanUp: pgPool.cleanUp,
};

export const mysqlPool = {
  async create(options: Partial<Datasource> = {}): Promise<Datasource> {
    const datasource = await mariadb.create(options);
    // Nothing of what an application may set changes what a run reads.
    const pool = mysql.createPool({
      ...credentials(datasource),
      multipleStatements: true,
      rowsAsArray: true,
      timezone: "+09:00",
    });
    handles.set(datasource.database, pool);
    ends.push(() => pool.end());
    return datasource;
  },
  query: mariadb.query,
  cleanUp: (async () => {
    await endAll();
    await mariadb.cleanUp();
  }) as CleanUp,
};

/** A database in memory. */
export const sqliteHandle = {
  async create(options: Partial<Datasource> = {}): Promise<Datasource> {
    const database = ":memory:";
    const handle = new DatabaseSync(database);
    handles.set(database, handle);
    ends.push(() => Promise.resolve(handle.close()));
    return await sqlite.create({ database, ...options });
  },
  query({ database }: Datasource, sql: string): Promise<Record<string, unknown>[]> {
    const handle = handles.get(database) as DatabaseSync;
    return Promise.resolve(handle.prepare(sql).all().map((row) => ({ ...row })));
  },
  cleanUp: endAll,
};

/** A client of libSQL of a file, whose tables `query` reads by another client. */
export const libsql = {
  ...batches(sqlite.query),
  async create(options: Partial<Datasource> = {}): Promise<Datasource> {
    const datasource = await sqlite.create({ engine: "batch", ...options });
    const client = createClient({ url: `file:${datasource.database}`, intMode: "bigint" });
    handles.set(datasource.database, client);
    ends.push(() => Promise.resolve(client.close()));
    return datasource;
  },
  cleanUp: endAll,
};

let instance: Promise<PGlite> | undefined;

/** One database in memory for all tests of a file, emptied for each: a new one takes two seconds. */
export const pglite = {
  async create(options: Partial<Datasource> = {}): Promise<Datasource> {
    instance ??= PGlite.create();
    const handle = await instance;
    await handle.exec(
      "DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP ROLE IF EXISTS irori_r",
    );
    handles.set(":memory:", handle);
    return {
      ...await sqlite.create(options),
      kind: "postgresql",
      engine: "pglite",
      database: ":memory:",
      ...options,
    };
  },
  async query(_: Datasource, sql: string): Promise<Record<string, unknown>[]> {
    const { rows } = await (await instance!).query<Record<string, unknown>>(sql);
    return rows;
  },
  cleanUp: () => Promise.resolve(),
  /** Ends it. */
  async close(): Promise<void> {
    await (await instance)?.close();
    instance = undefined;
  },
};

/** The configuration of a datasource whose connection comes from `using`. */
export const CONFIG = { datasource: [{ name: "main", migrations: { enabled: true } }] };

/** Applies files to what `using` gives, as an application does when it starts. */
export async function start(
  using: Readonly<Record<string, object>>,
  files: Readonly<Record<string, string>>,
  values: Parameters<typeof createConfig>[0] = CONFIG,
  onEvent: (event: RunEvent) => void = () => {},
): Promise<readonly MigrationResult[]> {
  const root = await Deno.makeTempDir({ prefix: "irori-using-" });
  try {
    await Deno.mkdir(`${root}/migrations/main`, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${root}/migrations/main/${name}`, text);
    }
    // Some have tables of the application already.
    const options = { using, lockTimeoutMs: 300, onEvent, yes: true };
    return await migrateSql(options)(createConfig(values, { root }));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
