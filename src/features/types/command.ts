import { command, count, EXIT, flag, text, UsageError } from "../../cli/mod.ts";

export const declared = command({
  name: "types",
  description: "print TypeScript types of rows (sql) or documents (search)",
  options: {
    out: text("path", "write them to this file instead"),
    check: flag("write nothing; exit with 4 if the file is stale"),
    url: text(
      "url",
      "empty database to apply the files to, instead of one in this process (sql)",
    ),
    live: flag("read the database of the connection instead (sql)"),
  },
  examples: [
    ["types --out src/database.ts", "write the types of tables and views"],
    ["types --out src/database.ts --check", "exit with 4 if the file is stale, in CI"],
    ["types --live --connection main > main.ts", "describe the live database"],
    ["types -m search --out src/documents.ts", "write the types of documents"],
  ],
  epilogue: `
Describes rows as 'pg', 'mysql2' and 'node:sqlite' return them by default, for PGlite as PGlite does, and 'Database' for
Kysely. Applies the files to an empty database: SQLite or PGlite in this process, or the one at '--url', which MySQL and
MariaDB need. With '-m search' it reads the files alone. 'migrations.drift_ignore' names tables that are left out.
`,
  worked: `
$ irori types --out src/database.ts
src/database.ts: 2 tables, written
`,
  isReading: true,
  async run(context, { out, check, url, live }) {
    const { globals: { type }, runtime, screen } = context;
    if (check && out === undefined) throw new UsageError("'--check' requires '--out'");
    if (url !== undefined && live) throw new UsageError("Expected '--url' or '--live', found both");
    if (type === "search" && (url !== undefined || live)) {
      throw new UsageError("'--url' and '--live' are for databases: expected '-m sql'");
    }
    using work = await context.migrations();
    const target = await work.onlyTarget();
    const { connection } = target;
    const { clusterTypes, databaseTypes } = await import("./type_module.ts");
    const found = type === "sql"
      ? await databaseTypes(url, live, target, work.options)
      : await clusterTypes(target, work.options);
    if (out === undefined) {
      screen.write(found.text);
      context.printJson({ connection, types: found.text });
      return EXIT.done;
    }
    const { resolve } = await import("../../runtime/path.ts");
    const file = resolve(runtime.cwd(), out);
    const by = "irori types --out";
    const { stale, result } = await context.updateFile(file, found.text, by, check);
    const what = count(found.count, type === "sql" ? "table" : "document type");
    screen.write(`${out}: ${what}, ${result}\n`);
    context.printJson({ connection, file, stale });
    return stale && check ? EXIT.pending : EXIT.done;
  },
});
