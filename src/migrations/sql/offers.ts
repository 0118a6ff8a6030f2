import { type FeatureKey, featureKey, type Migration } from "../runner/mod.ts";
import type { Datasource } from "./connect/datasource.ts";
import type { Database, Engine, SqlEnvironment, SqlMigration } from "./types.ts";

/** The offers of a database to features, at its target. */
export const SQL: FeatureKey<SqlOffer> = featureKey("datasource");

export interface SqlOffer {
  readonly datasource: Datasource;
  readonly environment: SqlEnvironment;
}

/** The connection of a session: features ask the database by it. */
export const DATABASE: FeatureKey<Database> = featureKey("database");

/** Where a datasource leads, as features see it that read its settings. */
export const PLACE: FeatureKey<SqlPlace> = featureKey("place");

interface SqlPlace {
  readonly engine: Engine;
  /** Why no other program can connect as it does: refuses a setting that needs that. */
  readonly refuseProgram: (key: string) => void;
  /** The same datasource at another URL. Only its own server gets to know the credentials. */
  readonly at: (urlKey: string, url: string) => Datasource;
}

export function sqlMigrations(migrations: readonly Migration[]): readonly SqlMigration[] {
  return migrations.filter((one): one is SqlMigration => "script" in one);
}
