import { assertEquals, assertStringIncludes } from "@std/assert";
import type { FileProblem } from "../../../../src/migrations/runner/mod.ts";
import { RULES } from "../../../../src/migrations/sql/lint/rules.ts";
import { blocksOf } from "../../../../tools/docs/blocks.ts";
import { lint, rulesIn } from "./support.ts";

/** Files in order, and what is found in the last one. */
const FOUND: [texts: string[], rules: string[]][] = [
  // Nobody else uses what the file makes.
  [["CREATE TABLE n (a int); CREATE INDEX i ON n (a); DROP TABLE n"], []],
  [["CREATE TABLE public.n (a int); CREATE INDEX i ON n (a)"], []],
  [["CREATE TABLE n (a int); CREATE INDEX i ON public.n (a)"], []],
  [["CREATE TABLE x.n (a int); CREATE INDEX i ON n (a)"], ["require-concurrent-index-creation"]],
  [["SET search_path TO x; CREATE TABLE n (a int); CREATE INDEX i ON x.n (a)"], []],
  [["SELECT set_config('search_path', 'x', false); CREATE TABLE n (); DROP TABLE x.n"], []],
  [["CREATE TEMP TABLE n (a int); UPDATE n SET a = 1"], []],
  [["CREATE TABLE n AS SELECT 1 AS a; ALTER TABLE n ADD PRIMARY KEY (a)"], []],
  [["SELECT 1 AS a INTO n; DELETE FROM n"], []],
  [["CREATE TABLE n (a int); ALTER TABLE n RENAME TO m; CREATE INDEX i ON m (a)"], []],
  [["CREATE TABLE n (a int); ALTER TABLE n SET SCHEMA x; CREATE INDEX i ON x.n (a)"], []],
  [["CREATE TABLE IF NOT EXISTS n (a int); CREATE INDEX i ON n (a)"], []],
  [["CREATE TABLE n (a int)", "CREATE INDEX i ON n (a)"], ["require-concurrent-index-creation"]],
  [['CREATE TABLE "N" (a int); CREATE INDEX i ON n (a)'], ["require-concurrent-index-creation"]],
  [
    ["CREATE MATERIALIZED VIEW m AS SELECT 1 AS a; CREATE UNIQUE INDEX i ON m (a); REFRESH MATERIALIZED VIEW m"],
    [],
  ],
  // A table that is made anew under its name loses nothing; one that is made empty does.
  [
    ["CREATE TABLE n (a int); INSERT INTO n SELECT a FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t"],
    [],
  ],
  [["CREATE TABLE n AS SELECT * FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t"], []],
  [["CREATE TABLE n (a int); DROP TABLE t; ALTER TABLE n RENAME TO t"], ["drop-table"]],
  [
    ["CREATE TABLE n (a int); INSERT INTO n SELECT a FROM s; DROP TABLE t; ALTER TABLE n RENAME TO t"],
    ["drop-table"],
  ],
  [["DROP TABLE t; CREATE TABLE t (a int)"], ["drop-table"]],
  // Any CHECK proves nothing: it has to be about the columns that rows are divided by.
  [[
    "CREATE TABLE p (a int, b int) PARTITION BY LIST (a); CREATE TABLE q (a int, b int CHECK (b > 0))",
    "ALTER TABLE p ATTACH PARTITION q FOR VALUES IN (1)",
  ], ["attach-partition-scans"]],
  [[
    "CREATE TABLE p (a int, b int) PARTITION BY LIST (a); CREATE TABLE q (a int NOT NULL CHECK (a = 1), b int)",
    "ALTER TABLE p ATTACH PARTITION q FOR VALUES IN (1)",
  ], []],
  [["ALTER TABLE t ADD z int; UPDATE s SET a = 1 WHERE b"], ["locks-add-up"]],
  // What files before it say of columns.
  [["CREATE TABLE t (a varchar(5))", "ALTER TABLE t ALTER a TYPE varchar(9)"], []],
  [[
    "CREATE TABLE t (a varchar(5)); ALTER TABLE t RENAME a TO b",
    "ALTER TABLE t ALTER b TYPE text",
  ], []],
  [[
    "CREATE TABLE t (); ALTER TABLE t ADD a varchar(5); ALTER TABLE t RENAME TO s",
    "ALTER TABLE s ALTER a TYPE text",
  ], []],
  [["ALTER TABLE t ALTER a TYPE text"], ["changing-column-type"]],
  [["CREATE TABLE t (a varchar(5))", "ALTER TABLE t ALTER a TYPE text USING a || 'x'"], [
    "changing-column-type",
  ]],
  [["CREATE TABLE t (a varchar(5))", "ALTER TABLE t ALTER a TYPE text USING a::text"], []],
  [["CREATE TABLE t (a timestamp(3))", "ALTER TABLE t ALTER a TYPE timestamp(6)"], []],
  [["CREATE TABLE t (a char(3))", "ALTER TABLE t ALTER a TYPE char(5)"], ["changing-column-type"]],
  [["CREATE TABLE t (a int NOT NULL)", "ALTER TABLE t ALTER a SET NOT NULL"], []],
  [["CREATE TABLE t (a int, CHECK (a IS NOT NULL))", "ALTER TABLE t ALTER a SET NOT NULL"], []],
  // The constraint is not validated in another transaction, but it is when the statement comes.
  [[
    "CREATE TABLE t (a int)",
    "ALTER TABLE t ADD CONSTRAINT c CHECK (a IS NOT NULL) NOT VALID; ALTER TABLE t VALIDATE CONSTRAINT c; ALTER TABLE t ALTER a SET NOT NULL",
  ], ["locks-add-up"]],
  // One ALTER TABLE, several actions.
  [["ALTER TABLE t ADD a int, ADD b uuid DEFAULT gen_random_uuid(), DROP COLUMN c"], [
    "adding-field-with-default",
    "drop-column",
  ]],
  [["ALTER TABLE IF EXISTS ONLY t ADD CHECK (a IN (1, 2)), ADD UNIQUE (a, b)"], [
    "constraint-missing-not-valid",
    "disallowed-unique-constraint",
  ]],
  [["ALTER TABLE t ADD COLUMN IF NOT EXISTS id bigserial PRIMARY KEY"], [
    "adding-field-with-default",
    "adding-primary-key",
  ]],
  [["ALTER TABLE t ADD a int DEFAULT f()"], ["adding-field-with-default"]],
  [["ALTER TABLE t ADD a int DEFAULT 1 REFERENCES r"], ["adding-foreign-key-constraint"]],
  [["ALTER TABLE t ADD a int DEFAULT NULL REFERENCES r"], []],
  [["ALTER TABLE t ADD a int GENERATED ALWAYS AS (b) VIRTUAL"], []],
  // Bodies are texts.
  [["DO $$ BEGIN DELETE FROM t; END $$"], []],
  [["CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE t $$"], []],
  // Other things have the same verbs.
  [["ALTER INDEX i RENAME TO j; ALTER SEQUENCE s RENAME TO z"], []],
  [["ALTER TABLE t RENAME CONSTRAINT a TO b; DROP FUNCTION f(); DROP TYPE y"], []],
  [["UPDATE t SET a = 1 WHERE b; DELETE FROM t USING r WHERE t.a = r.a"], []],
  [["WITH gone AS (DELETE FROM t RETURNING *) INSERT INTO archive SELECT * FROM gone"], [
    "delete-without-where",
  ]],
  [["VACUUM (FULL) t"].map((sql) => `-- irori: no-transaction\n${sql}`), ["rewriting-table"]],
  [["VACUUM (FULL false) t"].map((sql) => `-- irori: no-transaction\n${sql}`), []],
  [["-- irori: no-transaction\nREINDEX (CONCURRENTLY) TABLE t"], []],
  [["REINDEX (VERBOSE) TABLE t"], ["require-concurrent-reindex"]],
  [["DROP SCHEMA s CASCADE"], ["drop-table"]],
  [["TRUNCATE a, b CASCADE"], ["truncate-table", "truncate-table"]],
  [["-- irori: no-transaction\nDROP DATABASE d"], ["drop-database"]],
  // Locks are kept until the end of the file.
  [["ALTER TABLE t ADD a int; ALTER TABLE t ADD b int"], []],
  [["ALTER TABLE t ADD a int; ALTER TABLE s ADD b int; ALTER TABLE r ADD c int"], ["locks-add-up"]],
  [["-- irori: no-transaction\nALTER TABLE t ADD a int; ALTER TABLE s ADD b int"], []],
  [["ALTER TABLE t ADD a int; UPDATE t SET a = 1 WHERE b"], ["locks-add-up"]],
  [["UPDATE t SET a = 1 WHERE b; ALTER TABLE t ADD a int"], []],
  [
    ["ALTER TABLE t ADD a int; CREATE TABLE n (b int); INSERT INTO n VALUES (1); CREATE INDEX i ON n (b)"],
    [],
  ],
  [
    ["ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES r NOT VALID; ALTER TABLE t VALIDATE CONSTRAINT f"],
    ["locks-add-up"],
  ],
];

