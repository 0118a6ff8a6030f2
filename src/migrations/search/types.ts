import type { Drift, History, Migration, MigrationRecord, Session, Target } from "../runner/mod.ts";
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
  /** Paths of PEM files. */
  readonly caCert?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly proxy?: string | false;
  readonly migrationsEnabled: boolean;
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
  /** How long a lock lasts without a sign of life, in milliseconds. @default 30000 */
  readonly leaseMs?: number;
}

/** A file and the request it becomes (reference 4.4). */
export interface SearchMigration extends Migration {
  readonly kind: "template" | "policy" | "index" | "request";
  /** Name of the template, policy or index; of the envelope, where it has one. */
  readonly name: string;
  readonly request: SearchRequest;
  /** The plugin that a policy is for. */
  readonly policy?: "ism" | "ilm";
}

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
}

/** A record of `framework_migrations`, with what only search clusters keep. */
export interface SearchRecord extends MigrationRecord {
  /** Something worth saying about how it went. */
  readonly note?: string;
  /** Version of the policy that was written, for the next conditional write. */
  readonly version?: DocumentVersion;
}

/** What a conditional write names. Zero is a valid sequence number. */
export interface DocumentVersion {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** A file that a run announced in its lock. */
export interface Announced {
  readonly id: string;
  readonly hash: string;
  /** When it was applied, for a file that is to be applied again although its record has this hash. */
  readonly again?: string;
}

/** The history of a search cluster. */
export interface SearchHistory extends History {
  /** By path. */
  readonly records: ReadonlyMap<string, SearchRecord>;
  /** Paths of files that have to be applied again though they did not change: an earlier file for their resource did. */
  readonly again: ReadonlySet<string>;
  /** Whether taking the lock has something to put right even with nothing to apply. */
  readonly unsettled: boolean;
}

/** A session on a search cluster, which can be asked for drift too. */
export interface SearchInspection extends Session<SearchMigration> {
  all(): Promise<ReadonlyMap<string, SearchRecord>>;
  /**
   * Where the cluster is no longer as these applied files say, in file order. Where several work on one resource, the
   * last one counts.
   */
  drift(migrations: readonly SearchMigration[]): Promise<readonly Drift<SearchMigration>[]>;
}

/** The migrations of one search cluster. */
export interface SearchTarget extends Target<SearchMigration> {
  open(): Promise<SearchInspection>;
}
