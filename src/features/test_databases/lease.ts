/** How a server gives databases to tests. */
import type { Datasource } from "../../migrations/sql/connect/datasource.ts";
import type { SqlEnvironment } from "../../migrations/sql/types.ts";

export interface PlaceForTest {
  readonly database: string;
  /** PostgreSQL: the schema that they share the database by. */
  readonly schema?: string;
}

/** A migrated database for a test, which no other test uses until it is closed. */
export interface Lease extends PlaceForTest {
  readonly close: () => Promise<void>;
}

/**
 * @param prefix of the names of databases: the same for the same migrations
 * @param fill migrates the empty database, or schema
 * @throws {DatabaseError} when the server cannot be reached, or refuses its user
 */
export type LeaseDatabase = (
  server: Datasource,
  environment: SqlEnvironment,
  prefix: string,
  fill: (place: PlaceForTest) => Promise<void>,
) => Promise<Lease>;