for (const [texts, rules] of FOUND) {
  Deno.test(`linting finds ${rules.join(", ") || "nothing"} in ${texts.join(" | ")}`, async () => {
    assertEquals(await rulesIn(texts), rules);
  });
}

const OTHERS: [kind: "mysql" | "sqlite", text: string, rules: string[]][] = [
  ["mysql", "DROP TABLE IF EXISTS `a`, shop.b", ["drop-table", "drop-table"]],
  ["mysql", "DROP TEMPORARY TABLE a; DROP INDEX i ON t", []],
  ["mysql", "CREATE TABLE n (a INT); ALTER TABLE n DROP COLUMN a; UPDATE n SET a = 1", []],
  [
    "mysql",
    "CREATE TABLE n (a INT); INSERT INTO n SELECT a FROM t; DROP TABLE t; RENAME TABLE n TO t",
    [],
  ],
  ["mysql", "ALTER TABLE t DROP a, DROP INDEX i, DROP FOREIGN KEY f", [
    "drop-column",
  ]],
  ["mysql", "ALTER TABLE t RENAME COLUMN a TO b, RENAME INDEX i TO j", ["renaming-column"]],
  ["mysql", "ALTER TABLE t RENAME s", ["renaming-table"]],
  ["mysql", "RENAME TABLE a TO b, c TO d", ["renaming-table", "renaming-table"]],
  ["mysql", "ALTER TABLE t CHANGE a b INT, ALGORITHM=INSTANT", ["renaming-column"]],
  ["mysql", "ALTER TABLE t MODIFY a BIGINT", ["changing-column-type"]],
  ["mysql", "ALTER TABLE t MODIFY a BIGINT, ALGORITHM = INPLACE", []],
  ["mysql", "ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4", ["rewriting-table"]],
  ["mysql", "ALTER TABLE t MODIFY a BIGINT, LOCK=NONE; ALTER ONLINE TABLE t MODIFY a BIGINT", []],
  ["mysql", "ALTER TABLE t ADD COLUMN a INT, ALGORITHM=COPY", ["rewriting-table"]],
  ["mysql", "CREATE FULLTEXT INDEX i ON t (a)", ["require-concurrent-index-creation"]],
  ["mysql", "CREATE TABLE Orders (a INT); DROP TABLE `Orders`", []],
  ["sqlite", 'CREATE TABLE "Orders" (a); DROP TABLE orders', []],
  ["mysql", "UPDATE t SET a = 1", ["update-without-where"]],
  ["mysql", "UPDATE t JOIN r ON t.a = r.a SET t.b = 1; UPDATE t SET a = 1 LIMIT 5", []],
  ["mysql", "UPDATE t SET a = (SELECT 1 FROM r WHERE b)", ["update-without-where"]],
  ["mysql", "DELETE FROM t; DELETE FROM t WHERE a", ["delete-without-where"]],
  ["mysql", "TRUNCATE t; DROP DATABASE d", ["truncate-table", "drop-database"]],
  ["mysql", "DELIMITER //\nCREATE PROCEDURE p() BEGIN DELETE FROM t; END//\nDELIMITER ;", []],
  ["mysql", "/*!40000 DROP TABLE t */; INSERT INTO t VALUES ('DROP TABLE t')", ["drop-table"]],
  ["mysql", "/*!DROP TABLE t*/; /*M!100100 DROP TABLE t */", ["drop-table", "drop-table"]],
  ["mysql", "/*!40101 SET NAMES utf8 */; /*!40000 ALTER TABLE t DISABLE KEYS */", []],
  ["mysql", "CREATE OR REPLACE TABLE t (a INT)", ["drop-table"]],
  ["mysql", "ALTER TABLE t DROP PARTITION p0; ALTER TABLE t TRUNCATE PARTITION p1", [
    "truncate-table",
    "truncate-table",
  ]],
  ["mysql", "UPDATE t SET a = 1 WHERE 1; UPDATE t SET a = 1 WHERE 1 = 2", ["update-without-where"]],
  ["sqlite", "UPDATE OR IGNORE t SET a = 1", ["update-without-where"]],
  ["sqlite", "CREATE TEMP TABLE t (a); DROP TABLE main.t", ["drop-table"]],
  ["sqlite", "CREATE TABLE n (a); DROP TABLE t; ALTER TABLE n RENAME TO t", ["drop-table"]],
  [
    "sqlite",
    "CREATE TABLE n (a); INSERT INTO n SELECT a FROM s; DROP TABLE t; ALTER TABLE n RENAME TO t",
    ["drop-table"],
  ],
  ["sqlite", "DROP TABLE [a]; DROP VIEW v", ["drop-table"]],
  ["sqlite", "ALTER TABLE t RENAME a TO b", ["renaming-column"]],
  ["sqlite", "ALTER TABLE main.t RENAME TO s", ["renaming-table"]],
  ["sqlite", "ALTER TABLE t DROP COLUMN a; DELETE FROM t", ["drop-column", "delete-without-where"]],
  [
    "sqlite",
    "CREATE TABLE n (a); INSERT INTO n SELECT a FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t",
    [],
  ],
  ["sqlite", "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM s; END", []],
];

