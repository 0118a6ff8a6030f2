import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type ConfigMap, createConfig } from "../../../src/config/mod.ts";
import { LINT } from "../../../src/features/lint/feature.ts";
import { readDatasources } from "../../../src/migrations/sql/mod.ts";
import { FEATURES } from "../all.ts";
import {
  InvalidFilesError,
  type PlannedRun,
  previewRun,
  type RunEvent,
} from "../../../src/migrations/runner/mod.ts";
import type { Datasource, SqlMigration } from "../../../src/migrations/sql/mod.ts";
import { classifierOf } from "../../../src/migrations/sql/execute/classifier.ts";
import * as mysql from "../../migrations/sql/mysql_support.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import * as sqlite from "../../migrations/sql/sqlite_support.ts";
import { lintFiles } from "../../../src/features/lint/lint.ts";
import { datasourceOf, settingsOf, withLint } from "./support.ts";
import {
  databaseTest,
  failing,
  inSession,
  loadedFile,
  migrate,
  migrated,
  outcomes,
} from "../../migrations/sql/support.ts";

const FIRST = { "1.sql": "CREATE TABLE t (a INTEGER)" };
const SECOND = { ...FIRST, "2.sql": "DROP TABLE t" };
/** The notices of a run, as `file rule`. */
const told = async (datasource: Datasource, tree: Readonly<Record<string, string>>) => {
  const events: RunEvent[] = [];
  const report = await migrate(datasource, tree, {}, { onEvent: (event) => events.push(event) });
  if (report.error) throw report.error;
  return events.flatMap((event) =>
    event.type === "notice" && event.problem ? [`${event.file} ${event.problem.rule}`] : []
  );
};
const planned = (datasource: Datasource, tree: Readonly<Record<string, string>>) =>
  inSession(datasource, (session, files) => previewRun(session, files), tree);
/** The findings in a plan, as `file rule`. */
const rulesOf = ({ steps }: PlannedRun) =>
  steps.flatMap(({ file, findings = [] }) => findings.map(({ rule }) => `${file} ${rule}`));

Deno.test("a run tells what is dangerous about the files that it applies, and of no others", async () => {
  const datasource = withLint(await sqlite.create(), "warn");
  assertEquals(await told(datasource, FIRST), []);
  assertEquals(rulesOf(await planned(datasource, SECOND)), ["2.sql drop-table"]);
  assertEquals(await told(datasource, SECOND), ["2.sql drop-table"]);
  assertEquals(await told(datasource, SECOND), []);
});

Deno.test("a run on an empty database tells nothing of tables that it makes itself", async () => {
  assertEquals(await told(withLint(await sqlite.create(), "error"), SECOND), []);
});

Deno.test("with lint: error nothing is applied, of files before it neither", async () => {
  const datasource = withLint(await sqlite.create(), "error");
  await migrated(datasource, FIRST);
  const tree = { ...FIRST, "2.sql": "CREATE TABLE s (a)", "3.sql": "DELETE FROM t" };
  const error = await failing(InvalidFilesError, datasource, tree);
  assertStringIncludes(error.message, "main/3.sql:1:1: Deletes every row of 't'");
  assertStringIncludes(error.message, "(delete-without-where)");
  const tables = await sqlite.query(datasource, "SELECT name FROM sqlite_master WHERE name = 's'");
  assertEquals(tables, []);
  const allowed = { ...tree, "3.sql": "-- irori: allow delete-without-where: few\nDELETE FROM t" };
  const report = await migrated(datasource, allowed);
  assertEquals(outcomes(report), ["1.sql skipped", "2.sql applied", "3.sql applied"]);
});

databaseTest(
  "PostgreSQL's catalog says what types columns have, and plan how large tables are",
  postgresql,
  postgresql.postgresqlMissing,
  async (created) => {
    const datasource = withLint(created, "warn");
    const first = {
      "1.sql":
        "CREATE TABLE t (a varchar(5), b text NOT NULL, c int CHECK (c IS NOT NULL), d int);" +
        "INSERT INTO t SELECT 'a', 'b', n, n FROM generate_series(1, 20000) n; ANALYZE t;" +
        "CREATE TABLE p (a int) PARTITION BY RANGE (a);" +
        "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (9); INSERT INTO p VALUES (1)",
    };
    await migrated(created, first);
    const tree = {
      ...first,
      "2.sql": "ALTER TABLE t ALTER a TYPE varchar(9), ALTER b SET NOT NULL, ALTER c SET NOT NULL",
      "3.sql": "ALTER TABLE t ALTER a TYPE varchar(3), ALTER d SET NOT NULL",
      "4.sql": "CREATE INDEX i ON p (a)",
    };
    const plan = await planned(datasource, tree);
    assertEquals(rulesOf(plan), [
      "3.sql changing-column-type",
      "3.sql adding-not-nullable-field",
      "4.sql require-concurrent-index-creation",
    ]);
    const found = plan.steps.flatMap(({ findings = [] }) => findings);
    const [line = ""] = found[0]?.measured ?? [];
    assert(/^public\.t has about 20,000 rows, \d+(?:\.\d)? (?:kB|MB)$/.test(line), line);
    assertStringIncludes(found[2]?.advice?.join("\n") ?? "", "ATTACH PARTITION");
    assertEquals(await told(datasource, tree), rulesOf(plan));
  },
);

databaseTest(
  "MySQL's catalog says how large tables are",
  mysql,
  mysql.mysqlMissing,
  async (created) => {
    const datasource = withLint(created, "warn");
    await migrated(created, FIRST);
    const plan = await planned(datasource, SECOND);
    assertEquals(rulesOf(plan), ["2.sql drop-table"]);
    const [line = ""] = plan.steps[0]?.findings?.[0]?.measured ?? [];
    assert(/^irori_\w+\.t has about 0 rows, \d+ kB$/.test(line), line);
    assertEquals(await told(datasource, SECOND), ["2.sql drop-table"]);
  },
);

Deno.test("lintFiles() lets a signal be heard between the statements of a file", async () => {
  const datasource = datasourceOf("postgresql");
  const { classify } = await classifierOf(datasource);
  const settings = await settingsOf(datasource);
  const lint = (files: readonly SqlMigration[]) => lintFiles(files, {}, settings);
  const statements = Array.from({ length: 500 }, (_, index) => {
    return `CREATE TABLE t${index} (id bigint);\nALTER TABLE t${index} ADD COLUMN a text NOT NULL;\n`;
  });
  await lint([classify(await loadedFile("1.sql", statements[0]!))]); // Loads the grammar.
  const migration = classify(await loadedFile("1.sql", statements.join("")));
  const linted = lint([migration]);
  const heard = new Promise((resolve) => setTimeout(() => resolve("heard")));
  assertEquals(await Promise.race([linted, heard]), "heard");
  assertEquals(await linted, []);
});

Deno.test("files are linted unless 'lint' is off, with warnings unless it is set", () => {
  const read = (migrations: ConfigMap) => {
    const datasource = { name: "a", url: "sqlite:a.db", migrations };
    return LINT.of(readDatasources(createConfig({ datasource }), {}, FEATURES)[0]!);
  };
  assertEquals(read({}), { lint: "warn", lintFrom: undefined });
  assertEquals(read({ lint: "error", lint_from: "2.sql" }), { lint: "error", lintFrom: "2.sql" });
  assertEquals(read({ lint: "off" }), undefined);
});
