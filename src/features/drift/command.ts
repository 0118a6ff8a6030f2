import type { Finding, MigrationWork, Places } from "../../cli/mod.ts";
import {
  command,
  count,
  describeDifferences,
  EXIT,
  flag,
  tell,
  text,
  UsageError,
} from "../../cli/mod.ts";
import type { Finding as Found } from "../../migrations/commands.ts";
import type { Drift } from "./drift.ts";
import { listed, printable } from "../../text/mod.ts";

export const declared = command({
  name: "drift",
  description: "compare live resources with the applied files",
  options: {
    url: text("url", "empty database to apply the files to, instead of one in this process"),
    unmanaged: flag("also list resources that no applied file makes (search)"),
  },
  examples: [
    ["drift", "show how the schema of each database differs"],
    ["drift -m search --json", "list manual changes of a cluster as JSON"],
    ["drift -m search --unmanaged", "also find resources that were created by hand"],
  ],
  epilogue: `
Writes nothing. A database is compared with 'migrations.schema_file' if all files are applied, or else with the schema
that the applied files give an empty database: in SQLite or PGlite in this process, or at '--url', which MySQL and MariaDB
need. 'migrations.drift_ignore' names objects that are left out. '--unmanaged' reads the kinds of resources that the
files have; it leaves out indices, and resources that the cluster or a plugin created. It exits with 5 if it finds some.
`,
  worked: `
$ irori drift
main: the schema differs from 2 applied files
@@ -1,1 +1,3 @@
 CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL);
+
+CREATE INDEX by_hand ON orders (total);
`,
  isReading: true,
  hasFindings: true,
  async run(context, { url, unmanaged }) {
    const isSearch = context.globals.type === "search";
    if (isSearch && url !== undefined) {
      throw new UsageError("'--url' names a database: expected it without '-m search'");
    }
    if (!isSearch && unmanaged) throw new UsageError("'--unmanaged' expects '-m search'");
    using work = await context.migrations();
    return isSearch ? await driftOfClusters(work, unmanaged) : await driftOfDatabases(work, url);
  },
});

async function driftOfDatabases(work: MigrationWork, url: string | undefined): Promise<number> {
  const { colors } = work.context.screen;
  const { schemaDrifts } = await import("../schema/checks.ts");
  const { reportDifferences } = await import("../schema/report.ts");
  const findings = await schemaDrifts(url, { ...work.options, onFailure: work.fail });
  return await reportDifferences(work, findings, ({ path, files, differences }) => {
    const expected = path === undefined ? count(files, "applied file") : `'${path}'`;
    return differences.length === 0
      ? colors.green(`no drift from ${expected}`)
      : colors.red(`the schema differs from ${expected}`);
  });
}

async function driftOfClusters(work: MigrationWork, isUnmanaged = false): Promise<number> {
  const { context: { screen, screen: { colors, colors: { green, red } } } } = work;
  const { mergeParts } = await import("../../migrations/commands.ts");
  const { migrationDrift } = await import("./drift.ts");
  const options = { ...work.options, onFailure: work.fail, unmanaged: isUnmanaged };
  const findings = await migrationDrift(options);
  const results = mergeParts(findings).map(({ found, ...place }) => {
    const { drift = [], notices = [], unmanaged = [] } = Object.groupBy(found, (one) => {
      if (one.file === undefined) return "unmanaged";
      return one.differences.length > 0 ? "drift" : "notices";
    });
    return { ...place, drift, notices, ...isUnmanaged && { unmanaged } };
  });
  for (const { connection, drift, notices, unmanaged = [] } of results) {
    for (const { file, resource, note } of [...notices, ...unmanaged]) {
      const place = file === undefined ? connection : `${connection}/${printable(file)}`;
      tell(screen, "notice", `${place}: ${printable(resource)}: ${note}`);
    }
    const result = drift.length === 0 ? green("no drift") : red(`${drift.length} differ`);
    const more = `, ${unmanaged.length} that no applied file makes`;
    const rest = unmanaged.length > 0 ? red(more) : "";
    screen.write(`${connection}: ${result}${rest}\n`, connection);
    for (const { file, resource, differences, note } of drift) {
      const reason = note === undefined ? "" : `: ${note}`;
      screen.write(`  ${resource}  (${printable(file!)})${reason}\n`);
      for (const line of describeDifferences(differences, colors)) screen.write(`    ${line}\n`);
    }
  }
  const failed = work.print(results);
  await work.report((places) => driftFindings(places, findings));
  return failed ??
    (results.some(({ drift, unmanaged = [] }) => drift.length + unmanaged.length > 0)
      ? EXIT.differs
      : EXIT.done);
}

const SHOWN = 5;

export function driftFindings(
  places: Places,
  found: readonly Found<readonly Drift[]>[],
): readonly Finding[] {
  return found.flatMap(({ connection, found }) =>
    found.map(({ file, resource, differences, note }): Finding => {
      const place = file === undefined
        ? { ...places.connection(connection), ...places.part(connection) }
        : places.at(connection, file);
      if (differences.length === 0) {
        return { severity: "notice", rule: "drift", message: `${resource}: ${note}`, ...place };
      }
      const names = differences.map(({ path }) => path === "" ? "the whole" : `'${path}'`);
      const more = names.splice(SHOWN).length;
      if (more > 0) names.push(`${more} more`);
      const message = `${resource} differs in ${listed(names, "and")}`;
      return { severity: "error", rule: "drift", message, ...place };
    })
  );
}