for (const [kind, text, rules] of OTHERS) {
  Deno.test(`linting ${kind} finds ${rules.join(", ") || "nothing"} in ${text}`, async () => {
    assertEquals(await rulesIn([text], { kind }), rules);
  });
}

/** Where a finding is, and its advice. */
const PLACES: [text: string, line: number, column: number, advice: string][] = [
  [
    'CREATE INDEX "Überall" ON sales."Order" (a)',
    ...[1, 1] as const,
    '  CREATE INDEX CONCURRENTLY "Überall" ON sales."Order" (a);',
  ],
  [
    "-- ä€😀\nSELECT 'ä€😀'; /* 😀 */ TRUNCATE /* ä€😀 */ t",
    ...[2, 42] as const,
    "Where it is meant: -- irori: allow truncate-table: <reason>",
  ],
  [
    '\ufeffALTER TABLE "größe 😀"\r\n  ADD a int,\r\n  ADD CHECK (a > 0)',
    ...[3, 3] as const,
    '  ALTER TABLE "größe 😀" ADD CONSTRAINT "größe 😀_check" CHECK (a > 0) NOT VALID;',
  ],
  [
    'ALTER TABLE orders\n\tALTER COLUMN "user" SET NOT NULL',
    ...[2, 2] as const,
    '  ALTER TABLE orders ADD CONSTRAINT orders_user_not_null CHECK ("user" IS NOT NULL) NOT VALID;',
  ],
  [
    "ALTER TABLE t ADD CONSTRAINT k UNIQUE (a, b)",
    ...[1, 15] as const,
    "  CREATE UNIQUE INDEX CONCURRENTLY k ON t (a, b);",
  ],
  [
    "ALTER TABLE t ADD c uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE",
    ...[1, 15] as const,
    "  ALTER TABLE t ALTER COLUMN c SET DEFAULT gen_random_uuid();",
  ],
  [
    "ALTER TABLE t ADD c serial",
    ...[1, 15] as const,
    "  ALTER TABLE t ALTER COLUMN c SET NOT NULL;",
  ],
  [
    "ALTER TABLE t ADD PRIMARY KEY (a)",
    ...[1, 15] as const,
    "  ALTER TABLE t ADD CONSTRAINT t_a_not_null CHECK (a IS NOT NULL) NOT VALID;",
  ],
  [
    "ALTER TABLE t ALTER c TYPE numeric(9,2)",
    ...[1, 15] as const,
    "  ALTER TABLE t ADD COLUMN c_new numeric(9,2);",
  ],
];

