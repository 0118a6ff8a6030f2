import type { Datasource } from "../../connect/datasource.ts";
import { DatabaseError } from "../../errors.ts";

export function connectError(
  { kind, message, code }: DatabaseError,
  { host, port, username, database }: Datasource,
): DatabaseError {
  const place = `'${database}' at ${host.startsWith("/") ? host : `${host}:${port}`}`;
  const user = username === undefined ? "" : ` as '${username}'`;
  return new DatabaseError(kind, `Cannot connect to ${place}${user}: ${message}`, {
    ...(code !== undefined && { code }),
  });
}
