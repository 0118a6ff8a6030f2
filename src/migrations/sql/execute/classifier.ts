import { errorOf } from "../../../text/mod.ts";
import type { Classifier, FileProblem } from "../../runner/mod.ts";
import { classifySql } from "../files/classify.ts";
import type { Datasource } from "../connect/datasource.ts";
import type { Describe } from "../../../features/lint/facts.ts";
import { mysql } from "../engines/mysql/dialect.ts";
import { postgresql } from "../engines/postgresql/dialect.ts";
import { sqlite } from "../engines/sqlite/dialect.ts";
import type { Database, Dialect, SessionFacts, SqlEnvironment, SqlMigration } from "../types.ts";

export const DIALECTS: Readonly<Record<Datasource["kind"], Dialect>> = {
  sqlite,
  postgresql,
  mysql,
};

export function classifierOf(
  datasource: Datasource,
  { onNotice }: Pick<SqlEnvironment, "onNotice">,
  database?: Pick<Database, "facts" | "describe">,
): Classifier<SqlMigration> {
  const { kind, migrations } = datasource;
  const facts = (): SessionFacts => database?.facts ?? {};
  return {
    comparesFiles: false,
    ignoresLineEnds: true,
    classify: (file) => classifySql(file, DIALECTS[kind], migrations, facts()),
    check: (files) =>
      files.filter(({ statements }) => statements.length === 0).map(withoutStatement),
    followers: () => new Set(),
    async lint(files, options) {
      if (migrations.lint === undefined || migrations.lint === "off") return [];
      const { lintFiles } = await import("../../../features/lint/lint.ts");
      const describe = database?.describe && describing(database.describe.bind(database), onNotice);
      return await lintFiles(files, options, {
        ...{ datasource, dialect: DIALECTS[kind], facts: facts(), onNotice },
        ...(describe && { describe }),
      });
    },
  };
}

function withoutStatement({ file: { path } }: SqlMigration): FileProblem {
  const message = "The file has no statement, and a run records it as applied: add its SQL before";
  return { severity: "warning", path, message };
}

function describing(
  describe: Describe,
  onNotice: SqlEnvironment["onNotice"],
): Describe {
  return async (names, options) => {
    try {
      return await describe(names, options);
    } catch (error) {
      onNotice(`The types and sizes of tables are not known: ${errorOf(error).message}`);
      return undefined;
    }
  };
}
