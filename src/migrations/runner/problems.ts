import { describeOrigin, excerpt, printable } from "../../text/mod.ts";
import type { FileProblem } from "./results.ts";

export function describeProblem(problem: FileProblem, connection?: string): string {
  const folder = connection === undefined ? "" : `${connection}/`;
  const place = describeOrigin({ ...problem, file: folder + printable(problem.path) });
  const rule = problem.rule === undefined ? "" : ` (${problem.rule})`;
  const { measured = [], advice: lines = [] } = problem;
  const advice = [...measured, ...lines].map((line) => `  ${line}`);
  return [`${place}: ${printable(problem.message)}${rule}`, ...excerpt(problem), ...advice].join(
    "\n",
  );
}

export function isDanger({ severity }: FileProblem): boolean {
  return severity === "error";
}

/** `shop` of `shop[acme]` and of `shop[acme and 2 more]`. */
export function withoutPart(connection: string, part = ""): string {
  return connection.slice(0, connection.lastIndexOf(`[${part}`));
}

/** `shop[acme and 2 more]` of `shop[acme]`. */
export function partsName(first: string, others: number): string {
  return others === 0 ? first : first.replace(/\]$/, ` and ${others} more]`);
}
