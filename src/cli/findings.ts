/** Findings in files and connections, in the form that a reporter prints. */
import { loadConfig } from "../config/load.ts";
import type { Config, ConfigError } from "../config/mod.ts";
import { type Finding as Found, foldersOf, listKey } from "../migrations/commands.ts";
import {
  type ConnectionStatus,
  type FeatureEntry,
  type FileProblem,
  type FileStatus,
  InvalidFilesError,
  type PlannedRun,
  type PlanNotice,
  type RunEvent,
} from "../migrations/runner/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import { join, resolve } from "../runtime/path.ts";
import { exitCodeOf } from "./exit_code_of.ts";
import { EXIT } from "./exit_codes.ts";
import type { GlobalOptions } from "./globals.ts";

/** The same on each run, apart from {@linkcode Finding.measured}. */
export interface Finding {
  readonly severity: "error" | "warning" | "notice";
  /** The rule that found it, such as `adding-primary-key`. */
  readonly rule: string;
  /** A sentence without its final period. */
  readonly message: string;
  readonly advice?: readonly string[];
  /** Absolute, or relative to the working directory; in a report below the root of the repository, with `/`. */
  readonly file?: string;
  readonly line?: number;
  /** In characters. Lines and columns are 1-based. */
  readonly column?: number;
  /** The text at the place, which stays the same when its line moves. @default the message */
  readonly source?: string;
  readonly part?: string;
  /** Sizes of tables, which only the summary shows. */
  readonly measured?: readonly string[];
}

/** Where files of connections are, and where the configuration declares the connections. */
export class Places {
  readonly #declared: ReadonlyMap<string, Pick<Finding, "file" | "line">>;

  /** @param folders of the files, by connections @default below the folder of all of them */
  constructor(
    private readonly options: Pick<GlobalOptions, "sqlPath" | "type">,
    config?: Config,
    private readonly folders: Readonly<Record<string, string>> = {},
  ) {
    this.#declared = new Map(
      config?.sections(listKey(options.type)).map((section) => {
        const { file, line } = section.error("name", "") as ConfigError;
        return [section.string("name", ""), { file, line }];
      }),
    );
  }

  file(connection: string, path: string): string {
    const name = this.#nameOf(connection);
    return this.folders[`${connection}/${path}`] ??
      join(this.folders[name] ?? join(this.options.sqlPath, name), path);
  }

  at(connection: string, path: string): Pick<Finding, "file" | "part"> {
    return { file: this.file(connection, path), ...this.part(connection) };
  }

  part(connection = ""): Pick<Finding, "part"> {
    return this.#nameOf(connection) === connection ? {} : { part: connection };
  }

  connection(name: string): Pick<Finding, "file" | "line"> {
    return this.#declared.get(this.#nameOf(name)) ?? {};
  }

  /** `shop[acme]` is a part of `shop`, unless a connection has this name. */
  #nameOf(connection: string): string {
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
    ...places.at(connection, path),
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
    return [{ severity: "notice", rule: "notice", message, ...places.at(connection, file) }];
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

const STATES: Readonly<
  Record<Exclude<FileStatus["state"], "applied">, Pick<Finding, "severity" | "message">>
> = {
  pending: { severity: "notice", message: "The file is not applied yet" },
  changed: { severity: "warning", message: "The file was changed after it was applied" },
  interrupted: {
    severity: "error",
    message: "A run stopped in this file: 'status' says what is known, 'resolve' resolves it",
  },
  missing: { severity: "notice", message: "The file was applied and does not exist any more" },
};

export function statusFindings(
  places: Places,
  found: readonly Found<ConnectionStatus | Error>[],
  isChecked: boolean,
): readonly Finding[] {
  return found.flatMap(({ connection, found }) => {
    if (found instanceof Error) return errorFindings(places, found, connection);
    return found.files.flatMap(({ state, file }): readonly Finding[] => {
      if (state === "applied") return [];
      const fails = isChecked && state !== "missing" && { severity: "error" as const };
      const place = { rule: `${state}-file`, ...places.at(connection, file) };
      return [{ ...STATES[state], ...fails, ...place }];
    });
  });
}

export type Notice = RunEvent & { readonly type: "notice" };

/** @param failed the connection, if the error does not name it */
export function errorFindings(places: Places, error: unknown, failed?: string): readonly Finding[] {
  if (!(error instanceof Error) || exitCodeOf(error) === EXIT.unexpected) {
    const finding = { rule: "unexpected-error", message: String(error), ...places.part(failed) };
    return [{ severity: "error", ...finding }];
  }
  // On Bun, hidden properties of an error are its place in the program.
  const { connection, file, line, column, source }: ErrorPlace = { ...error };
  if (error instanceof InvalidFilesError) {
    return problemFindings(places, connection ?? failed ?? "", error.problems);
  }
  // Formats show the place apart.
  const text = file && error.message.startsWith(`${file}:`)
    ? error.message.slice(file.length).replace(/^(?::\d+)*: /, "")
    : error.message;
  const [message = "", ...advice] = text.split("\n");
  const name = connection ?? failed;
  const module = Object(error.cause).path;
  const place = file !== undefined
    ? { file: connection === undefined ? file : places.file(connection, file), line, column }
    : name !== undefined
    ? places.connection(name)
    : { file: typeof module === "string" ? module : undefined };
  const rule = error.name.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  return [{ severity: "error", rule, message, advice, source, ...place, ...places.part(name) }];
}

interface ErrorPlace extends Error, Pick<Finding, "file" | "line" | "column" | "source"> {
  readonly connection?: string;
}

export async function failureFindings(
  runtime: Runtime,
  globals: GlobalOptions,
  features: readonly FeatureEntry[],
  error: unknown,
): Promise<readonly Finding[]> {
  const only = [listKey(globals.type)];
  const { config: directory, sqlPath, type } = globals;
  const places = await loadConfig({ runtime, directory, only }).then(async (config) => {
    const folders = await foldersOf(type, { config, runtime, sqlPath, features }).catch(() => ({}));
    return new Places(globals, config, folders);
  }).catch(() => new Places(globals));
  return await Promise.all(
    errorFindings(places, error).map(async (finding) => {
      const path = finding.file && resolve(runtime.cwd(), finding.file);
      // The origin of a value may also be an environment variable.
      if (path && await runtime.files.stat(path)) return finding;
      return { ...finding, file: undefined, line: undefined, column: undefined };
    }),
  );
}