for (const [text, line, column, advice] of PLACES) {
  Deno.test(`linting names the place and the safe way of ${JSON.stringify(text)}`, async () => {
    const [problem] = await lint({ "a.sql": text });
    assertEquals([problem?.line, problem?.column], [line, column]);
    assertStringIncludes(problem?.advice?.join("\n") ?? "", advice);
  });
}

Deno.test("a finding says what is locked and for how long", async () => {
  const [problem] = await lint({ "a.sql": "CREATE INDEX i ON t (a)" });
  const expected: FileProblem = {
    severity: "warning",
    path: "a.sql",
    message: "Nobody writes to 't' while the index is built",
    line: 1,
    column: 1,
    source: "CREATE INDEX i ON t (a)",
    rule: "require-concurrent-index-creation",
    advice: [
      "Safe way, in a file that begins with '-- irori: no-transaction':",
      "  CREATE INDEX CONCURRENTLY i ON t (a);",
      "Where it is meant: -- irori: allow require-concurrent-index-creation: <reason>",
    ],
  };
  assertEquals(problem, expected);
});

Deno.test("what the grammar refuses is linted by its words, and said once", async () => {
  const notices: string[] = [];
  const text =
    "DROP TABLE ${who}.t; CREATE INDEX ${x} ON t (a); DELETE FROM t; TRUNCATE a; nonsense; SELECT";
  const rules = await rulesIn([text], { notices });
  const found = ["require-concurrent-index-creation", "delete-without-where", "truncate-table"];
  assertEquals(rules, ["drop-table", ...found]);
  assertEquals(notices.length, 1);
  assertStringIncludes(notices[0]!, "cannot read all of it");
});

