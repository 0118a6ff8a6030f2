import { ConfigError } from "../../../config/mod.ts";
import { basename } from "../../../runtime/path.ts";
import { nearest } from "../../../text/mod.ts";
import type { TenantSelection } from "../../runner/mod.ts";
import type { Datasource } from "../connect/datasource.ts";
import type { Each, Listed } from "../connect/each.ts";
import { identifier } from "../files/quoting.ts";
import type { Table } from "../types.ts";

export interface Tenant {
  readonly name: string;
  readonly datasource: Datasource;
}

/** What a query has given. @throws {ConfigError} */
export function listedBy({ columns, rows }: Table, each: Each<Datasource>): readonly Listed[] {
  const [first = "", second = first] = columns;
  const isNamed = columns.length > 1;
  return rows.map((row) => {
    const [name, url] = [row[first], row[second]];
    if (name == null || url == null) throw each.error("The query has a row with NULL");
    if (each.of === "schemas") return { name: `${name}` };
    return { url: `${url}`, ...(isNamed && { name: `${name}` }) };
  });
}

/** By their names. @throws {ConfigError} */
export function tenantsIn(
  listed: readonly Listed[],
  datasource: Datasource,
  each: Each<Datasource>,
): ReadonlyMap<string, Tenant> {
  const tenants = new Map<string, Tenant>();
  for (const one of listed) {
    const tenant = one.url === undefined
      ? schemaTenant(one.name ?? "", datasource, each)
      : urlTenant(one.url, one.name, datasource, each);
    if (one.url !== undefined && tenants.has(tenant.name)) {
      const message = `Two URLs have the name '${tenant.name}': give each its own, in a map of ` +
        "names and URLs or by a first column of the query";
      throw each.error(message);
    }
    tenants.set(tenant.name, tenant);
  }
  return tenants;
}

/** What fits into a name: bytes of PostgreSQL, characters of MySQL. */
const LONGEST = { postgresql: 63, mysql: 64, sqlite: 0 };

function schemaTenant(name: string, base: Datasource, each: Each<Datasource>): Tenant {
  const isMysql = base.kind === "mysql";
  const length = isMysql ? name.length : new TextEncoder().encode(name).length;
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  if (length === 0 || length > LONGEST[base.kind] || /[\u0000-\u001f]/.test(name)) {
    throw each.error(`Expected the name of a ${placeOf(base)}, found '${name.slice(0, 100)}'`);
  }
  const ofShared = isMysql ? base.database : base.historySchema;
  if (each.shared.length > 0 && name === ofShared) {
    const message = `The shared files are recorded in '${name}', which cannot be a tenant as well`;
    throw each.error(message, "shared");
  }
  const path = [identifier(name), ...base.schema === undefined ? [] : [base.schema]];
  const own = isMysql
    ? { database: name }
    : { schema: path.join(", "), historySchema: name, tenantSchema: name };
  return labelled(name, { ...base, ...own }, base);
}

function urlTenant(
  url: string,
  given: string | undefined,
  base: Datasource,
  each: Each<Datasource>,
): Tenant {
  const datasource = databaseAt(url, given, each);
  const { kind, engine, database } = datasource;
  const isFile = kind === "sqlite" || engine === "pglite";
  const name = given ?? (isFile ? basename(database).replace(/\.\w+$/, "") : database);
  if (kind !== base.kind) {
    throw each.error(`Expected a ${base.kind} URL for '${name}', as 'url' is one; found ${kind}`);
  }
  return labelled(name, datasource, base);
}

function databaseAt(url: string, name: string | undefined, each: Each<Datasource>): Datasource {
  try {
    return each.at(url);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw each.error(name === undefined ? error.message : `'${name}': ${error.message}`);
  }
}

/** Its records have the name of the datasource: a copy of a tenant is another tenant with the same history. */
function labelled(name: string, { each: _, ...datasource }: Datasource, base: Datasource): Tenant {
  const label = `${base.name}[${name}]`;
  return { name, datasource: { ...datasource, name: label, recordedAs: base.name } };
}

export function placeOf({ kind }: Datasource): string {
  return { postgresql: "schema", mysql: "database", sqlite: "file" }[kind];
}

const SHOWN = 10;

/** @throws {ConfigError} for a name that none of them has */
export function selected(
  tenants: ReadonlyMap<string, Tenant>,
  datasource: Datasource,
  each: Each<Datasource>,
  { only, create = false }: TenantSelection,
): readonly Tenant[] {
  if (only === undefined) return [...tenants.values()];
  return [...new Set(only)].map((name) => {
    const tenant = tenants.get(name);
    if (tenant) return tenant;
    if (create && each.of === "schemas") return schemaTenant(name, datasource, each);
    const names = [...tenants.keys()];
    const [meant] = nearest(name, names);
    const shown = names.slice(0, SHOWN).map((name) => `'${name}'`).join(", ") || "none";
    const rest = names.length > SHOWN ? ` and ${names.length - SHOWN} others` : "";
    const hint = meant === undefined ? `found ${shown}${rest}` : `did you mean '${meant}'?`;
    throw new ConfigError(`There is no tenant '${name}' of '${datasource.name}': ${hint}`);
  });
}
