/** Findings in live resources that differ from files. */
import type { Finding as Found } from "../../migrations/commands.ts";
import type { Drift } from "../../migrations/runner/mod.ts";
import { listed } from "../../text/mod.ts";
import type { Places } from "./files.ts";
import type { Finding } from "./finding.ts";

interface ComparedSchema {
  /** The schema file, if the schema is compared with one. */
  readonly path?: string;
  /** As `diff -u` prints them. */
  readonly differences: readonly string[];
}

/** One for each hunk, at its line of the schema file. */
export function schemaFindings(
  places: Places,
  found: readonly Found<ComparedSchema>[],
): readonly Finding[] {
  return found.flatMap(({ connection, found: { path, differences } }) => {
    const hunks = differences.join("\n").split(/^@@ -(\d+).*\n/m).slice(1);
    const expected = path === undefined ? "its applied files" : "its schema file";
    return hunks.flatMap((start, index): readonly Finding[] => {
      if (index % 2 === 1) return [];
      const lines = hunks[index + 1]!.trimEnd().split("\n");
      const changed = lines.filter((line) => !line.startsWith(" "));
      const line = Math.max(1, Number(start) + lines.indexOf(changed[0]!));
      return [{
        severity: "error",
        rule: "schema-difference",
        message: `The schema of '${connection}' differs from ${expected}`,
        advice: changed,
        source: lines.join("\n"),
        ...path === undefined ? places.connection(connection) : { file: path, line },
      }];
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
