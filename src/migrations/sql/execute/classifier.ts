import type { Classifier, FileProblem } from "../../runner/mod.ts";
import { classifySql } from "../files/classify.ts";
import type { Datasource } from "../connect/datasource.ts";
import { engineOf } from "../engines/table.ts";
import type { Database, SessionFacts, SqlMigration } from "../types.ts";

export async function classifierOf(
  datasource: Datasource,
  database?: Pick<Database, "facts">,
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
  };
}

function withoutStatement({ file: { path } }: SqlMigration): FileProblem {
  const message = "The file has no statement, and a run records it as applied: add its SQL before";
  return { severity: "warning", path, message };
}
