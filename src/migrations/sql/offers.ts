import { type FeatureKey, featureKey, type Migration } from "../runner/mod.ts";
import type { Datasource } from "./connect/datasource.ts";
import type { Database, SqlEnvironment, SqlMigration } from "./types.ts";

/** What a target of a database offers to features. */
export const SQL: FeatureKey<SqlOffer> = featureKey("datasource");

export interface SqlOffer {
  readonly datasource: Datasource;
  readonly environment: SqlEnvironment;
}

/** What a session adds: features ask the database by it. */
export const DATABASE: FeatureKey<Database> = featureKey("database");

function isSqlMigration(migration: Migration): migration is SqlMigration {
  return "script" in migration;
}

export function sqlMigrations(migrations: readonly Migration[]): readonly SqlMigration[] {
  return migrations.filter(isSqlMigration);
}
