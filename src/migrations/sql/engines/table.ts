import { ConfigError } from "../../../config/mod.ts";
import type { Datasource } from "../connect/datasource.ts";
import type { Engine } from "../types.ts";
import { d1 } from "./d1/engine.ts";
import { mysql } from "./mysql/engine.ts";
import { pglite } from "./pglite/engine.ts";
import { postgresql } from "./postgresql/engine.ts";
import { batch, sqlite } from "./sqlite/engine.ts";

/** All engines, by the names that datasources have. Nothing else lists them. */
export const ENGINES: Record<string, Engine> = { sqlite, postgresql, pglite, mysql, d1, batch };

type Named = Pick<Datasource, "kind" | "engine">;

function nameOfEngine({ kind, engine = kind }: Named): string {
  return engine;
}

export function engineOf(datasource: Named): Engine {
  return ofEngine(ENGINES, datasource, "Irori");
}

/**
 * The entry of a feature for the engine of a datasource.
 *
 * @param table by names of engines, or of their SQL
 * @throws {ConfigError} where it has nothing
 */
export function ofEngine<T>(
  table: Readonly<Record<string, T>>,
  datasource: Named,
  feature: string,
  name: string = nameOfEngine(datasource),
): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  const title = ENGINES[nameOfEngine(datasource)]?.title ?? `'${name}'`;
  const known = [...new Set(Object.keys(table).flatMap((key) => ENGINES[key]?.title ?? []))];
  throw new ConfigError(`${feature} does not support ${title}: it supports ${known.join(", ")}`);
}
