import type { Offering } from "../../runner/mod.ts";
import type { Secret } from "./secret.ts";
import type { TlsSettings } from "./tls.ts";

export interface Datasource extends Offering {
  /** The name of a tenant has the form `shop[acme]`. */
  readonly name: string;
  /** The name in the records of a tenant, which are the same in every tenant. @default `name` */
  readonly recordedAs?: string;
  /** Names of tables that are there before the first file. @default none */
  readonly tablesBefore?: readonly string[];
  /** PostgreSQL: the schema of a tenant, which has a lock of its own. */
  readonly tenantSchema?: string;
  /** Whose SQL it has, see `Engine`. */
  readonly kind: string;
  /** @default `kind` */
  readonly engine?: string;
  /** Name of the database; for embedded engines an absolute path, or `:memory:`; empty where only a binding leads to it. */
  readonly database: string;
  /** Name or address, or the absolute path of a socket (MySQL) or of its folder (PostgreSQL). */
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: Secret;
  /** PostgreSQL's `search_path`, where the URL sets it. */
  readonly schema?: string;
  /** PostgreSQL: the schema of the history table; by default the first existing one of the `search_path`. */
  readonly historySchema?: string;
  readonly tls?: TlsSettings;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs?: number;
  readonly migrations: {
    readonly enabled: boolean;
    /** PostgreSQL: how long a statement of a file that is one transaction may wait for a lock, in milliseconds. */
    readonly lockTimeoutMs?: number;
    readonly onChange: "fail" | "reapply";
    readonly folder?: string;
    /** Values for `${name}` in files; other names stay as they are. */
    readonly placeholders: Readonly<Record<string, string>>;
  };
}

/** Where a datasource or a connection of the application leads. */
export interface Address extends Pick<Datasource, "kind" | "engine"> {
  /** Name of the database; for embedded engines the path as written, or `:memory:`. */
  readonly database: string;
  readonly host?: string;
  readonly port?: number;
  readonly username?: string;
  readonly password?: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export type AddressDetails = Omit<Address, "kind" | "engine">;

export const LOCK_TIMEOUT_MS = 5000;

/** The first schema of a `search_path`, which folds the case of names without quotes; `$user` names none. */
export function firstSchema(searchPath: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^\s*(?:"((?:[^"]|"")+)"|([^\s",$]+))\s*(?:,|$)/.exec(searchPath ?? "") ??
      [];
  return quoted === "$user" ? undefined : quoted?.replaceAll('""', '"') ?? plain?.toLowerCase();
}
