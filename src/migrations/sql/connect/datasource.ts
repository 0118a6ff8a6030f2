import type { Secret } from "./secret.ts";
import type { TlsSettings } from "./tls.ts";

export interface Datasource {
  /** Of a tenant: `shop[acme]`. */
  readonly name: string;
  /** The name in the records of a tenant, which are the same in every tenant. @default `name` */
  readonly recordedAs?: string;
  /** PostgreSQL: the schema of a tenant, which has a lock of its own. */
  readonly tenantSchema?: string;
  /** The tenants that files are applied to. @default none: the database itself */
  readonly each?: Each;
  /** Whose SQL it has, see `Engine`. */
  readonly kind: string;
  /** @default `kind` */
  readonly engine?: string;
  /** Name of the database; for SQLite and PGlite an absolute path, or `:memory:`. */
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
    /** What is done about what is dangerous to apply. @default "off" */
    readonly lint?: "warn" | "error" | "off";
    readonly lintFrom?: string;
    /** Values for `${name}` in files; other names stay as they are. */
    readonly placeholders: Readonly<Record<string, string>>;
    readonly schemaFile?: string;
    /** Names of objects that `drift` leaves out, with `*` for any characters. @default none */
    readonly driftIgnore?: readonly string[];
  };
}

/** `migrations.each`: either a query or a list, whose items have a URL if they are not schemas. */
export interface Each {
  readonly of: "schemas" | "urls";
  readonly query: string | undefined;
  readonly listed: Listed;
  readonly parallel: number;
  readonly shared: readonly string[];
  at(url: string): Datasource;
  error(message: string, key?: "shared" | "parallel"): Error;
}

export type Listed = readonly (readonly [name: string | undefined, url?: string])[];

export const LOCK_TIMEOUT_MS = 5000;

/** The first schema of a `search_path`, which folds the case of names without quotes; `$user` names none. */
export function firstSchema(searchPath: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^\s*(?:"((?:[^"]|"")+)"|([^\s",$]+))\s*(?:,|$)/.exec(searchPath ?? "") ??
      [];
  return quoted === "$user" ? undefined : quoted?.replaceAll('""', '"') ?? plain?.toLowerCase();
}
