import { nearest, quoted } from "../../../text/mod.ts";
import type { FileProblem } from "../../runner/mod.ts";
import type { SqlMigration } from "../types.ts";
import { type Finding, isRule, RULES } from "./rules.ts";

/**
 * Findings that nothing allows, and what is wrong with what allows them.
 *
 * @param isComplete whether everything is found that there may be: else what allows nothing is not told of
 */
export function withoutAllowed(
  { file: { path }, script, allowances }: SqlMigration,
  findings: readonly Finding[],
  isComplete: boolean,
): { readonly findings: readonly Finding[]; readonly problems: readonly FileProblem[] } {
  const used = new Set<typeof allowances[number]>();
  const left = findings.filter(({ rule, statement }) => {
    const matching = allowances.filter((allowance) => {
      return allowance.rule === rule && (allowance.statement ?? statement) === statement;
    });
    for (const allowance of matching) used.add(allowance);
    return matching.length === 0;
  });
  const problems = allowances.flatMap((allowance): FileProblem[] => {
    const { rule, at, statement } = allowance;
    const place = { path, ...script.locate(at) };
    if (!isRule(rule)) return [{ severity: "error", message: unknown(rule), ...place }];
    if (!isComplete || used.has(allowance)) return [];
    const where = statement === undefined ? "the file" : "the following statement";
    const message = `Unused 'allow': the rule '${rule}' finds nothing in ${where}`;
    return [{ severity: "warning", message, ...place }];
  });
  // One is enough of what each statement behind the first lock does.
  const once = left.find(({ rule }) => rule === "locks-add-up");
  return {
    findings: left.filter((finding) => finding.rule !== "locks-add-up" || finding === once),
    problems,
  };
}

function unknown(rule: string): string {
  const near = nearest(rule, RULES);
  const hint = near.length > 0 ? `Did you mean ${quoted(near)}?` : "The guide lists all rules";
  return `Unknown rule '${rule}'. ${hint}`;
}
