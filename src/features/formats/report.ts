import type { Finding, Section } from "../../cli/mod.ts";
import { compareCodePoints, partsName } from "../../migrations/runner/mod.ts";
import { hexDigest } from "../../text/mod.ts";

export type Format = "github" | "gitlab" | "sarif" | "markdown";

export interface Report {
  readonly command: string;
  readonly findings: readonly Finding[];
  readonly sections: readonly Section[];
}

export const SEVERITIES: readonly Finding["severity"][] = ["error", "warning", "notice"];

/** The worst first, then by place; what several parts have counts once. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(
    findings,
    (finding) => JSON.stringify({ ...finding, measured: undefined, part: undefined }),
  );
  return [...groups.values()].map(oneOf).sort((a, b) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareCodePoints(a.file ?? "", b.file ?? "") ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareCodePoints(`${a.rule} ${a.message}`, `${b.rule} ${b.message}`)
  );
}

/** The message names parts, the fingerprint does not depend on them. */
function oneOf(equal: readonly Finding[]): Finding {
  const { part, ...finding } = equal[0]!;
  const parts = new Set(equal.map(({ part }) => part));
  const measured = [...new Set(equal.flatMap(({ measured = [] }) => measured))];
  const own = { ...finding, ...measured.length > 0 && { measured } };
  if (part === undefined) return own;
  const { message, source = message } = finding;
  return { ...own, message: `${partsName(part, parts.size - 1)}: ${message}`, source };
}

/** A fingerprint is the SHA-256 of the rule, the file, the text at the place, and how many before it have the same. */
export async function withFingerprints(
  findings: readonly Finding[],
): Promise<readonly (Finding & { readonly fingerprint: string })[]> {
  const counts = new Map<string, number>();
  return await Promise.all(findings.map(async (finding) => {
    const { rule, file, source, message } = finding;
    const key = JSON.stringify([rule, file, (source ?? message).trim()]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return { ...finding, fingerprint: await hexDigest(`${key} ${count}`) };
  }));
}
