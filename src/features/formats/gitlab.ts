import type { Finding } from "../../cli/mod.ts";
import { withFingerprints } from "./report.ts";

const SEVERITIES = { error: "critical", warning: "major", notice: "info" } as const;

/** A Code Quality report. @param fallback the path of findings without a file, as GitLab requires one */
export async function gitlabReport(
  findings: readonly Finding[],
  fallback: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await withFingerprints(findings)).map((finding) => {
    const { message, rule, fingerprint, severity, file = fallback, line = 1 } = finding;
    return {
      description: message,
      check_name: rule,
      fingerprint,
      severity: SEVERITIES[severity],
      location: { path: file, lines: { begin: line } },
    };
  });
}
