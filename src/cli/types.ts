/** Options that every command takes. */
export interface GlobalOptions {
  /** `-c`: directory of the configuration. */
  readonly config: string;
  /** `--sqlPath`: folder with one subfolder of migrations per connection. */
  readonly sqlPath: string;
  /** `-m`: kind of migrations. */
  readonly type: "sql" | "search";
  /** `--connection`: only this one. */
  readonly connection?: string;
  /** `-v`: also list ignored files. */
  readonly verbose?: boolean;
  /** `--json`: print one JSON document on stdout. */
  readonly json?: boolean;
  /** `--lock-timeout`: seconds to wait for another run. */
  readonly lockTimeout?: number;
  /** `--wait`: seconds to wait for a server to start. */
  readonly wait?: number;
  /** `--no-wait`: do not wait for background tasks of the cluster. */
  readonly noWait?: boolean;
  /** `--yes`: confirm irreversible changes. */
  readonly yes?: boolean;
}
