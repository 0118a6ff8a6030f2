import type { Datasource } from "../../src/migrations/sql/mod.ts";

export function urlOf(
  { host, port, username, password, database }: Datasource,
  scheme: string,
): string {
  const user = [username ?? "", password?.reveal() ?? ""].map(encodeURIComponent).join(":");
  return `${scheme}://${user}@${host}:${port}/${database}`;
}
