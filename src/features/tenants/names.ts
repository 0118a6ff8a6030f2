import { ConfigError } from "../../config/mod.ts";
import { basename } from "../../runtime/path.ts";
import { nearest } from "../../text/mod.ts";
import type { TenantSelection } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import type { Each, Listed } from "./each.ts";
import { identifier } from "../../migrations/sql/files/quoting.ts";
import type { Table } from "../../migrations/sql/types.ts";

export interface Tenant {
  readonly name: string;
  readonly datasource: Datasource;
}

export function listedBy({ columns, rows }: Table, each: Each<Datasource>): Listed {
  const [first = "", second = first] = columns;
  return rows.map(({ [first]: name, [second]: url }) => {
    if (name == null || url == null) throw each.error("The query has a row with NULL");
    if (each.of === "schemas") return [`${name}`];
    return [second === first ? undefined : `${name}`, `${url}`];
  });
}

export function tenantsIn(
  listed: Listed,
  base: Datasource,
  each: Each<Datasource>,
): ReadonlyMap<string, Tenant> {
  const tenants = new Map<string, Tenant>();
  for (const [name = "", url] of listed) {
    const tenant = url === undefined
      ? schemaTenant(name, base, each)
      : urlTenant(url, name, base, each);
    if (url !== undefined && tenants.has(tenant.name)) {
      throw each.error(`Two URLs have the name '${tenant.name}': expected a map of names and URLs`);
    }
    tenants.set(tenant.name, tenant);
  }
  return tenants;
}

const OF_SERVER: Partial<Record<Datasource["kind"], RegExp>> = {
  postgresql: /^(?:pg_.*|information_schema)$/,
  mysql: /^(?:mysql|sys|information_schema|performance_schema)$/i,
};

function schemaTenant(name: string, base: Datasource, each: Each<Datasource>): Tenant {
  const { kind, schema } = base;
  // PostgreSQL cuts longer ones off, so that two would be one.
  if (!/^\P{Cc}+$/u.test(name) || new TextEncoder().encode(name).length > 63) {
    const found = name.slice(0, 100);
    throw each.error(
      `Expected a name of up to 63 bytes without control characters, found '${found}'`,
    );
  }
  if (OF_SERVER[kind]?.test(name)) {
    throw each.error(
      `Expected a schema for a tenant, found '${name}', which the server needs itself`,
    );
  }
  if (kind === "mysql") return labelled(name, { ...base, database: name }, base);
  const path = schema === undefined ? identifier(name) : `${identifier(name)}, ${schema}`;
  const own = { schema: path, historySchema: name, tenantSchema: name };
  return labelled(name, { ...base, ...own }, base);
}

function urlTenant(url: string, given: string, base: Datasource, each: Each<Datasource>): Tenant {
  const datasource = each.at(url);
  const { kind, engine, database } = datasource;
  const isFile = kind === "sqlite" || engine !== undefined;
  const name = isFile ? basename(database).replace(/\.\w+$/, "") : database;
  return labelled(given || name, datasource, base);
}

/** Its records have the name of the datasource: a copy of a tenant is a tenant with the same history. */
function labelled(name: string, { each: _, ...own }: Datasource, base: Datasource): Tenant {
  return { name, datasource: { ...own, name: `${base.name}[${name}]`, recordedAs: base.name } };
}

export function selected(
  tenants: ReadonlyMap<string, Tenant>,
  base: Datasource,
  { each, only, create }: TenantSelection & { readonly each: Each<Datasource> },
): readonly Tenant[] {
  return [...new Set(only ?? tenants.keys())].map((name) => {
    const isNew = create && each.of === "schemas";
    const tenant = tenants.get(name) ?? (isNew ? schemaTenant(name, base, each) : undefined);
    if (tenant) return tenant;
    const [meant] = nearest(name, tenants.keys());
    const hint = meant === undefined ? "'status' lists them" : `did you mean '${meant}'?`;
    throw new ConfigError(`There is no tenant '${name}' of '${base.name}': ${hint}`);
  });
}
