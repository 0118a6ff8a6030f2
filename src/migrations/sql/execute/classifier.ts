import type { Classifier, FileProblem } from "../../runner/mod.ts";
import { classifySql } from "../files/classify.ts";
import type { Datasource } from "../connect/datasource.ts";
import { mysql } from "../engines/mysql/dialect.ts";
import { postgresql } from "../engines/postgresql/dialect.ts";
import { sqlite } from "../engines/sqlite/dialect.ts";
import type { Database, Dialect, SessionFacts, SqlMigration } from "../types.ts";

export const DIALECTS: Readonly<Record<Datasource["kind"], Dialect>> = {
  sqlite,
  postgresql,
  mysql,
};

export function classifierOf(
  datasource: Datasource,
  database?: Pick<Database, "facts">,
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
  };
}

function withoutStatement({ file: { path } }: SqlMigration): FileProblem {
  const message = "The file has no statement, and a run records it as applied: add its SQL before";
  return { severity: "warning", path, message };
}
