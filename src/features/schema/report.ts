import type { Colors, Finding, MigrationWork, Places } from "../../cli/mod.ts";
import { EXIT } from "../../cli/mod.ts";
import type { Finding as Found } from "../../migrations/commands.ts";
import type { ComparedSchema } from "./checks.ts";

/** @returns the exit code */
export async function reportDifferences(
  { context: { screen }, print, report }: MigrationWork,
  findings: readonly Found<ComparedSchema>[],
  resultOf: (found: ComparedSchema) => string,
): Promise<number> {
  for (const { connection, found } of findings) {
    screen.write(`${connection}: ${resultOf(found)}\n`, connection);
    for (const line of found.differences) screen.write(`${paint(line, screen.colors)}\n`);
  }
  const failed = print(findings.map(({ connection, found }) => ({ connection, ...found })));
  await report((places) => schemaFindings(places, findings));
  const differs = findings.some(({ found }) => found.differences.length > 0);
  return failed ?? (differs ? EXIT.differs : EXIT.done);
}

function paint(line: string, colors: Colors): string {
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("-")) return colors.red(line);
  return line.startsWith("+") ? colors.green(line) : line;
}

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
