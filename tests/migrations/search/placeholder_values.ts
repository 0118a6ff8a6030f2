import { type ConfigValue, createConfig } from "../../../src/config/mod.ts";
import { readSearchConnections } from "../../../src/migrations/search/connection.ts";
import type { Placeholders } from "../../../src/migrations/search/files/placeholders.ts";

/** Values of placeholders by name. */
export type Values = Readonly<Record<string, ConfigValue>>;

/** Placeholders as a connection declares them. */
export function declared(values: Values): Placeholders {
  // The configuration has placeholders of its own.
  const placeholders = JSON.parse(JSON.stringify(values).replaceAll("${", () => "$${"));
  const connection = { name: "logs", hosts: ["http://a"], migrations: { placeholders } };
  return readSearchConnections(createConfig({ search: [connection] }))[0]?.placeholders ?? {};
}
