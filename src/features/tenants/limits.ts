import { ConnectionError } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import { engineOf } from "../../migrations/sql/engines/table.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";
import type { Each } from "./each.ts";
import { type Query, serverOf } from "./servers.ts";

/** How many of the tenants at a time have enough connections. @throws {ConnectionError} */
export async function atOnceOf(
  tenants: number,
  datasource: Datasource,
  { of, parallel, query: asked }: Each,
  { using, onNotice }: SqlEnvironment,
  query: Query,
): Promise<number> {
  const server = serverOf(datasource);
  const wanted = Math.min(parallel, tenants, server?.mostAtOnce ?? Infinity);
  // The URLs of a list may lead to several servers, and none to that of the datasource.
  const isElsewhere = of === "urls" && asked === undefined;
  if (!server || engineOf(datasource).isEmbedded || isElsewhere) return wanted;
  // Of a pool of the application, one connection is asked who the tenants are.
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
