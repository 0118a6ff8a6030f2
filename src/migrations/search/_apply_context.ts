import type { Cluster } from "./cluster.ts";
import type { DocumentVersion } from "./types.ts";

/** What came of one file, before it is recorded. */
export interface Done {
  readonly note?: string;
  /** Of the policy that was written. */
  readonly version?: DocumentVersion;
}

/** What goes along with applying a file. */
export interface ApplyContext {
  readonly cluster: Cluster;
  /** Name of the connection. */
  readonly connection: string;
  /** Throws when the run may not go on; called before each request. */
  readonly ensureHeld: () => void;
  /** Whether an earlier run was cut off in this file: it may have been done. */
  readonly resumed: boolean;
}
