import {
  HistoryError,
  type Target,
  type Tenants,
  type TenantSelection,
} from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import type { Each } from "./each.ts";
import { DatabaseError } from "../../migrations/sql/errors.ts";
import { connectionFailure } from "../../migrations/sql/failure.ts";
import { backquoted, identifier } from "../../migrations/sql/files/quoting.ts";
import type { Database, OpenDatabase, SqlEnvironment, Table } from "../../migrations/sql/types.ts";
import { KeptConnections } from "./kept.ts";
import { atOnceOf, type Query } from "./limits.ts";
import { listedBy, selected, type Tenant, tenantsIn } from "./names.ts";

export interface Asked extends TenantSelection {
  readonly each: Each<Datasource>;
  readonly open: OpenDatabase;
  targetOf(source: Datasource, environment: SqlEnvironment): Target;
}

export async function tenantsOf(
  base: Datasource,
  environment: SqlEnvironment,
  asked: Asked,
): Promise<Tenants> {
  const { each, open, signal } = asked;
  const kept = new KeptConnections();
  let control: Promise<Database> | undefined;
  const query: Query = async (sql) => {
    return await (await (control ??= open(base, environment, signal))).query(sql);
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
  const keep = base.engine ? {} : { keep: kept.keep };
  const own: SqlEnvironment = each.of === "urls" ? rest : { ...environment, ...keep };
  try {
    const chosen = selected(await named(), base, asked);
    const existing = async () => {
      if (base.kind === "sqlite") return await filesOf(chosen, environment);
      if (each.of === "schemas") return namesIn(await query(EXISTING[base.kind]));
    };
    const before = await existing();
    if (asked.create && before === undefined) throw each.error(NOT_CREATED);
    if (asked.create) await create(chosen.filter(({ name }) => !before!.has(name)), query);
    return {
      list: chosen.map((tenant) => {
        const { name, datasource } = tenant;
        const onNotice: SqlEnvironment["onNotice"] = (message, file) =>
          own.onNotice(`Tenant '${name}': ${message}`, file);
        const target = asked.targetOf(datasource, { ...own, onNotice });
        const isThere = asked.create === true || before?.has(name) !== false;
        return { name, target: isThere ? target : missing(tenant, target) };
      }),
      atOnce: await atOnceOf(chosen.length, base, environment, query),
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

const EXISTING = {
  postgresql: "SELECT nspname AS name FROM pg_namespace",
  mysql: "SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA",
};

const NOT_CREATED = "'create' makes schemas and SQLite files: create this database first";

function namesIn({ rows }: Table): ReadonlySet<string> {
  return new Set(rows.map(({ name }) => `${name}`));
}

async function filesOf(tenants: readonly Tenant[], { files }: SqlEnvironment) {
  const found = await Promise.all(tenants.map(({ datasource }) => files.stat(datasource.database)));
  return new Set(tenants.filter((_, index) => found[index]).map(({ name }) => name));
}

async function create(tenants: readonly Tenant[], query: Query): Promise<void> {
  for (const { name, datasource: { kind } } of tenants) {
    if (kind === "sqlite") continue;
    const quoted = kind === "mysql" ? backquoted(name) : identifier(name);
    await query(`CREATE SCHEMA IF NOT EXISTS ${quoted}`).catch((error) => {
      // PostgreSQL, where two create it at once.
      if (error.code !== "23505") throw error;
    });
  }
}

function missing({ name, datasource: { kind, database, name: label } }: Tenant, target: Target) {
  const [place, of] = kind === "sqlite" ? ["file", database] : ["schema", name];
  const message = `There is no ${place} '${of}': create it, or call ` +
    `migrateTenant(${JSON.stringify(name)}, { create: true }) in a program`;
  return { ...target, open: () => Promise.reject(new HistoryError(label, message)) };
}

function sharedOf(paths: readonly string[], { shared, error }: Each<Datasource>): Set<string> {
  return new Set(shared.flatMap((name) => {
    const found = paths.filter((path) =>
      name.endsWith("/") ? path.startsWith(name) : path === name
    );
    if (found.length > 0) return found;
    throw error(`There is no file '${name}'; a folder ends with '/'`, "shared");
  }));
}
