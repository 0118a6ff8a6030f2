import type { Finding as Found } from "../../migrations/commands.ts";
import type { Drift } from "../../migrations/runner/mod.ts";
import type { ComparedSchema } from "../../features/schema/checks.ts";
import { listed } from "../../text/mod.ts";
import type { Places } from "./files.ts";
import type { Finding } from "./finding.ts";

/** One for each hunk, at its line of the schema file. */
export function schemaFindings(
  places: Places,
  found: readonly Found<ComparedSchema>[],
): readonly Finding[] {
  return found.flatMap(({ connection, found: { path, differences } }) => {
    const heads = differences.flatMap((line, index) => line.startsWith("@@") ? index : []);
    const expected = path === undefined ? "its applied files" : "its schema file";
    return heads.map((head, index): Finding => {
      const lines = differences.slice(head + 1, heads[index + 1]);
      const source = lines.join("\n").trimEnd();
      const advice = lines.filter((line) => !line.startsWith(" "));
      const start = parseInt(differences[head]!.slice("@@ -".length));
      const line = Math.max(1, start + lines.indexOf(advice[0]!));
      const place = path === undefined ? places.connection(connection) : { file: path, line };
      const message = `The schema of '${connection}' differs from ${expected}`;
      return { severity: "error", rule: "schema-difference", message, advice, source, ...place };
    });
  });
}

const SHOWN = 5;

export function driftFindings(
  places: Places,
  found: readonly Found<readonly Drift[]>[],
): readonly Finding[] {
  return found.flatMap(({ connection, found }) =>
    found.map(({ file, resource, differences, note }): Finding => {
      const place = { rule: "drift", file: places.file(connection, file) };
      if (differences.length === 0) {
        return { severity: "notice", message: `${resource}: ${note}`, ...place };
      }
      const names = differences.map(({ path }) => path === "" ? "the whole" : `'${path}'`);
      const more = names.splice(SHOWN).length;
      if (more > 0) names.push(`${more} more`);
      return {
        severity: "error",
        message: `${resource} differs in ${listed(names, "and")}`,
        ...place,
      };
    })
  );
}
