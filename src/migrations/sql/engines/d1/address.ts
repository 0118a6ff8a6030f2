import type { AddressDetails, Datasource } from "../../connect/datasource.ts";

/** The host of D1's HTTP API, by which a datasource tells the database of Cloudflare from the local one. */
export const API_HOST = "api.cloudflare.com";

/** Whether a datasource is only a binding that the application has, without a name that wrangler's configuration knows. */
export function isBinding({ database }: Pick<Datasource, "database">): boolean {
  return database === "";
}

/** `DB`, `apps/worker/DB`, `DB?remote`: the folder of wrangler's configuration, and a binding or the name of a database. */
export function d1Address(rest: string): AddressDetails {
  const [, database = "", remote, more] = /^(?:\/\/)?(.*?)(\?remote(?:=true)?)?(\?.*)?$/
    .exec(rest) ?? [];
  if (more !== undefined || /(?:^|[\\/])$/.test(database) || database === ":memory:") {
    throw new TypeError(
      "Cannot read the URL: expected 'd1:' and a binding or the name of a database in wrangler's configuration, such as " +
        "'d1:DB' for the local one or 'd1:DB?remote' for that of Cloudflare",
    );
  }
  return { database, parameters: new Map(), ...(remote && { host: API_HOST, port: 443 }) };
}
