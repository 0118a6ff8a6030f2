import { FeatureError, type MigrationFile } from "../../migrations/runner/mod.ts";
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";

export class SchemaError extends FeatureError {
  override readonly name = "SchemaError";
}

/** A schema that was written or read, or the one that files give an empty database. */
export type Source = { readonly text: string } | { readonly files: readonly MigrationFile[] };

export interface Comparing {
  readonly environment: SqlEnvironment;
  /** Works on a database that has some files alone. */
  applied(
    files: readonly MigrationFile[],
    work: (own: Datasource, given: SqlEnvironment) => Promise<string>,
  ): Promise<string>;
  dump(own: Datasource, given: SqlEnvironment): Promise<string>;
  withPlaceholders(schema: string): string;
}

/** The operations on schemas that differ by engine. */
export interface SchemaEngine {
  dump(datasource: Datasource, environment: SqlEnvironment): Promise<string>;
  /** A query that finds something unless a database has no tables, views, functions and types. */
  readonly anything: string;
  /** Gives an empty database what the live one has beside its tables. */
  imitate?(live: Datasource, empty: Datasource, environment: SqlEnvironment): Promise<void>;
  /** Works on a new database in this process, which ends with the work. @throws {SchemaError} where there is none */
  inProcess<T>(
    datasource: Datasource,
    files: readonly MigrationFile[],
    environment: SqlEnvironment,
    work: (own: Datasource, using: object) => Promise<T>,
  ): Promise<T>;
  /** Two schemas as one program writes them, without a server. */
  texts(
    sources: readonly [Source, Source],
    comparing: Comparing,
  ): Promise<readonly [string, string]>;
}