Deno.test("placeholders keep their names, and secrets stay hidden", async () => {
  const text = "ALTER TABLE ${schema}.t ADD a text DEFAULT f('${password}')";
  const [problem] = await lint({ "a.sql": text }, {
    placeholders: { schema: "shop", password: "hunter2" },
  });
  assertEquals(JSON.stringify(problem).includes("hunter2"), false);
  assertStringIncludes(problem?.advice?.join("\n") ?? "", "SET DEFAULT f('${password}')");
  assertEquals([problem?.line, problem?.column], [1, 25]);
  const folded = await lint({ "a.sql": "ALTER TABLE ${api_token} ADD PRIMARY KEY (a)" }, {
    placeholders: { api_token: "Tab_ZQXJ9" },
  });
  assertEquals(/zqxj9/i.test(JSON.stringify(folded)), false);
});

Deno.test("a rule is allowed for a file, or for the statement behind it", async () => {
  const head = "-- irori: allow drop-table, truncate-table: nobody reads them\n";
  assertEquals(await rulesIn([`${head}DROP TABLE a; DROP TABLE b; TRUNCATE c`]), []);
  const locks =
    "ALTER TABLE a ADD x int;\n-- irori: allow locks-add-up: small\nALTER TABLE b ADD x int;\n";
  assertEquals(await rulesIn([locks]), []);
  assertEquals(await rulesIn([`${locks}UPDATE c SET a = 1 WHERE b;`]), ["locks-add-up"]);
  const one = "SELECT 1;\n-- irori: allow drop-table: old\nDROP TABLE a;\nDROP TABLE b;";
  const [left, ...others] = await lint({ "a.sql": one });
  assertEquals([left?.line, left?.rule, others], [4, "drop-table", []]);
});

Deno.test("what is allowed has to be a rule, and there", async () => {
  const text = "-- irori: allow drop-tables: old\nDROP TABLE a;\n" +
    "-- irori: allow drop-column: gone\nDROP TABLE b;";
  const problems = await lint({ "a.sql": text });
  assertEquals(problems.map(({ severity, line, column }) => [severity, line, column]), [
    ["warning", 2, 1],
    ["warning", 4, 1],
    ["error", 1, 17],
    ["warning", 3, 17],
  ]);
  assertStringIncludes(problems[2]!.message, "Did you mean 'drop-table'");
  assertStringIncludes(problems[3]!.message, "allows what is not there");
});

Deno.test("lint: error makes errors, off finds nothing, lint_from leaves out older files", async () => {
  const tree = {
    "1.sql": "DROP TABLE a",
    "2.sql": "CREATE TABLE t (c text)",
    "3.sql": "DROP TABLE b",
  };
  const found = async (settings: Parameters<typeof lint>[1]) =>
    (await lint(tree, settings)).map(({ path, severity }) => `${path} ${severity}`);
  assertEquals(await found({}), ["1.sql warning", "3.sql warning"]);
  assertEquals(await found({ lint: "error" }), ["1.sql error", "3.sql error"]);
  assertEquals(await found({ lint: "off" }), []);
  assertEquals(await found({ lintFrom: "2.sql" }), ["3.sql warning"]);
  // The name of the connection in front, as messages have it.
  assertEquals(await found({ lintFrom: "main/2.sql", lint: "error" }), ["main/2.sql error"]);
});

Deno.test("what an earlier file of the same run makes is new", async () => {
  const texts = ["CREATE TABLE t (a int)", "CREATE INDEX i ON t (a); DROP TABLE s"];
  assertEquals(await rulesIn(texts, { options: { isRun: true } }), ["drop-table"]);
});

const GUIDE = "docs/guide/sql-lint.md";

Deno.test("the guide allows what would be found", async () => {
  const [allowed] = blocksOf(await Deno.readTextFile(GUIDE), GUIDE)
    .filter(({ language }) => language === "sql");
  assertEquals(await rulesIn([allowed!.code]), []);
  assertEquals(await rulesIn([allowed!.code.replace(/^--.*\n/, "")]), ["drop-column"]);
});

Deno.test("the guide says of every rule what it means", async () => {
  const [, rules = ""] = (await Deno.readTextFile(GUIDE)).split("## Rules");
  const described = [...rules.matchAll(/^\| `([a-z-]+)`/gm)].map(([, rule]) => rule);
  assertEquals(described, [...RULES]);
});
