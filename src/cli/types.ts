/** Options that every command takes, as the command line gave them. */
export interface GlobalOptions {
  /** `-c`: directory of the configuration. */
  readonly config: string;
  /** `--sqlPath`: folder that holds a folder of migrations for each connection. */
  readonly sqlPath: string;
  /** `-m`: which kind of migrations. */
  readonly type: "sql" | "search";
  /** `--connection`: only this one. */
  readonly connection?: string;
  /** `-v`: also which files are ignored. */
  readonly verbose?: boolean;
  /** `--json`: one result document on stdout. */
  readonly json?: boolean;
  /** `--lock-timeout`: seconds to wait for another run. */
  readonly lockTimeout?: number;
  /** `--wait`: seconds to wait for a server to come up. */
  readonly wait?: number;
  /** `--no-wait`: work in the background of a cluster is not followed to its end. */
  readonly noWait?: boolean;
  /** `--yes`: what nobody can take back is agreed to. */
  readonly yes?: boolean;
}
