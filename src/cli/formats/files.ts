import type { Config, ConfigError } from "../../config/mod.ts";
import { type Finding as Found, listKey } from "../../migrations/commands.ts";
import type { FileProblem, PlannedRun, PlanNotice } from "../../migrations/runner/mod.ts";
import { join } from "../../runtime/path.ts";
import type { GlobalOptions } from "../types.ts";
import type { Finding } from "./finding.ts";

/** Where files of connections are, and where the configuration declares the connections. */
export class Places {
  readonly #declared: ReadonlyMap<string, Pick<Finding, "file" | "line">>;

  constructor(private readonly options: GlobalOptions, config?: Config) {
    this.#declared = new Map(
      config?.sections(listKey(options.type)).map((section) => {
        const { file, line } = section.error("name", "") as ConfigError;
        return [section.string("name", ""), { file, line }];
      }),
    );
  }

  file(connection: string, path: string): string {
    return join(this.options.sqlPath, this.#folderOf(connection), path);
  }

  connection(name: string): Pick<Finding, "file" | "line"> {
    return this.#declared.get(this.#folderOf(name)) ?? {};
  }

  /** `shop[acme]` is a tenant of `shop`, unless a connection has this name. */
  #folderOf(connection: string): string {
    if (this.#declared.has(connection)) return connection;
    const names = [...this.#declared.keys()];
    return names.find((name) => connection.startsWith(`${name}[`)) ?? connection;
  }
}

export function problemFindings(
  places: Places,
  connection: string,
  problems: readonly FileProblem[],
): readonly Finding[] {
  return problems.map(({ path, undoes: _, ...problem }) => ({
    rule: problem.severity === "error" ? "invalid-file" : "doubtful-file",
    ...problem,
    file: places.file(connection, path),
  }));
}

/** Notices about files; those about a whole connection, which may contain measured values, are only in the text. */
export function noticeFindings(
  places: Places,
  connection: string,
  notices: readonly PlanNotice[],
): readonly Finding[] {
  return notices.flatMap(({ file, message, problem }) => {
    if (problem) return problemFindings(places, connection, [problem]);
    if (file === undefined) return [];
    return [{ severity: "notice", rule: "notice", message, file: places.file(connection, file) }];
  });
}

export function planFindings(
  places: Places,
  found: readonly Found<PlannedRun>[],
): readonly Finding[] {
  return found.flatMap(({ connection, found: { steps, notices, dangers = [] } }) => [
    ...problemFindings(places, connection, [
      ...steps.flatMap(({ findings = [] }) => findings),
      ...dangers.map((danger) => ({ rule: "confirmation-required", ...danger })),
    ]),
    ...noticeFindings(places, connection, notices),
  ]);
}
