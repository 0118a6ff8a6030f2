import type { Classifier, FileProblem } from "../../runner/mod.ts";
import { classifySql } from "../files/classify.ts";
import type { Datasource } from "../connect/datasource.ts";
import { engineOf } from "../engines/table.ts";
import type { Database, SessionFacts, SqlEnvironment, SqlMigration } from "../types.ts";

export async function classifierOf(
  datasource: Datasource,
  { onNotice }: Pick<SqlEnvironment, "onNotice">,
  database?: Pick<Database, "facts" | "query">,
): Promise<Classifier<SqlMigration>> {
  const { migrations } = datasource;
  const dialect = await engineOf(datasource).dialect();
  const facts = (): SessionFacts => database?.facts ?? {};
  return {
    comparesFiles: false,
    ignoresLineEnds: true,
    classify: (file) => classifySql(file, dialect, migrations, facts()),
    check: (files) =>
      files.filter(({ statements }) => statements.length === 0).map(withoutStatement),
    followers: () => new Set(),
    async lint(files, options) {
      if (migrations.lint === undefined || migrations.lint === "off") return [];
      const { lintFiles } = await import("../../../features/lint/lint.ts");
      const settings = { datasource, dialect, facts: facts(), onNotice };
      return await lintFiles(files, options, { ...settings, ...(database && { database }) });
    },
  };
}

function withoutStatement({ file: { path } }: SqlMigration): FileProblem {
  const message = "The file has no statement, and a run records it as applied: add its SQL before";
  return { severity: "warning", path, message };
}
