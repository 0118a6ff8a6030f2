import type { CommandName } from "./program.ts";

export interface GlobalOptions {
  readonly command?: CommandName;
  readonly config: string;
  readonly sqlPath: string;
  readonly type: "sql" | "search";
  readonly connection?: string;
  readonly only?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly format?: "github" | "gitlab" | "sarif" | "markdown";
  readonly lockTimeout?: number;
  readonly wait?: number;
  readonly noWait?: boolean;
  readonly yes?: boolean;
}
