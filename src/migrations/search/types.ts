import type { ConfigValue } from "../../config/mod.ts";
import type { FilledText } from "../../text/mod.ts";
import type { LoadedFile, Migration, PemSource } from "../runner/mod.ts";
import type { HttpClient } from "../../runtime/mod.ts";

/** A search cluster as the configuration describes it (reference 2.8). */
export interface SearchConnection {
  /** Also the name of its folder of migrations. */
  readonly name: string;
  /** URLs without credentials and without a slash at the end, in the order in which they are tried. */
  readonly hosts: readonly string[];
  /** The value of the header `Authorization`. */
  readonly authorization?: string;
  /** Requests are signed for Amazon OpenSearch Service; then there is no `authorization`. */
  readonly aws?: AwsSettings;
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
  /** What is filled into files, by name; absent where nothing is declared: files are sent byte for byte. */
  readonly placeholders?: Placeholders;
}

/** Values of placeholders by name. */
export type Placeholders = Readonly<Record<string, PlaceholderValue>>;

/** What comes in the place of a placeholder. */
export interface PlaceholderValue {
  /** As the configuration has it. */
  readonly data: ConfigValue;
  /** As JSON, where the placeholder is the whole of a value. */
  readonly json: string;
  /** What stands within a longer text and in keys; absent for lists and maps, which cannot. */
  readonly text?: string;
}

/** How requests are signed: `auth: { type: aws }`. */
export interface AwsSettings {
  /** @default the environment variable `AWS_REGION` or `AWS_DEFAULT_REGION` */
  readonly region?: string;
  /** The name of the service in signatures. */
  readonly service: "es";
  /** An error that names the place in the configuration. */
  readonly error: (message: string) => Error;
}

/** Keys that requests to Amazon OpenSearch Service are signed with, as providers of the AWS SDK give them. */
export interface AwsCredentials {
  /** `AKIA…`, or `ASIA…` of temporary ones. */
  readonly accessKeyId: string;
  /** What requests are signed with; it is never sent. */
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
  /** When they end. @default never */
  readonly expiration?: Date | undefined;
}

/** Gives credentials. It is called again shortly before those that it gave end. */
export type AwsCredentialsProvider = () => AwsCredentials | Promise<AwsCredentials>;

/** Where credentials come from. */
export interface CredentialsOptions {
  /** @default the environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` */
  readonly credentials?: AwsCredentialsProvider;
  /** The value of an environment variable. @default none has one */
  readonly variable?: (name: string) => string | undefined;
  /** How long `credentials` may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
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
export interface SearchEnvironment extends Omit<CredentialsOptions, "timeoutMs"> {
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

/** A file that was read; where values are filled in, they are part of it. */
export interface SearchFile extends LoadedFile {
  /** Its text with the values; absent where it uses none. */
  readonly filled?: FilledText & { readonly source: string };
}

/** A file and the request it becomes (reference 4.4). */
export interface SearchMigration extends Migration {
  readonly kind: "template" | "policy" | "index" | "request" | KindEnding;
  readonly request: SearchRequest;
  readonly transactional: false;
}

/** Endings of file names in addition to those of the reference. */
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
