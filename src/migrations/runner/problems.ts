import { excerpt, printable } from "../../text/mod.ts";
import type { FileProblem } from "./results.ts";

/** The problem as people read it: place, message, the line with a caret below the column. */
export function describeProblem(problem: FileProblem, connection?: string): string {
  const folder = connection === undefined ? "" : `${connection}/`;
  const place = [folder + printable(problem.path), problem.line, problem.column]
    .filter((part) => part !== undefined);
  return [`${place.join(":")}: ${problem.message}`, ...excerpt(problem)].join("\n");
}
