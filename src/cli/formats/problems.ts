/** Reports of `validate` and `plan`. */
import type { Finding as Found } from "../../migrations/commands.ts";
import type {
  Difference,
  FileProblem,
  PlannedRun,
  PlannedStep,
} from "../../migrations/runner/mod.ts";
import { count, describeDifferences } from "../report.ts";
import { PLAIN } from "../screen.ts";
import type { Finding, Part, Report } from "./finding.ts";
import type { Notice, Places } from "./places.ts";

interface Checked {
  readonly files: number;
  readonly problems: readonly FileProblem[];
}

export function validationReport(
  places: Places,
  notices: readonly Notice[],
  found: readonly Found<Checked>[],
): Report {
  return {
    command: "validate",
    findings: [
      ...found.flatMap(({ connection, found }) => places.problems(connection, found.problems)),
      ...places.notices(notices),
    ],
    sections: found.map(({ connection, found: { files, problems } }) => ({
      title: connection,
      result: `${count(files, "file")}, ${count(problems.length, "problem")}`,
      notes: notesOf(connection, notices),
    })),
  };
}

export function planReport(
  places: Places,
  notices: readonly Notice[],
  found: readonly Found<PlannedRun>[],
): Report {
  return {
    command: "plan",
    findings: [
      ...found.flatMap(({ connection, found }) => planned(places, connection, found)),
      ...places.notices(notices),
    ],
    sections: found.map(({ connection, found: { steps, notices: own } }) => ({
      title: connection,
      result: `${steps.length} to apply`,
      notes: [
        ...notesOf(connection, notices),
        ...own.filter(({ file }) => file === undefined).map(({ message }) => message),
      ],
      parts: steps.map(partOf),
    })),
  };
}

function planned(
  places: Places,
  connection: string,
  { steps, notices, dangers = [] }: PlannedRun,
): readonly Finding[] {
  const needsYes = dangers.map((danger) => ({ rule: "confirmation-required", ...danger }));
  return [
    ...places.problems(connection, steps.flatMap(({ findings = [] }) => findings)),
    ...places.problems(connection, needsYes),
    ...places.notices(notices.map((notice) => ({ type: "notice", connection, ...notice }))),
  ];
}

function notesOf(connection: string, notices: readonly Notice[]): readonly string[] {
  return notices.filter((notice) => notice.connection === connection && notice.file === undefined)
    .map(({ message }) => message);
}

function partOf(
  { file, kind, resource, requests, note, consequences = [], differences = [] }: PlannedStep,
): Part {
  const language = kind === "sql" ? "sql" : "http";
  return {
    title: `${file} (${kind} ${resource})`,
    notes: [...note === undefined ? [] : [note], ...consequences],
    blocks: [
      ...requests.length > 0 ? [{ language, text: requests.join("\n\n") } as const] : [],
      ...differenceBlock(differences),
    ],
  };
}

export function differenceBlock(differences: readonly Difference[]): NonNullable<Part["blocks"]> {
  const text = describeDifferences(differences, PLAIN).join("\n");
  return text === "" ? [] : [{ language: "diff", text }];
}
