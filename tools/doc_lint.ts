import manifest from "../deno.json" with { type: "json" };
import { deno } from "./_run.ts";

/**
 * `deno doc --lint` on every entry point. Types of other packages in public signatures are reported as private by
 * Deno, and constructors and members that override as if they needed a text of their own; these reports are left out,
 * everything else counts.
 */
export async function docLint(): Promise<{ ok: boolean; output: string }> {
  const { ok, output } = await deno(["doc", "--lint", ...Object.values(manifest.exports)]);
  const reports = output.split(/^(?=error(?:\[|: ))/m).filter((part) => part.startsWith("error["));
  // Without a report it has failed for another reason, as a module that is missing.
  if (!ok && reports.length === 0) return { ok, output };
  const findings = reports.filter((report) =>
    !isAboutPackage(report, Deno.readTextFileSync) && !saysItself(report)
  );
  return { ok: findings.length === 0, output: findings.join("") };
}

/** Whether a report is about a type that its file imports from another package. */
export function isAboutPackage(report: string, read: (path: string) => string): boolean {
  const [, type, path] =
    /^error\[private-type-ref\].* private type '([^'.]+)[^']*'\n *--> (.+?):\d/.exec(report) ?? [];
  if (type === undefined || path === undefined) return false;
  return new RegExp(String.raw`^import\s[^;]*\b${type}\b[^;]*\sfrom "(?!\.)`, "m").test(read(path));
}

/** Whether a report wants a text for what the class says already. */
export function saysItself(report: string): boolean {
  return /^error\[missing-jsdoc\].*\n(?:.*\n)*? *\d+ \| +(?:constructor\(|override )/.test(report);
}
