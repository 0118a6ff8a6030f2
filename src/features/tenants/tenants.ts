import { noticesOf } from "../../migrations/connections.ts";
import { ConnectionError, HistoryError, type Target } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { engineOf } from "../../migrations/sql/engines/table.ts";
import type { Asked, Each } from "./each.ts";
import { DatabaseError } from "../../migrations/sql/errors.ts";
import { connectionFailure } from "../../migrations/sql/failure.ts";
import { openDatabase, sqlTarget } from "../../migrations/sql/mod.ts";
import type { Database, Kept, SqlEnvironment } from "../../migrations/sql/types.ts";
import { listedBy, selected, type Tenant, tenantsIn } from "./names.ts";
import { type QueryTable, serverOf } from "./servers.ts";

export interface Tenants {
  readonly list: readonly { readonly name: string; readonly target: Target }[];
  readonly atOnce: number;
  /** Those files that are applied once, to the connection itself, before the others. @throws {ConfigError} */
  shared(paths: readonly string[]): ReadonlySet<string>;
  /** Whether it existed at the start and does not exist any more. */
  isGone(name: string): Promise<boolean>;
  isUnreachable(): boolean;
  close(): Promise<void>;
}

export async function tenantsOf(
  base: Datasource,
  environment: SqlEnvironment,
  asked: Asked,
): Promise<Tenants> {
  const { each, signal } = asked;
  const kept = new KeptConnections();
  let control: Promise<Database> | undefined;
  const query: QueryTable = async (sql) => {
    return await (await (control ??= openDatabase(base, environment, signal))).query(sql);
  };
  const close = async () => {
    await kept.close();
    await control?.then((database) => database.close(), () => {});
  };
  const named = async () => {
    const table = each.query === undefined ? undefined : await query(each.query).catch((error) => {
      const isRefused = error instanceof DatabaseError && error.kind === "refused";
      throw isRefused ? each.error(`The query failed: ${error.message}`) : error;
    });
    return tenantsIn(table ? listedBy(table, each) : each.listed, base, each);
  };
  const { using: _, ...rest } = environment;
  const own: SqlEnvironment = each.of === "urls" ? rest : { ...environment, keep: kept.keep };
  try {
    const chosen = selected(await named(), base, asked);
    const existing = async () => {
      const server = serverOf(base);
      if (!server) return await filesOf(chosen, environment);
      if (each.of !== "schemas") return undefined;
      return new Set((await query(server.existing)).rows.map(({ name }) => `${name}`));
    };
    const before = await existing();
    if (asked.create && before === undefined) throw each.error(NOT_CREATED);
    if (asked.create) await create(chosen.filter(({ name }) => !before!.has(name)), query);
    return {
      list: chosen.map((tenant) => {
        const { name, datasource } = tenant;
        const onNotice = noticesOf(datasource.name, asked.onEvent);
        const target = sqlTarget(datasource, { ...own, onNotice }) as Target;
        const isThere = asked.create === true || before?.has(name) !== false;
        return { name, target: isThere ? target : missing(tenant, target) };
      }),
      atOnce: await atOnceOf(chosen.length, base, each, environment, query),
      shared: (paths) => sharedOf(paths, each),
      isGone: async (name) => {
        if (before) return before.has(name) && !(await existing())!.has(name);
        return each.query !== undefined && !(await named()).has(name);
      },
      isUnreachable: () => kept.failures > 2,
      close,
    };
  } catch (error) {
    await close();
    throw connectionFailure(base.name, error);
  }
}

const NOT_CREATED = "'create' makes schemas and SQLite files: create this database first";

async function filesOf(tenants: readonly Tenant[], { files }: SqlEnvironment) {
  const found = await Promise.all(tenants.map(({ datasource }) => files.stat(datasource.database)));
  return new Set(tenants.filter((_, index) => found[index]).map(({ name }) => name));
}

async function create(tenants: readonly Tenant[], query: QueryTable): Promise<void> {
  for (const { name, datasource } of tenants) {
    const server = serverOf(datasource);
    if (!server) continue;
    await query(`CREATE SCHEMA IF NOT EXISTS ${server.quote(name)}`).catch((error) => {
      // PostgreSQL, where two create it at once.
      if (error.code !== "23505") throw error;
    });
  }
}

function missing({ name, datasource }: Tenant, target: Target) {
  const { database, name: label } = datasource;
  const [place, of] = serverOf(datasource) ? ["schema", name] : ["file", database];
  const message = `There is no ${place} '${of}': create it, or call ` +
    `migrateTenant(${JSON.stringify(name)}, { create: true }) in a program`;
  return { ...target, open: () => Promise.reject(new HistoryError(label, message)) };
}

function sharedOf(paths: readonly string[], { shared, error }: Each): Set<string> {
  return new Set(shared.flatMap((name) => {
    const found = paths.filter((path) =>
      name.endsWith("/") ? path.startsWith(name) : path === name
    );
    if (found.length > 0) return found;
    throw error(`There is no file '${name}'; a folder ends with '/'`, "shared");
  }));
}

/** How many of the tenants at a time have enough connections. @throws {ConnectionError} */
async function atOnceOf(
  tenants: number,
  datasource: Datasource,
  { of, parallel, query: asked }: Each,
  { using, onNotice }: SqlEnvironment,
  query: QueryTable,
): Promise<number> {
  const server = serverOf(datasource);
  const wanted = Math.min(parallel, tenants, server?.mostAtOnce ?? Infinity);
  // The URLs of a list may lead to several servers, and none to that of the datasource.
  const isElsewhere = of === "urls" && asked === undefined;
  if (!server || engineOf(datasource).isEmbedded || isElsewhere) return wanted;
  // One connection of the application's pool asks for the tenants.
  const { options, pool = using } = of === "schemas" ? Object(using) : {};
  const most = options?.max ?? pool?.config?.connectionLimit ?? Infinity;
  const left = Math.min(await server.left(query), most - 1);
  const possible = Math.floor(left / server.connections);
  if (possible >= wanted) return wanted;
  const message =
    `A tenant needs up to ${server.connections} connections, of which ${left} are free`;
  if (possible < 1) throw new ConnectionError(datasource.name, message);
  onNotice(`${message}: migrates ${possible} at a time instead of ${wanted}`);
  return possible;
}

/** Connections to one server, which tenants use one after another. */
class KeptConnections {
  /** Attempts to connect that failed, in a row. */
  failures = 0;
  readonly #idle: { readonly connection: Kept; readonly end: Kept["close"] }[] = [];

  readonly keep = async <C extends Kept>(connect: () => Promise<C>): Promise<C> => {
    const idle = this.#idle.pop()?.connection as C | undefined;
    if (idle?.isLost()) return await this.keep(connect);
    const connection = idle ?? await connect().catch((error) => {
      this.failures++;
      throw error;
    });
    this.failures = 0;
    if (idle) return idle;
    const end = connection.close.bind(connection);
    const giveBack = () => void this.#idle.push({ connection, end });
    return Object.assign(connection, { close: () => connection.renew().then(giveBack, end) });
  };

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ end }) => end()));
  }
}
