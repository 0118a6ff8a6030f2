import type { ConfigValue } from "../../config/mod.ts";
import type { FilledText } from "../../text/mod.ts";
import type {
  Features,
  LoadedFile,
  Migration,
  Offering,
  PemSource,
  SignerOptions,
} from "../runner/mod.ts";
import type { HttpClient } from "../../runtime/mod.ts";

export interface SearchConnection extends Offering {
  readonly name: string;
  /** URLs without credentials and without a slash at the end, in the order of tries. */
  readonly hosts: readonly string[];
  readonly authorization?: string;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly verifyTls: boolean;
  readonly caCert?: PemSource;
  readonly clientCert?: PemSource;
  readonly clientKey?: PemSource;
  readonly proxy?: string | false;
  readonly migrationsEnabled: boolean;
  readonly onChange?: "reapply" | "fail";
  /** Whether files change indices that exist, by a feature. @default false (reference 4.4.8) */
  readonly changesIndices?: boolean;
  /** By name; without any, files are sent byte for byte. */
  readonly placeholders?: Placeholders;
}

export interface Host {
  readonly url: string;
  readonly credentials?: string;
}

export type Placeholders = Readonly<Record<string, PlaceholderValue>>;

export interface PlaceholderValue {
  readonly data: ConfigValue;
  readonly json: string;
  readonly text?: string;
}

export interface SearchEnvironment extends Omit<SignerOptions, "timeoutMs"> {
  readonly features: Features;
  readonly openClient: (connection: SearchConnection) => Promise<HttpClient>;
  readonly owner: string;
  readonly lockTimeoutMs: number;
  readonly onNotice: (message: string, file?: string) => void;
  /** Whether a run waits for work in the background of the cluster. @default true */
  readonly followTasks?: boolean | undefined;
  /** How long a lock lasts without a heartbeat, in milliseconds. @default 30000 */
  readonly leaseMs?: number;
}

export interface SearchFile extends LoadedFile {
  /** The text with filled placeholders; absent where it uses none. */
  readonly filled?: FilledText & { readonly source: string };
}

export interface SearchMigration extends Migration {
  /** `template`, `policy`, `index`, `request`, or the ending of a kind. */
  readonly kind: string;
  readonly request: SearchRequest;
  readonly transactional: false;
}

export interface SearchRequest {
  readonly method: string;
  /** Starts with a slash, encoded, with its query. */
  readonly path: string;
  readonly body?: string;
  /** @default "application/json" */
  readonly contentType?: string;
  readonly opaqueId?: string;
}
