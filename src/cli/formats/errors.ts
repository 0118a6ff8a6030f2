import { loadConfig } from "../../config/load.ts";
import { listKey } from "../../migrations/commands.ts";
import { InvalidFilesError } from "../../migrations/runner/mod.ts";
import { resolve } from "../../runtime/path.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { exitCodeOf } from "../exit_code_of.ts";
import { EXIT } from "../exit_codes.ts";
import type { GlobalOptions } from "../types.ts";
import { Places, problemFindings } from "./files.ts";
import type { Finding } from "./finding.ts";
import { printReport } from "./print.ts";

export async function printFailure(
  runtime: Runtime,
  globals: GlobalOptions,
  error: unknown,
): Promise<void> {
  const only = [listKey(globals.type)];
  const places = await loadConfig({ runtime, directory: globals.config, only })
    .then((config) => new Places(globals, config)).catch(() => new Places(globals));
  const findings = await Promise.all(
    errorFindings(places, error).map(async (finding) => {
      const path = finding.file && resolve(runtime.cwd(), finding.file);
      // The origin of a value may also be an environment variable.
      if (path && await runtime.files.stat(path)) return finding;
      return { ...finding, file: undefined, line: undefined, column: undefined };
    }),
  );
  await printReport(runtime, globals, { findings, sections: [] });
}

/** @param failed the connection, if the error does not name it */
export function errorFindings(places: Places, error: unknown, failed?: string): readonly Finding[] {
  if (!(error instanceof Error) || exitCodeOf(error) === EXIT.unexpected) {
    return [{ severity: "error", rule: "unexpected-error", message: String(error) }];
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
  return [{ severity: "error", rule, message, advice, source, ...place }];
}

/** Where an error is, as far as its class knows. */
interface ErrorPlace extends Error, Pick<Finding, "file" | "line" | "column" | "source"> {
  readonly connection?: string;
}
