import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import { parseUrl } from "../../../src/migrations/sql/connect/url.ts";
import { Secret } from "../../../src/migrations/sql/connect/secret.ts";

/** Why the tests on a server cannot run, or `undefined` when they can. With `CI=true` they have to. */
export function missing(variable: string): string | undefined {
  if (Deno.env.get(variable) !== undefined) return undefined;
  const reason = Deno.env.get(variable.replace(/_[A-Z]+$/, "_MISSING")) ??
    `${variable} is not set: start the servers with tests/servers/sql.sh`;
  if (Deno.env.get("CI") === "true") throw new Error(reason);
  return reason;
}

/** The server that an environment variable names, as a datasource of its database. */
export function server(variable: string, options: Partial<Datasource> = {}): Datasource {
  const address = parseUrl(Deno.env.get(variable) ?? "postgres://absent:absent@127.0.0.1:1/none");
  return {
    name: "main",
    offers: [],
    kind: address.kind,
    database: address.database,
    host: address.host ?? "127.0.0.1",
    port: address.port ?? 0,
    username: address.username ?? "",
    password: new Secret(address.password ?? ""),
    connectTimeoutMs: 5000,
    migrations: { enabled: true, onChange: "fail", placeholders: {} },
    ...options,
  };
}

/** A name for a database that no other test and no other test run uses. */
export function freshName(): string {
  return `irori_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
}
