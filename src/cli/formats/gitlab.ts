import { type Finding, withFingerprints } from "./finding.ts";

/** An entry of GitLab's Code Quality report. */
export interface CodeQualityIssue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: "info" | "major" | "critical";
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const SEVERITIES = { error: "critical", warning: "major", notice: "info" } as const;

/** @param fallback the path of findings without a file, as GitLab requires one */
export async function gitlabReport(
  findings: readonly Finding[],
  fallback: string,
): Promise<readonly CodeQualityIssue[]> {
  return (await withFingerprints(findings)).map((finding) => {
    const { severity, rule, message, file = fallback, line = 1, fingerprint } = finding;
    return {
      description: message,
      check_name: rule,
      fingerprint,
      severity: SEVERITIES[severity],
      location: { path: file, lines: { begin: line } },
    };
  });
}
