import { basename } from "../../runtime/path.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { engineOf } from "../../migrations/sql/engines/table.ts";
import { unknownPart } from "../parts/each.ts";
import { type Asked, EACH, type Each, type Listed } from "./each.ts";
import type { Table } from "../../migrations/sql/types.ts";
import { serverOf } from "./servers.ts";

export interface Tenant {
  readonly name: string;
  readonly datasource: Datasource;
}

export function listedBy({ columns, rows }: Table, each: Each): Listed {
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
  each: Each,
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

function schemaTenant(name: string, base: Datasource, each: Each): Tenant {
  // PostgreSQL cuts longer ones off, so that two would be one.
  if (!/^\P{Cc}+$/u.test(name) || new TextEncoder().encode(name).length > 63) {
    throw each.error(
      `Expected a name of up to 63 bytes without control characters, found '${name.slice(0, 100)}'`,
    );
  }
  const server = serverOf(base);
  if (server?.reserved.test(name)) {
    throw each.error(
      `Expected a schema for a tenant, found '${name}', which the server needs itself`,
    );
  }
  return labelled(name, { ...base, ...server?.at(name, base) }, base);
}

function urlTenant(url: string, given: string, base: Datasource, each: Each): Tenant {
  const datasource = each.at(url);
  const { database } = datasource;
  const name = engineOf(datasource).isEmbedded
    ? basename(database).replace(/\.\w+$/, "")
    : database;
  return labelled(given || name, datasource, base);
}

/** Its records have the name of the datasource: a copy of a tenant is a tenant with the same history. */
function labelled(name: string, own: Datasource, base: Datasource): Tenant {
  const offers = base.offers.filter((offer) => EACH.of({ offers: [offer] }) === undefined);
  const names = { name: `${base.name}[${name}]`, recordedAs: base.name };
  return { name, datasource: { ...own, offers, ...names } };
}

export function selected(
  tenants: ReadonlyMap<string, Tenant>,
  base: Datasource,
  { each, only, create }: Omit<Asked, "signal">,
): readonly Tenant[] {
  return [...new Set(only ?? tenants.keys())].map((name) => {
    const isNew = create && each.of === "schemas";
    const tenant = tenants.get(name) ?? (isNew ? schemaTenant(name, base, each) : undefined);
    if (tenant) return tenant;
    const label = `tenant '${name}' of '${base.name}'` as const;
    throw unknownPart(label, name, tenants.keys(), "'status' lists them");
  });
}
