import type { ConfigValue } from "../../config/mod.ts";
import type { FilledText } from "../../text/mod.ts";
import type { LoadedFile, Migration, PemSource } from "../runner/mod.ts";
import type { HttpClient } from "../../runtime/mod.ts";

export interface SearchConnection {
  readonly name: string;
  /** URLs without credentials and without a slash at the end, in the order of tries. */
  readonly hosts: readonly string[];
  readonly authorization?: string;
  /** Signs requests for Amazon OpenSearch Service; then there is no `authorization`. */
  readonly aws?: AwsSettings;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly verifyTls: boolean;
  readonly caCert?: PemSource;
  readonly clientCert?: PemSource;
  readonly clientKey?: PemSource;
  readonly proxy?: string | false;
  readonly migrationsEnabled: boolean;
  readonly onChange?: "reapply" | "fail";
  /** What a changed policy does to the indices that it already manages. @default "keep" */
  readonly policyChanges?: "keep" | "apply";
  /** Absent where live indices are not changed (reference 4.4.8). */
  readonly reindex?: ReindexSettings;
  /** By name; without any, files are sent byte for byte. */
  readonly placeholders?: Placeholders;
}

export type Placeholders = Readonly<Record<string, PlaceholderValue>>;

export interface PlaceholderValue {
  readonly data: ConfigValue;
  readonly json: string;
  readonly text?: string;
}

export interface AwsSettings {
  /** @default the environment variable `AWS_REGION` or `AWS_DEFAULT_REGION` */
  readonly region?: string;
  readonly service: "es";
  readonly error: (message: string) => Error;
}

/** Keys that sign requests to Amazon OpenSearch Service, as providers of the AWS SDK give them. */
export interface AwsCredentials {
  /** `AKIA…`, or `ASIA…` of temporary ones. */
  readonly accessKeyId: string;
  /** It signs requests, and is never sent. */
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
  /** When they expire. @default the credentials do not expire */
  readonly expiration?: Date | undefined;
}

/** Gives credentials. It is called again shortly before they expire. */
export type AwsCredentialsProvider = () => AwsCredentials | Promise<AwsCredentials>;

export interface CredentialsOptions {
  /** @default the environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` */
  readonly credentials?: AwsCredentialsProvider;
  readonly variable?: (name: string) => string | undefined;
  readonly timeoutMs: number;
  readonly now?: () => number;
}

export interface ReindexSettings {
  /** The longest block of writes in milliseconds; `none` copies only an index that its owner has blocked. */
  readonly writePauseMs: number | "none";
  readonly requestsPerSecond?: number;
  readonly pipeline?: string;
  readonly oldIndices: "keep" | "delete";
}

export interface SearchEnvironment extends Omit<CredentialsOptions, "timeoutMs"> {
  readonly openClient: (connection: SearchConnection) => Promise<HttpClient>;
  readonly owner: string;
  readonly lockTimeoutMs: number;
  readonly onNotice: (message: string, file?: string) => void;
  /** Whether a run waits for work in the background of the cluster. @default true */
  readonly followTasks?: boolean;
  /** How long a lock lasts without a heartbeat, in milliseconds. @default 30000 */
  readonly leaseMs?: number;
}

export interface SearchFile extends LoadedFile {
  /** The text with filled placeholders; absent where it uses none. */
  readonly filled?: FilledText & { readonly source: string };
}

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

export interface SearchRequest {
  readonly method: string;
  /** Starts with a slash, encoded, with its query. */
  readonly path: string;
  readonly body?: string;
  /** @default "application/json" */
  readonly contentType?: string;
  readonly opaqueId?: string;
}
