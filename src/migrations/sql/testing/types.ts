/** Migrates the empty database of this name. */
export type Fill = (database: string) => Promise<void>;

/** A migrated database that no other test uses until it is closed. */
export interface Lease {
  readonly database: string;
  readonly close: () => Promise<void>;
}
