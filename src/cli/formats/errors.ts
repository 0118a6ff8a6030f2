import { loadConfig } from "../../config/load.ts";
import { listKey } from "../../migrations/commands.ts";
import { InvalidFilesError } from "../../migrations/runner/mod.ts";
import { resolve } from "../../runtime/path.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { exitCodeOf } from "../exit_code_of.ts";
import { EXIT } from "../exit_codes.ts";
import type { GlobalOptions } from "../types.ts";
import type { Finding } from "./finding.ts";
import { type Place, Places } from "./places.ts";
import { printReport } from "./print.ts";

/** Prints the report of a command that fails without a result. */
export async function printFailure(
  runtime: Runtime,
  globals: GlobalOptions,
  command: string,
  error: unknown,
): Promise<void> {
  const only = [listKey(globals.type)];
  const load = async () => {
    return new Places(globals, await loadConfig({ runtime, directory: globals.config, only }));
  };
  const places = await load().catch(() => new Places(globals, undefined));
  const findings = errorFindings(places, error);
  const isThere = async ({ file }: Finding) =>
    file !== undefined && await runtime.files.stat(resolve(runtime.cwd(), file)) !== undefined;
  const shown = await Promise.all(findings.map(async (finding) => {
    if (await isThere(finding)) return finding;
    // Such as the name of an environment variable.
    const { file: _, line: __, column: ___, ...rest } = finding;
    return rest;
  }));
  await printReport(runtime, globals, { command, findings: shown });
}

/** @param connection the one that failed, if the error does not name it */
export function errorFindings(
  places: Places,
  error: unknown,
  connection?: string,
): readonly Finding[] {
  if (!(error instanceof Error) || exitCodeOf(error) === EXIT.unexpected) {
    return [{ severity: "error", rule: "unexpected-error", message: String(error) }];
  }
  if (error instanceof InvalidFilesError) {
    return places.problems(error.connection ?? connection ?? "", error.problems);
  }
  const { line, column, source } = error as Partial<Finding>;
  const [message = "", ...advice] = messageOf(error).split("\n");
  return [{
    severity: "error",
    rule: error.name.replace(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase(),
    message,
    ...advice.length > 0 && { advice },
    ...placeOf(places, error, connection),
    ...line !== undefined && { line },
    ...column !== undefined && { column },
    ...source !== undefined && { source },
  }];
}

/** Without its place, which formats have apart. */
function messageOf(error: Error): string {
  const { message, file } = error as Error & { readonly file?: string };
  if (file === undefined || !message.startsWith(file)) return message;
  return message.slice(file.length).replace(/^(?::\d+)*: /, "");
}

function placeOf(places: Places, error: Error, failed?: string): Place {
  const { connection, file } = error as Partial<Record<"connection" | "file", string>>;
  if (file !== undefined) {
    return { file: connection === undefined ? file : places.file(connection, file) };
  }
  const name = connection ?? failed;
  if (name !== undefined) return places.connection(name);
  // A module that cannot be imported.
  const { path } = Object(error.cause) as { readonly path?: unknown };
  return typeof path === "string" ? { file: path } : {};
}
