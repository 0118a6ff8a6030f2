import { assertEquals, assertThrows } from "@std/assert";
import { InvalidFilesError, type LoadedFile } from "../../../src/migrations/runner/mod.ts";
import { engineOf } from "../../../src/migrations/sql/engines/table.ts";
import { classifySql } from "../../../src/migrations/sql/files/classify.ts";
import { foreignSqlFiles } from "../../../src/features/adopt/sql_files.ts";
import { loadedFile } from "../../migrations/sql/support.ts";

const KINDS = ["sqlite", "postgresql", "mysql"] as const;
const DIALECTS = {
  sqlite: await engineOf({ kind: "sqlite" }).dialect(),
  postgresql: await engineOf({ kind: "postgresql" }).dialect(),
  mysql: await engineOf({ kind: "mysql" }).dialect(),
};
const FOREIGN = {
  sqlite: await foreignSqlFiles({ kind: "sqlite" }),
  postgresql: await foreignSqlFiles({ kind: "postgresql" }),
  mysql: await foreignSqlFiles({ kind: "mysql" }),
};
const migrations = { enabled: true, onChange: "fail", placeholders: {} } as const;

/** The written text for a file, by path. */
function rewritten(path: string, content: string, kind: typeof KINDS[number] = "postgresql") {
  const bytes = new TextEncoder().encode(content);
  const writes = FOREIGN[kind].rewrite({ path, bytes });
  return Object.fromEntries(writes.map(({ path, text }) => [path, text]));
}

/** Name, content, what the file is afterwards, and what is kept beside it. */
const TABLE: readonly (readonly [string, string, string, string?])[] = [
  [
    "dbmate",
    "-- migrate:up\nCREATE TABLE t (n INT);\n\n-- migrate:down\nDROP TABLE t;\n",
    "-- migrate:up\nCREATE TABLE t (n INT);\n",
    "-- migrate:down\nDROP TABLE t;\n",
  ],
  [
    "dbmate without a last semicolon",
    "-- migrate:up\nCREATE TABLE t (n INT)\n-- migrate:down\nDROP TABLE t",
    "-- migrate:up\nCREATE TABLE t (n INT)\n",
    "-- migrate:down\nDROP TABLE t",
  ],
  [
    "dbmate without a transaction",
    "-- migrate:up transaction:false\nVACUUM;\n-- migrate:down transaction:false\nVACUUM;\n",
    "-- irori: no-transaction\nVACUUM;\n",
    "-- migrate:down transaction:false\nVACUUM;\n",
  ],
  [
    "goose",
    "-- +goose NO TRANSACTION\n-- +goose Up\nVACUUM;\n-- +goose Down\nVACUUM;\n",
    "-- irori: no-transaction\n-- +goose Up\nVACUUM;\n",
    "-- +goose Down\nVACUUM;\n",
  ],
  [
    "node-pg-migrate",
    "-- Up Migration\r\nSELECT 1;\r\n-- Down Migration\r\nSELECT 2;\r\n",
    "-- Up Migration\r\nSELECT 1;\n",
    "-- Down Migration\r\nSELECT 2;\r\n",
  ],
  [
    "node-pg-migrate, which takes any comment that begins so",
    "-- Up Migrations:\nSELECT 1;\n--  down\tMIGRATIONS below\nSELECT 2;\n",
    "-- Up Migrations:\nSELECT 1;\n",
    "--  down\tMIGRATIONS below\nSELECT 2;\n",
  ],
  [
    "sql-migrate",
    "-- +migrate Up notransaction\nVACUUM;\n-- +migrate Down\n",
    "-- irori: no-transaction\nVACUUM;\n",
    "-- +migrate Down\n",
  ],
];

for (const [name, content, up, down] of TABLE) {
  Deno.test(`rewrite, ${name}`, () => {
    for (const kind of KINDS) {
      assertEquals(rewritten("1.sql", content, kind), { "1.sql": up, "1.sql.down": down! });
      assertEquals(rewritten("1.sql", up, kind), {}, "the second time there is nothing to do");
    }
  });
  // A file of goose is applied as it is.
  if (name.startsWith("goose")) continue;
  Deno.test(`classify refuses the way down, ${name}`, async () => {
    const file = await loadedFile("1.sql", content);
    for (const kind of KINDS) {
      const classify = () => classifySql(file, DIALECTS[kind], migrations);
      const error = assertThrows(classify, InvalidFilesError);
      const [problem] = error.problems;
      const line = content.slice(0, content.indexOf(down!)).split("\n").length;
      assertEquals([problem?.line, problem?.column], [line, 1]);
    }
  });
}

Deno.test("rewrite makes Flyway's repeatable files so, once", () => {
  const up = "-- irori: repeatable\nCREATE VIEW v AS SELECT 1;\n";
  assertEquals(rewritten("db/R__v.sql", "CREATE VIEW v AS SELECT 1;\n"), { "db/R__v.sql": up });
  assertEquals(rewritten("db/R__v.sql", up), {});
});

