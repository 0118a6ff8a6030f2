import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import mysqlDriver from "npm:mysql2@^3.24.0/promise";
import { MYSQL } from "../../../../src/migrations/sql/engines/mysql/grammar.ts";
import { POSTGRESQL } from "../../../../src/migrations/sql/engines/postgresql/grammar.ts";
import { SQLITE } from "../../../../src/migrations/sql/engines/sqlite/dialect.ts";
import { split } from "../../../../src/migrations/sql/syntax/splitter.ts";
import { connect, postgresqlMissing } from "../postgresql_support.ts";
import { missing, server } from "../servers.ts";

/** Text full of what means something to a splitter. */
const nasty = fc.string({
  unit: fc.constantFrom(...";;''\"\"`$$/*-#\\\n\r ()[]ab😀é:".match(/./gsu) ?? []),
  maxLength: 12,
});
const doubled = (quote: string) => nasty.map((text) => text.replaceAll(quote, quote + quote));
const space = fc.constantFrom(" ", "\n", "\r\n", "\t", "  ");

/** Statements of these expressions with any of these comments around every word. */
function scripts(
  expressions: fc.Arbitrary<string>[],
  comments: fc.Arbitrary<string>[],
  { verb = "SELECT", most = 3 } = {},
) {
  const gap = fc.tuple(
    space,
    fc.oneof({ weight: 3, arbitrary: fc.constant("") }, ...comments),
    space,
  )
    .map((parts) => parts.join(""));
  const item = fc.tuple(gap, fc.oneof(...expressions)).map((parts) => parts.join(""));
  const statement = fc.tuple(
    gap,
    fc.array(item, { minLength: 1, maxLength: most }).map((items) => `${verb} ${items.join(" ,")}`),
    gap,
  ).map((parts) => parts.join(""));
  const end = fc.tuple(gap, fc.constantFrom("", ";", ";;")).map((parts) => parts.join(""));
  return fc.tuple(fc.array(statement, { minLength: 1, maxLength: 4 }), end)
    .map(([statements, end]) => statements.join(";") + end);
}

const lineComment = (start: string) =>
  nasty.map((text) => `${start}${text.replaceAll(/[\r\n]/g, "")}\n`);
const blockComment = nasty.map((text) => `/*${text.replaceAll(/[*/]/g, "x")}*/`);

const postgresql = scripts(
  [
    doubled("'").map((text) => `'${text}'`),
    nasty.map((text) => `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`),
    fc.tuple(fc.constantFrom("$$", "$a$", "$é$"), nasty)
      .filter(([tag, text]) => !`${text}${tag}`.slice(0, -1).includes(tag))
      .map(([tag, text]) => `${tag}${text}${tag}`),
    doubled('"').map((text) => `1 AS "x${text}"`),
    fc.constantFrom("1 AS a$b$", "(1)", "-1", "1 - -1", "'1'::int"),
  ],
  [lineComment("--"), blockComment, blockComment.map((inner) => `/* ${inner} ; */`)],
);

const mysql = scripts(
  [
    ...["'", '"'].map((quote) =>
      doubled(quote).map((text) => `${quote}${text.replaceAll("\\", "\\\\")}${quote}`)
    ),
    nasty.map((text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`),
    // Names are of the BMP there.
    doubled("`").map((text) => `1 AS \`x${text.replaceAll("😀", "é")}y\``),
    fc.constantFrom("1 /*! + 1 */", "/*!50000 1 */", "3--2", "2*/*;*/3", "IF(1, 2, 3)"),
  ],
  [lineComment("-- "), lineComment("#"), blockComment],
);

const sqlite = scripts(
  [
    doubled("'").map((text) => `'${text}'`),
    doubled('"').map((text) => `1 AS "x${text}"`),
    doubled("`").map((text) => `1 AS \`x${text}\``),
    nasty.map((text) => `1 AS [x${text.replaceAll("]", "")}]`),
    fc.constantFrom("x'3b'", "CASE WHEN 1 THEN 2 END", "(1)"),
  ],
  [lineComment("--"), blockComment],
  { verb: "INSERT INTO log SELECT", most: 1 },
);

const options = { numRuns: 300 };

Deno.test({
  name: "split finds the statements that PostgreSQL finds",
  ignore: postgresqlMissing !== undefined,
  async fn() {
    const client = await connect(server("TEST_PG_URL"));
    try {
      await fc.assert(
        fc.asyncProperty(postgresql, async (text) => {
          const whole = [await client.query(text)].flat().map(({ rows }) => rows);
          const parts = [];
          for (const { text: part } of split(text, POSTGRESQL).statements) {
            parts.push((await client.query(part)).rows);
          }
          assertEquals(parts, whole);
        }),
        options,
      );
    } finally {
      await client.end();
    }
  },
});

Deno.test({
  name: "split finds the statements that MariaDB finds",
  ignore: missing("TEST_MYSQL_URL") !== undefined,
  async fn() {
    const { host, port, username: user, password } = server("TEST_MYSQL_URL");
    const client = await mysqlDriver.createConnection({
      ...{ host, port, user, password: password?.reveal() },
      ...{ multipleStatements: true, rowsAsArray: true, charset: "utf8mb4" },
    });
    try {
      await fc.assert(
        fc.asyncProperty(mysql, async (text) => {
          const statements = split(text, MYSQL).statements;
          // Text behind the last delimiter is empty for our splitter and an error for the server.
          const sent = text.slice(0, statements.at(-1)?.end);
          const [rows] = await client.query(sent);
          const whole = statements.length === 1 ? [rows] : rows;
          const parts = [];
          for (const { text: part } of statements) parts.push((await client.query(part))[0]);
          assertEquals(parts, whole);
        }),
        options,
      );
    } finally {
      await client.end();
    }
  },
});

Deno.test("split finds the statements that SQLite finds", () => {
  fc.assert(
    fc.property(sqlite, (text) => {
      const logOf = (scripts: readonly string[]) => {
        using database = new DatabaseSync(":memory:");
        database.exec("CREATE TABLE log (value)");
        for (const script of scripts) database.exec(script);
        return database.prepare("SELECT value FROM log ORDER BY rowid").all();
      };
      const parts = split(text, SQLITE).statements.map(({ text: part }) => part);
      const rows = logOf(parts);
      assertEquals(rows, logOf([text]));
      assertEquals(rows.length, parts.length);
    }),
    options,
  );
});
