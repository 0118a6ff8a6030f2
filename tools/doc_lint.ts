import manifest from "../deno.json" with { type: "json" };
import { deno } from "./_run.ts";

/**
 * `deno doc --lint` on every entry point. Types of other packages in public signatures are reported as private by
 * Deno; these reports are left out, everything else counts.
 */
export async function docLint(): Promise<{ ok: boolean; output: string }> {
  const entries = Object.values(manifest.exports);
  const { output } = await deno(["doc", "--lint", ...entries]);
  const findings = output.split(/^(?=error(?:\[|: ))/m)
    .filter((part) => part.startsWith("error["))
    .filter((part) => !part.startsWith("error[private-type-ref]") || !refersToPackage(part));
  return { ok: findings.length === 0, output: findings.join("") };
}

/** Whether the type that a report calls private comes from another package. */
function refersToPackage(report: string): boolean {
  const [, type] = /references private type '([^']+)'/.exec(report) ?? [];
  return type !== undefined && FOREIGN.test(type);
}

const FOREIGN =
  /^(?:Context|Hono|MiddlewareHandler|ExecutionContext|CookieOptions|StandardSchemaV1|HonoRequest)\b/;
