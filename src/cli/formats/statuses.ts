/** The report of `status`. */
import type { Finding as Found } from "../../migrations/commands.ts";
import { type ConnectionStatus, type FileStatus, isAtWork } from "../../migrations/runner/mod.ts";
import { count } from "../report.ts";
import { errorFindings } from "./errors.ts";
import type { Finding, Report, Section } from "./finding.ts";
import type { Notice, Places } from "./places.ts";

type Unsettled = Exclude<FileStatus["state"], "applied">;

const MESSAGES: Readonly<Record<Unsettled, readonly [Finding["severity"], string]>> = {
  pending: ["notice", "The file is not applied yet"],
  changed: ["warning", "The file was changed after it was applied"],
  interrupted: [
    "error",
    "A run stopped in this file: 'status' says how far, 'resolve' resolves it",
  ],
  missing: ["notice", "The file was applied, and does not exist any more"],
};

/** @param isChecked whether a pending or changed file makes the command fail */
export function statusReport(
  places: Places,
  notices: readonly Notice[],
  found: readonly Found<ConnectionStatus | Error>[],
  isChecked: boolean,
): Report {
  return {
    command: "status",
    findings: [
      ...found.flatMap(({ connection, found }) =>
        found instanceof Error
          ? errorFindings(places, found, connection)
          : found.files.flatMap((file) => unsettled(places, connection, file, isChecked))
      ),
      ...places.notices(notices),
    ],
    sections: found.flatMap(({ connection, found }) =>
      found instanceof Error ? [] : [sectionOf(connection, found)]
    ),
  };
}

function unsettled(
  places: Places,
  connection: string,
  { state, file }: FileStatus,
  isChecked: boolean,
): readonly Finding[] {
  if (state === "applied") return [];
  const [usual, message] = MESSAGES[state];
  const severity = isChecked && state !== "missing" ? "error" : usual;
  return [{ severity, rule: `${state}-file`, message, file: places.file(connection, file) }];
}

function sectionOf(connection: string, { files, lockedBy }: ConnectionStatus): Section {
  const holder = lockedBy?.owner;
  const text = files.map(({ state, file, executedAt, executedBy, known }) => {
    const facts = [executedAt?.toISOString(), executedBy && `by ${executedBy}`, known];
    return [state.padEnd(11), file, ...facts.filter((fact) => fact !== undefined)].join("  ");
  }).join("\n");
  return {
    title: connection,
    result: count(files.length, "file"),
    notes: holder === undefined
      ? []
      : [isAtWork(lockedBy) ? `Another run is at work: ${holder}` : `Expired lock of ${holder}`],
    parts: text === "" ? [] : [{ blocks: [{ language: "text", text }] }],
  };
}
