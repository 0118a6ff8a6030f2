/** Reports of `drift` and `schema --check`. */
import type { Finding as Found } from "../../migrations/commands.ts";
import type { Drift } from "../../migrations/runner/mod.ts";
import { listed } from "../../text/mod.ts";
import { count } from "../report.ts";
import type { Finding, Report } from "./finding.ts";
import type { Notice, Places } from "./places.ts";
import { differenceBlock } from "./problems.ts";

interface Compared {
  /** The schema file, if the schema is compared with one. */
  readonly path?: string;
  /** As `diff -u` prints them. */
  readonly differences: readonly string[];
}

export function schemaReport(
  command: string,
  places: Places,
  notices: readonly Notice[],
  found: readonly Found<Compared>[],
): Report {
  return {
    command,
    findings: [
      ...found.flatMap(({ connection, found }) => schemaFindings(places, connection, found)),
      ...places.notices(notices),
    ],
    sections: found.map(({ connection, found: { differences } }) => ({
      title: connection,
      result: differences.length === 0 ? "no differences" : "the schema differs",
      parts: differences.length === 0
        ? []
        : [{ blocks: [{ language: "diff", text: differences.join("\n") }] }],
    })),
  };
}

/** One for each hunk, at its line of the schema file. */
function schemaFindings(
  places: Places,
  connection: string,
  { path, differences }: Compared,
): readonly Finding[] {
  const hunks = `\n${differences.join("\n")}`.split(/\n(?=@@ -\d)/).slice(1);
  return hunks.map((hunk) => {
    const [head = "", ...lines] = hunk.split("\n");
    const [, start = "1"] = /^@@ -(\d+)/.exec(head) ?? [];
    const isSame = (line: string) => line.startsWith(" ");
    const first = lines.findIndex((line) => !isSame(line));
    const line = Math.max(1, Number(start) + first);
    return {
      severity: "error",
      rule: path === undefined ? "schema-drift" : "schema-difference",
      message: path === undefined
        ? `The schema of '${connection}' differs from its applied files`
        : `The schema of '${connection}' differs from its schema file`,
      advice: lines.filter((line) => !isSame(line)),
      source: lines.join("\n"),
      ...path === undefined ? places.connection(connection) : { file: path, line },
    };
  });
}

const SHOWN = 5;

export function driftReport(
  places: Places,
  notices: readonly Notice[],
  found: readonly Found<readonly Drift[]>[],
): Report {
  const all = found.flatMap(({ connection, found }) =>
    found.map((drift) => ({ connection, ...drift }))
  );
  return {
    command: "drift",
    findings: [
      ...all.map(({ connection, file, resource, differences, note }): Finding => {
        const place = { rule: "drift", file: places.file(connection, file) };
        if (differences.length === 0) {
          return { ...place, severity: "notice", message: `${resource}: ${note}` };
        }
        const paths = differences.map(({ path }) => path === "" ? "the whole" : `'${path}'`);
        const more = paths.splice(SHOWN).length;
        const names = listed(more > 0 ? [...paths, `${more} more`] : paths, "and");
        return { ...place, severity: "error", message: `${resource} differs in ${names}` };
      }),
      ...places.notices(notices),
    ],
    sections: found.map(({ connection, found }) => {
      const differing = found.filter(({ differences }) => differences.length > 0);
      return {
        title: connection,
        result: `${count(differing.length, "resource")} with differences`,
        parts: differing.map(({ file, resource, differences, note }) => ({
          title: `${resource} (${file})`,
          notes: note === undefined ? [] : [note],
          blocks: differenceBlock(differences),
        })),
      };
    }),
  };
}
