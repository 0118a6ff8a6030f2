import type { Config, ConfigError } from "../../config/mod.ts";
import { listKey } from "../../migrations/commands.ts";
import type { FileProblem, RunEvent } from "../../migrations/runner/mod.ts";
import { join } from "../../runtime/path.ts";
import type { GlobalOptions } from "../types.ts";
import type { Finding } from "./finding.ts";

export type Place = Pick<Finding, "file" | "line">;
export type Notice = RunEvent & { readonly type: "notice" };

/** Where findings are: in the files of connections, or where the configuration declares a connection. */
export class Places {
  readonly #sqlPath: string;
  readonly #declared: ReadonlyMap<string, Place>;

  /** @throws {ConfigError} if the list of connections is invalid */
  constructor({ type, sqlPath }: GlobalOptions, config: Config | undefined) {
    this.#sqlPath = sqlPath;
    this.#declared = new Map(
      config?.sections(listKey(type)).map((section) => {
        const { file, line } = section.error("name", "") as ConfigError;
        return [section.string("name", ""), { ...file && { file }, ...line && { line } }];
      }),
    );
  }

  /** A file below the folder of a connection, which may be that of a tenant. */
  file(connection: string, path: string): string {
    return join(this.#sqlPath, this.#folderOf(connection), path);
  }

  connection(name: string): Place {
    return this.#declared.get(this.#folderOf(name)) ?? {};
  }

  problems(connection: string, problems: readonly FileProblem[]): readonly Finding[] {
    return problems.map(({ path, undoes: _, ...problem }) => ({
      rule: problem.severity === "error" ? "invalid-file" : "doubtful-file",
      ...problem,
      file: this.file(connection, path),
    }));
  }

  /** Notices of a run about files; others may contain measured values, and are in sections only. */
  notices(notices: readonly Notice[]): readonly Finding[] {
    return notices.flatMap(({ connection, file, message, problem }) => {
      if (problem) return this.problems(connection, [problem]);
      if (file === undefined) return [];
      return [{ severity: "notice", rule: "notice", message, file: this.file(connection, file) }];
    });
  }

  /** `shop[acme]` is a tenant of `shop`, unless a connection has this name. */
  #folderOf(connection: string): string {
    if (this.#declared.has(connection)) return connection;
    return [...this.#declared.keys()].find((name) => connection.startsWith(`${name}[`)) ??
      connection;
  }
}
