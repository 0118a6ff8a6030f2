import type { Features, Migration, Offering, PemSource, SignerOptions } from "../runner/mod.ts";
import type { HttpClient } from "../../runtime/mod.ts";
import type { JsonFile } from "./files/json_file.ts";
import type { Placeholders } from "./files/placeholders.ts";

export interface SearchConnection extends Offering {
  readonly name: string;
  /** The name in the records of a cluster of a fleet, whose own name is `logs[eu1]`. @default `name` */
  readonly recordedAs?: string;
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
  /** Whether policies also manage indices that exist, by a feature. @default false */
  readonly attachesPolicies?: boolean;
  /** By name; without any, files are sent byte for byte. */
  readonly placeholders?: Placeholders;
}

export interface Host {
  readonly url: string;
  readonly credentials?: string;
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

export interface SearchMigration extends Migration {
  /** `template`, `policy`, `index`, `request`, or the ending of a kind. */
  readonly kind: string;
  /** Its content as it was read, for checks that name places in it. */
  readonly json: JsonFile;
  readonly request: SearchRequest;
  readonly transactional: false;
}

/** The content of a file decides these members. */
export type Classified = Pick<SearchMigration, "kind" | "resource" | "request" | "repeatSafe">;

export interface SearchRequest {
  readonly method: string;
  /** Starts with a slash, encoded, with its query. */
  readonly path: string;
  readonly body?: string;
  /** @default "application/json" */
  readonly contentType?: string;
  readonly opaqueId?: string;
}
