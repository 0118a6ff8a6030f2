import { command, count, flag, type MigrationWork, text, UsageError } from "../../cli/mod.ts";
import { reportDifferences } from "./report.ts";

export const declared = command({
  name: "schema",
  description:
    "print the schema of a database, or check that the files produce the recorded schema (sql)",
  options: {
    check: flag(
      "apply all files to an empty database; exit with 5 if its schema differs from 'schema_file'",
    ),
    url: text("url", "empty database to use, instead of one in this process"),
  },
  examples: [
    ["schema > db/schema.sql", "save the schema of the live database"],
    ["schema --check", "use SQLite, or PGlite for PostgreSQL, in memory"],
    ["schema --check --url mysql://ci/empty", "use a server, which MySQL requires"],
  ],
  epilogue: `
Reads PostgreSQL with 'pg_dump', MySQL and MariaDB with 'mariadb-dump' or 'mysqldump', which must be on PATH, and SQLite
without another program. '--check' does not connect to a configured database.
`,
  worked: `
$ irori schema
CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL);
`,
  isReading: true,
  hasFindings: true,
  async run(context, { check, url }) {
    const { globals: { type }, reporter, screen } = context;
    if (type !== "sql") {
      throw new UsageError("Only SQL databases have a schema file: expected '-m sql'");
    }
    const checking = url !== undefined ? "url" : reporter?.option;
    if (checking !== undefined && !check) {
      throw new UsageError(`'--${checking}' requires '--check'`);
    }
    using work = await context.migrations();
    if (!check) return await print(work);
    const { checkSchemas } = await import("./checks.ts");
    const findings = await checkSchemas(url, work.options);
    return await reportDifferences(work, findings, ({ path, files, differences }) => {
      const { yellow, green, red } = screen.colors;
      if (path === undefined) return yellow(NO_FILE);
      const gives = `${count(files, "file")} ${files === 1 ? "gives" : "give"}`;
      return differences.length === 0
        ? green(`${gives} the schema of '${path}'`)
        : red(`${gives} another schema than '${path}'`);
    });
  },
});

const NO_FILE = "nothing to compare with: 'migrations.schema_file' is not set";

async function print(work: MigrationWork): Promise<void> {
  const { context: { globals, screen }, options } = work;
  const { currentSchemas } = await import("./checks.ts");
  const findings = await currentSchemas(options);
  if (findings.length > 1 && !globals.json) {
    const names = findings.map(({ connection }) => `'${connection}'`).join(", ");
    throw new UsageError(`Cannot print several schemas: set '--connection' to one of ${names}`);
  }
  for (const { found } of findings) screen.write(found);
  work.print(findings.map(({ connection, found }) => ({ connection, schema: found })));
}