Deno.test("rewrite refuses a way up behind the way down", () => {
  const content = "-- migrate:down\nDROP TABLE t;\n-- migrate:up\nCREATE TABLE t (n INT);\n";
  const error = assertThrows(() => rewritten("1.sql", content), InvalidFilesError);
  assertEquals([error.problems[0]?.line, error.problems[0]?.column], [3, 1]);
});

Deno.test("prose is no mark: without a way up, or behind a statement", () => {
  for (
    const content of [
      "-- down migration is not possible here\nDELETE FROM a;\n",
      "CREATE TABLE a (n INT); -- Down migration: DROP TABLE a;\n",
      "SELECT 1; -- migrate:down\n",
      "-- Up Migration\nSELECT 1; -- down migration: none\n",
    ]
  ) assertEquals(rewritten("1.sql", content), {}, content);
  const heading = "SELECT 1;\n -- Down Migrations:\nSELECT 2;\n";
  assertEquals(Object.keys(rewritten("1.sql", heading)), ["1.sql", "1.sql.down"]);
});

Deno.test("dbmate sees a mark only where a line begins with it", () => {
  const content = "-- migrate:up\nSELECT 1;\n  -- migrate:down\nSELECT 2;\n";
  assertEquals(rewritten("1.sql", content), {});
});

Deno.test("rewrite puts what holds for the file before its first statement", () => {
  const content = "-- +goose Up\nSELECT 1;\n-- +goose NO TRANSACTION\nVACUUM;\n";
  const up = "-- irori: no-transaction\n-- +goose Up\nSELECT 1;\n\nVACUUM;\n";
  assertEquals(rewritten("1.sql", content), { "1.sql": up });
  assertEquals(rewritten("1.sql", up), {});
});

Deno.test("rewrite refuses to leave nothing", () => {
  for (const content of ["-- Down Migration\nDROP TABLE a;\n", "\n-- migrate:down\n"]) {
    assertThrows(() => rewritten("1.sql", content), InvalidFilesError, "would be empty");
  }
});

Deno.test("a mark inside a string, a body or a name is none", () => {
  const contents = [
    "SELECT '\n-- migrate:down\n';",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$\n-- migrate:down\nSELECT 1 $$;",
    'SELECT "\n-- migrate:down\n";',
    "/*\n-- migrate:down\n*/ SELECT 1;",
  ];
  for (const content of contents) assertEquals(rewritten("1.sql", content), {}, content);
});

Deno.test("classify refuses files that only take something back", async () => {
  const classify = (file: LoadedFile) => classifySql(file, DIALECTS.postgresql, migrations);
  for (
    const path of ["1_a.down.sql", "x/1_a.DOWN.SQL", "1_a/down.sql", "U1__a.SQL", "x/U1.2__a.sql"]
  ) {
    const file = await loadedFile(path, "SELECT 1;");
    assertThrows(() => classify(file), InvalidFilesError, "down migration");
  }
  for (
    const path of ["1_shutdown.sql", "1_a.up.sql", "down/1.sql", "Users__a.sql", "1_u1__a.sql"]
  ) {
    assertEquals(classify(await loadedFile(path, "SELECT 1;")).statements.length, 1, path);
  }
});

Deno.test("classify takes the up section of a file of goose, and what it says of statements", async () => {
  const up = "-- +goose NO TRANSACTION\n-- +goose Up\n-- +goose StatementBegin\nSELECT 1\n" +
    "-- +goose StatementEnd\nSELECT 2;\n";
  const content = `${up}-- +goose Down\nSELECT 3;\n`;
  const file = await loadedFile("1.sql", content);
  for (const kind of KINDS) {
    const { statements, transactional } = classifySql(file, DIALECTS[kind], migrations);
    assertEquals(statements.map(({ text }) => text), ["SELECT 1", "SELECT 2"]);
    assertEquals(transactional, false);
  }
  const sqlx = await loadedFile("1.sql", "-- no-transaction\nSELECT 1;\n");
  assertEquals(classifySql(sqlx, DIALECTS.sqlite, migrations).transactional, false);
  const inside = await loadedFile("1.sql", "-- +goose Up\nSELECT 1;\n");
  assertEquals(classifySql(inside, DIALECTS.sqlite, migrations).transactional, true);
});

Deno.test("classify refuses a file of goose with another order, or with variables of the environment", async () => {
  for (
    const [content, line, message] of [
      ["-- +goose Down\nSELECT 1;\n-- +goose Up\nSELECT 2;\n", 1, "A down migration begins"],
      ["-- +goose Up\nSELECT 1;\n-- migrate:down\nSELECT 2;\n", 3, "A down migration begins"],
      ["-- +goose Up\n-- +goose ENVSUB ON\nSELECT ${A};\n", 2, "goose fills environment variables"],
    ] as const
  ) {
    const file = await loadedFile("1.sql", content);
    const error = assertThrows(
      () => classifySql(file, DIALECTS.postgresql, migrations),
      InvalidFilesError,
    );
    assertEquals([error.problems[0]?.line, error.message.includes(message)], [line, true]);
  }
});
