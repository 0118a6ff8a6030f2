import type { Migration, PemSource } from "../runner/mod.ts";
import type { HttpClient } from "../../runtime/mod.ts";

/** A search cluster as the configuration describes it (reference 2.8). */
export interface SearchConnection {
  /** Also the name of its folder of migrations. */
  readonly name: string;
  /** URLs without credentials and without a slash at the end, in the order in which they are tried. */
  readonly hosts: readonly string[];
  /** The value of the header `Authorization`. */
  readonly authorization?: string;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
  /** Milliseconds for connecting. */
  readonly connectTimeoutMs: number;
  /** Whether certificates are verified. */
  readonly verifyTls: boolean;
  readonly caCert?: PemSource;
  readonly clientCert?: PemSource;
  readonly clientKey?: PemSource;
  readonly proxy?: string | false;
  readonly migrationsEnabled: boolean;
  /** What a file does that was edited after it was applied. @default "reapply" */
  readonly onChange?: "reapply" | "fail";
  /** What a changed policy does to the indices that it manages already. @default "keep" */
  readonly policyChanges?: "keep" | "apply";
  /** How a live index is brought to what its file says; absent where it is left as it is (reference 4.4.8). */
  readonly reindex?: ReindexSettings;
}

/** How a live index is copied into a new one: `migrations.index_changes: reindex`. */
export interface ReindexSettings {
  /** How long writers may be kept waiting, in milliseconds; `none`: only an index that its owner has blocked is copied. */
  readonly writePauseMs: number | "none";
  /** How many documents a second are copied at most. */
  readonly requestsPerSecond?: number;
  /** An ingest pipeline that documents go through on their way into the new index. */
  readonly pipeline?: string;
  /** What becomes of the old index. */
  readonly oldIndices: "keep" | "delete";
}

/** What search targets need from around them. */
export interface SearchEnvironment {
  /** A client for the connection's TLS and proxy settings. */
  readonly openClient: (connection: SearchConnection) => Promise<HttpClient>;
  /** Who runs, `host-pid-run`. */
  readonly owner: string;
  /** How long to wait for another run, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** Takes what is worth telling: a sentence without its final period, and the file it is about. */
  readonly onNotice: (message: string, file?: string) => void;
  /** Whether work that goes on in the background of the cluster is followed to its end. @default true */
  readonly followTasks?: boolean;
  /** How long a lock lasts without a sign of life, in milliseconds. @default 30000 */
  readonly leaseMs?: number;
}

/** A file and the request it becomes (reference 4.4). */
export interface SearchMigration extends Migration {
  readonly kind: "template" | "policy" | "index" | "request" | KindEnding;
  readonly request: SearchRequest;
  readonly transactional: false;
}

/** What is told by the ending of a file's name, beside what the reference tells. */
export type KindEnding =
  | "component"
  | "pipeline"
  | "search-pipeline"
  | "script"
  | "role"
  | "role-mapping"
  | "action-group"
  | "tenant"
  | "user"
  | "snapshots"
  | "data-stream"
  | "cluster-settings";

/** One HTTP request to the cluster. */
export interface SearchRequest {
  /** In capitals. */
  readonly method: string;
  /** Starts with a slash; encoded, with its query. */
  readonly path: string;
  /** The text that is sent, byte for byte. */
  readonly body?: string;
  /** @default "application/json" */
  readonly contentType?: string;
  /** By what the cluster's tasks tell whose work they are. */
  readonly opaqueId?: string;
}
