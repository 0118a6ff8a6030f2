export interface GlobalOptions {
  /** `-c`: directory of the configuration. */
  readonly config: string;
  readonly sqlPath: string;
  readonly type: "sql" | "search";
  readonly connection?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
  /** `--lock-timeout`: seconds to wait for another run. */
  readonly lockTimeout?: number;
  /** `--wait`: seconds to wait for a server to start. */
  readonly wait?: number;
  readonly noWait?: boolean;
  readonly yes?: boolean;
}
