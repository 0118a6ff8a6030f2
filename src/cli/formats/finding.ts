import { compareCodePoints, sha256 } from "../../migrations/runner/mod.ts";

/** The same on each run: what was measured is in {@linkcode Finding.measured} and in sections. */
export interface Finding {
  readonly severity: "error" | "warning" | "notice";
  /** What found it, such as `adding-primary-key`. */
  readonly rule: string;
  /** A sentence without its final period. */
  readonly message: string;
  /** What to do about it: lines of text. */
  readonly advice?: readonly string[];
  /** Absolute, or relative to the working directory. Absent if no file is concerned. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based, in characters. */
  readonly column?: number;
  /** The text at the place, which is the same when the line has moved. @default the message */
  readonly source?: string;
  /** Sizes of tables, for people only. */
  readonly measured?: readonly string[];
}

/** What a command has found, as far as the formats show it. */
export interface Report {
  readonly command: string;
  readonly findings: readonly Finding[];
  /** One per connection, for the summary in Markdown. */
  readonly sections?: readonly Section[];
}

export interface Section {
  readonly title: string;
  readonly result: string;
  readonly notes?: readonly string[];
  readonly parts?: readonly Part[];
}

export interface Part {
  readonly title?: string;
  readonly notes?: readonly string[];
  readonly blocks?: readonly Block[];
}

export interface Block {
  readonly language: "sql" | "http" | "diff" | "text";
  readonly text: string;
}

const SEVERITIES: readonly Finding["severity"][] = ["error", "warning", "notice"];

/** The worst first, then by place; one of those that several tenants have. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const unique = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify({ ...finding, measured: undefined });
    if (!unique.has(key)) unique.set(key, finding);
  }
  return [...unique.values()].sort((a, b) =>
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareCodePoints(a.file ?? "", b.file ?? "") ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareCodePoints(`${a.rule}\n${a.message}`, `${b.rule}\n${b.message}`)
  );
}

/** `2 errors, 1 notice`. */
export function countFindings(findings: readonly Finding[]): string {
  const counts = SEVERITIES.map((severity) => {
    const { length } = findings.filter((finding) => finding.severity === severity);
    return length === 0 ? [] : [`${length} ${severity}${length === 1 ? "" : "s"}`];
  });
  return counts.flat().join(", ") || "no findings";
}

/**
 * Adds to each finding the SHA-256 of its rule, its file and the text at its place, and of how many with the same ones
 * precede it.
 */
export async function withFingerprints(
  findings: readonly Finding[],
): Promise<readonly (Finding & { readonly fingerprint: string })[]> {
  const counts = new Map<string, number>();
  return await Promise.all(findings.map(async (finding) => {
    const { rule, file, source, message } = finding;
    const key = JSON.stringify([rule, file, (source ?? message).trim()]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const fingerprint = await sha256(new TextEncoder().encode(`${key}\n${count}`));
    return { ...finding, fingerprint };
  }));
}
