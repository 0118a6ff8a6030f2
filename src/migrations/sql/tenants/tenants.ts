import { HistoryError, type Target, type Tenants, type TenantSelection } from "../../runner/mod.ts";
import type { Datasource } from "../connect/datasource.ts";
import type { Each } from "../connect/each.ts";
import { DatabaseError } from "../errors.ts";
import { connectionFailure } from "../failure.ts";
import { identifier } from "../files/quoting.ts";
import type { Database, SqlEnvironment, Table } from "../types.ts";
import { KeptConnections } from "./kept.ts";
import { atOnceOf } from "./limits.ts";
import { listedBy, placeOf, selected, type Tenant, tenantsIn } from "./names.ts";

export interface Asked extends TenantSelection {
  readonly each: Each<Datasource>;
  open(
    datasource: Datasource,
    environment: SqlEnvironment,
    signal?: AbortSignal,
  ): Promise<Database>;
  targetOf(datasource: Datasource, environment: SqlEnvironment): Target;
}

/** Reads who the tenants are, once. @throws {ConfigError | ConnectionError} */
export async function tenantsOf(
  datasource: Datasource,
  environment: SqlEnvironment,
  asked: Asked,
): Promise<Tenants> {
  const server = new Server(datasource, environment, asked);
  try {
    return await server.tenants();
  } catch (error) {
    await server.close();
    throw connectionFailure(datasource.name, error);
  }
}

/** All names that exist, in one query. */
const EXISTING = {
  postgresql: "SELECT nspname AS name FROM pg_namespace",
  mysql: "SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA",
};

class Server {
  readonly #kept = new KeptConnections();
  readonly #environment: SqlEnvironment;
  #control: Promise<Database> | undefined;

  constructor(
    private readonly datasource: Datasource,
    private readonly environment: SqlEnvironment,
    private readonly asked: Asked,
  ) {
    const { using: _, ...own } = environment;
    const isShared = asked.each.of === "schemas" && datasource.engine !== "pglite";
    this.#environment = asked.each.of === "urls"
      ? own
      : { ...environment, ...(isShared && { keep: this.#kept.keep }) };
  }

  async tenants(): Promise<Tenants> {
    const { datasource, environment, asked } = this;
    const { each } = asked;
    const chosen = selected(await this.#named(), datasource, each, asked);
    const existing = await this.#create(chosen, await this.#existing(chosen));
    const atOnce = await atOnceOf(chosen, datasource, each, {
      using: environment.using,
      onNotice: environment.onNotice,
      query: (sql) => this.#query(sql),
      queryAt: async (tenant, sql) => {
        const database = await asked.open(tenant, this.#environment, asked.signal);
        return await database.query(sql).finally(() => database.close());
      },
    });
    return {
      list: chosen.map((tenant) => {
        const { name } = tenant;
        const isMissing = existing?.has(name) === false;
        return {
          name,
          target: isMissing ? missingTarget(tenant, this.#target(tenant)) : this.#target(tenant),
        };
      }),
      atOnce,
      shared: (paths) => sharedOf(paths, each),
      isGone: async (name) => {
        if (existing?.has(name) === false) return false;
        const tenant = chosen.filter((tenant) => tenant.name === name);
        if (existing) return (await this.#existing(tenant))?.has(name) === false;
        return each.query !== undefined && !(await this.#named()).has(name);
      },
      isUnreachable: () => this.#kept.isUnreachable,
      close: () => this.close(),
    };
  }

  #target({ name, datasource }: Tenant): Target {
    const environment = this.#environment;
    return this.asked.targetOf(datasource, {
      ...environment,
      onNotice: (message, file) => environment.onNotice(`Tenant '${name}': ${message}`, file),
    });
  }

  async #named(): Promise<ReadonlyMap<string, Tenant>> {
    const { datasource, asked: { each } } = this;
    const { query, listed } = each;
    if (query === undefined) return tenantsIn(listed, datasource, each);
    const table = await this.#query(query).catch((error) => {
      const isRefused = error instanceof DatabaseError && error.kind === "refused";
      throw isRefused ? each.error(`The query failed: ${error.message}`) : error;
    });
    return tenantsIn(listedBy(table, each), datasource, each);
  }

  /** Those that exist; `undefined` where only connecting tells. */
  async #existing(tenants: readonly Tenant[]): Promise<ReadonlySet<string> | undefined> {
    const { kind } = this.datasource;
    if (kind === "sqlite") {
      const isThere = ({ datasource }: Tenant) => this.environment.files.stat(datasource.database);
      const found = await Promise.all(tenants.map(isThere));
      return new Set(tenants.filter((_, index) => found[index]).map(({ name }) => name));
    }
    if (this.asked.each.of === "urls") return undefined;
    return new Set((await this.#query(EXISTING[kind])).rows.map(({ name }) => `${name}`));
  }

  async #create(
    tenants: readonly Tenant[],
    existing: ReadonlySet<string> | undefined,
  ): Promise<ReadonlySet<string> | undefined> {
    const { datasource, asked: { each, create = false } } = this;
    if (!create) return existing;
    if (existing === undefined) {
      const message =
        "'create' makes schemas, databases of MySQL that 'schemas' names, and SQLite " +
        "files: create the database of a URL first";
      throw each.error(message);
    }
    for (const { name } of datasource.kind === "sqlite" ? [] : tenants) {
      if (existing.has(name)) continue;
      const quoted = datasource.kind === "mysql"
        ? `\`${name.replaceAll("`", "``")}\``
        : identifier(name);
      await this.#query(`CREATE SCHEMA IF NOT EXISTS ${quoted}`);
    }
    return new Set([...existing, ...tenants.map(({ name }) => name)]);
  }

  async #query(sql: string): Promise<Table> {
    const { datasource, environment, asked } = this;
    this.#control ??= asked.open(datasource, environment, asked.signal);
    return await (await this.#control).query(sql);
  }

  async close(): Promise<void> {
    await this.#kept.close();
    await this.#control?.then((database) => database.close(), () => {});
  }
}

/** @throws {ConfigError} where no file is meant: each tenant would get it */
function sharedOf(paths: readonly string[], each: Each<Datasource>): ReadonlySet<string> {
  const isMeant = (shared: string) => (path: string) =>
    shared.endsWith("/") ? path.startsWith(shared) : path === shared;
  return new Set(each.shared.flatMap((shared) => {
    const found = paths.filter(isMeant(shared));
    if (found.length > 0) return found;
    throw each.error(`There is no file '${shared}'; a folder ends with '/'`, "shared");
  }));
}

function missingTarget({ name, datasource }: Tenant, target: Target): Target {
  const place = datasource.kind === "sqlite" ? datasource.database : name;
  const message = `There is no ${placeOf(datasource)} '${place}': create it, or call ` +
    `migrateTenant(${JSON.stringify(name)}, { create: true }) in a program`;
  return { ...target, open: () => Promise.reject(new HistoryError(datasource.name, message)) };
}
