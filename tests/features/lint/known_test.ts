import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { previewRun } from "../../../src/migrations/runner/mod.ts";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { lintFiles } from "../../../src/features/lint/lint.ts";
import { classifierOf } from "../../../src/migrations/sql/execute/classifier.ts";
import { databaseTest, inSession, loadedFile, migrated } from "../../migrations/sql/support.ts";
import { workspace } from "../../e2e/command_line.ts";
import { fillInBatches } from "../../../src/features/lint/postgresql/advice.ts";
import { datasourceOf, lint, rulesIn, settingsOf, withLint } from "./support.ts";

/** The tables before the file: in an earlier file, or in the live database. */
const THERE = `
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN anything AS text;
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE TYPE pair AS (id int);
CREATE TABLE r (id bigint PRIMARY KEY, x int);
CREATE TABLE t (id bigint PRIMARY KEY, a int);
CREATE INDEX t_a ON t (a);
CREATE TABLE w (
  id bigint PRIMARY KEY, v varchar(10) CHECK (v <> 'x'), v2 varchar(10), v3 varchar(10), v4 varchar(10),
  n numeric(10,2) CHECK (n > 0), nn int, nm int, iv interval(2), d anything, p positive, m mood,
  CONSTRAINT both_there CHECK (nn IS NOT NULL AND nm > 0)
);
CREATE INDEX w_lower ON w (lower(v2));
CREATE INDEX w_part ON w (id) WHERE v3 <> '';
CREATE INDEX w_plain ON w (v4);
CREATE TABLE part (id int, d date) PARTITION BY RANGE (d);
CREATE TABLE part_rest PARTITION OF part DEFAULT;
CREATE TABLE part_new (id int, d date NOT NULL, CHECK (d >= '2020-01-01' AND d < '2021-01-01'));
CREATE VIEW vw AS SELECT 1 AS a;
CREATE MATERIALIZED VIEW mv AS SELECT 1 AS a;
`;
/** With the live database, fewer rules apply to empty tables. */
const ROWS = `
INSERT INTO r VALUES (1, 1);
INSERT INTO t VALUES (1, 1);
INSERT INTO w (id, v, n, nn, nm, p, m) VALUES (1, 'a', 1, 1, 1, 1, 'a');
INSERT INTO part VALUES (1, '2019-01-01');
INSERT INTO part_new VALUES (1, '2020-05-01');
`;
const BOUNDS = "FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')";

/** Files, and what is found in them. Each was measured on PostgreSQL 15: rows that are read, files that change. */
const FOUND: [text: string, rules: string[]][] = [
  // To widen a type is free, but for what is computed from the column.
  ["ALTER TABLE w ALTER v TYPE varchar(20)", ["changing-column-type"]],
  ["ALTER TABLE w ALTER v TYPE text", ["changing-column-type"]],
  ["ALTER TABLE w ALTER n TYPE numeric(12,2)", ["changing-column-type"]],
  ["ALTER TABLE w ALTER v2 TYPE varchar(20)", ["changing-column-type"]],
  ["ALTER TABLE w ALTER v3 TYPE varchar(20)", ["changing-column-type"]],
  ["ALTER TABLE w RENAME v3 TO v5; ALTER TABLE w ALTER v5 TYPE text", [
    "renaming-column",
    "changing-column-type",
  ]],
  ["ALTER TABLE w ALTER v4 TYPE varchar(20)", []],
  [
    "-- irori: no-transaction\nDROP INDEX CONCURRENTLY w_part;\nALTER TABLE w ALTER v3 TYPE text",
    [],
  ],
  ["ALTER TABLE w ALTER iv TYPE interval(4)", []],
  ["ALTER TABLE w ALTER iv TYPE interval(1)", ["changing-column-type"]],
  ["ALTER TABLE w ALTER iv TYPE interval year", ["changing-column-type"]],
  // Domains.
  ["ALTER TABLE w ADD z positive", ["adding-field-with-default"]],
  ["ALTER TABLE w ADD z positive DEFAULT 1", ["adding-field-with-default"]],
  ["ALTER TABLE w ADD z anything", []],
  ["ALTER TABLE w ADD z positive[]", []],
  ["ALTER TABLE w ADD z mood", []],
  ["CREATE DOMAIN y AS positive; ALTER TABLE w ADD z y", ["adding-field-with-default"]],
  ["ALTER TABLE w ALTER d TYPE text", []],
  ["ALTER TABLE w ALTER v4 TYPE anything", []],
  ["ALTER TABLE w ALTER nm TYPE positive", ["changing-column-type"]],
  ["ALTER DOMAIN positive ADD CHECK (VALUE < 100)", ["altering-domain"]],
  ["ALTER DOMAIN positive ADD CONSTRAINT c CHECK (VALUE < 100) NOT VALID", []],
  ["ALTER DOMAIN anything SET NOT NULL", ["altering-domain"]],
  ["ALTER DOMAIN positive VALIDATE CONSTRAINT positive_check", ["altering-domain"]],
  ["ALTER DOMAIN anything SET DEFAULT 'x'", []],
  ["CREATE DOMAIN y AS int; ALTER DOMAIN y SET NOT NULL", []],
  ["DROP DOMAIN positive CASCADE", ["drop-column"]],
  ["DROP TYPE mood CASCADE", ["drop-column"]],
  ["DROP TYPE mood", []],
  ["ALTER TYPE pair DROP ATTRIBUTE id CASCADE", ["drop-column"]],
  ["ALTER TYPE pair ALTER ATTRIBUTE id TYPE bigint CASCADE", ["changing-column-type"]],
  ["DROP EXTENSION hstore CASCADE; DROP OWNED BY app", ["drop-column", "drop-table"]],
  // One ALTER TABLE has one lock.
  ["ALTER TABLE t ADD CONSTRAINT q CHECK (a > 0) NOT VALID, VALIDATE CONSTRAINT q", [
    "locks-add-up",
  ]],
  [
    "ALTER TABLE t ADD CONSTRAINT q FOREIGN KEY (a) REFERENCES r NOT VALID, VALIDATE CONSTRAINT q",
    ["locks-add-up"],
  ],
  // Rows of the default partition may belong to a new one.
  [`ALTER TABLE part ATTACH PARTITION part_new ${BOUNDS}`, ["attach-partition-scans"]],
  [`CREATE TABLE part3 PARTITION OF part ${BOUNDS}`, ["attach-partition-scans"]],
  [`CREATE TABLE p (a int) PARTITION BY RANGE (a); CREATE TABLE p0 PARTITION OF p DEFAULT`, []],
  // A name is that of a temporary table first, of the files' own one else.
  ["CREATE TEMP TABLE t (id int); DROP TABLE public.t", ["drop-table"]],
  ["CREATE TEMP TABLE t (id int); UPDATE public.t SET a = 1", ["update-without-where"]],
  ["CREATE TEMP TABLE t (id int); DROP TABLE t", []],
  ["CREATE TEMP TABLE t AS SELECT 1; DROP TABLE t; DROP TABLE t", ["drop-table"]],
  ["CREATE TABLE IF NOT EXISTS t (id int); DROP TABLE t", ["drop-table"]],
  ["CREATE TABLE IF NOT EXISTS t AS SELECT 1; UPDATE t SET a = 1", ["update-without-where"]],
  ["CREATE TABLE IF NOT EXISTS another (id int); DROP TABLE another", []],
  ["DROP TABLE t; CREATE TABLE IF NOT EXISTS t (a int); CREATE INDEX i ON t (a)", ["drop-table"]],
  // A lock is held until the end of the file.
  ["CREATE TABLE n (a bigint REFERENCES r); UPDATE t SET a = 2 WHERE id < 9", ["locks-add-up"]],
  ["CREATE TABLE n (a bigint REFERENCES r); INSERT INTO n SELECT id FROM t", ["locks-add-up"]],
  ["CREATE TABLE n (a bigint REFERENCES r); INSERT INTO n VALUES (1)", []],
  ["CREATE TABLE n (a bigint); ALTER TABLE n ADD FOREIGN KEY (a) REFERENCES r", []],
  [
    "CREATE TABLE n (a bigint); ALTER TABLE n ADD FOREIGN KEY (a) REFERENCES r; UPDATE t SET a = 2 WHERE id < 9",
    ["locks-add-up"],
  ],
  [
    "CREATE TRIGGER g BEFORE UPDATE ON r FOR EACH ROW EXECUTE FUNCTION f(); UPDATE t SET a = 2 WHERE id < 9",
    ["locks-add-up"],
  ],
  ["ALTER TABLE t ADD z int; SELECT count(*) FROM r", ["locks-add-up"]],
  ["ALTER TABLE t ADD z int; SELECT set_config('a.b', relname, true) FROM pg_class", []],
  ["DROP INDEX t_a; UPDATE r SET x = 1 WHERE id < 9", ["locks-add-up"]],
  ["ALTER TABLE t RENAME TO s; ALTER TABLE s ADD z int", ["renaming-table"]],
  ["ALTER TABLE t SET SCHEMA other; ALTER TABLE other.t ADD z int", ["renaming-table"]],
  // Conditions that are none, and statements within others.
  ["UPDATE t SET a = 1 WHERE true; DELETE FROM t WHERE 1=1", [
    "update-without-where",
    "delete-without-where",
  ]],
  ["UPDATE t SET a = 1 WHERE a = 1; DELETE FROM t WHERE 1 = 10", []],
  ["EXPLAIN ANALYZE DELETE FROM t; EXPLAIN DELETE FROM t", ["delete-without-where"]],
  // Whole indexes and tables.
  ["ALTER TABLE ALL IN TABLESPACE a SET TABLESPACE b", ["rewriting-table"]],
  ["ALTER INDEX t_a SET TABLESPACE b", ["rewriting-table"]],
  // Names that others read.
  ["ALTER VIEW vw RENAME TO vw2; ALTER MATERIALIZED VIEW mv RENAME TO mv2", [
    "renaming-table",
    "renaming-table",
    "locks-add-up",
  ]],
  ["ALTER VIEW vw RENAME COLUMN a TO b", ["renaming-column"]],
  ["ALTER SCHEMA public RENAME TO other", ["renaming-table"]],
  ["CREATE VIEW v2 AS SELECT 1; ALTER VIEW v2 RENAME TO v3", []],
  // A validated CHECK proves it.
  ["ALTER TABLE w ALTER nn SET NOT NULL", []],
  ["ALTER TABLE w ALTER nm SET NOT NULL", ["adding-not-nullable-field"]],
];

for (const [text, rules] of FOUND) {
  Deno.test(`linting finds ${rules.join(", ") || "nothing"} in ${text}`, async () => {
    assertEquals([...await rulesIn([THERE, text])].sort(), [...rules].sort());
  });
}

const LONG = "x".repeat(60_000);
/** Statements that are too long for the grammar, or too deep for recursion, are still linted. */
const LARGE: [what: string, text: string, rules: string[]][] = [
  [
    "a deep expression",
    `ALTER TABLE t ADD x text DEFAULT ${Array(5000).fill("'a'").join("||")}`,
    [],
  ],
  [
    "a deep DEFAULT",
    `ALTER TABLE t ADD x text DEFAULT ${"lower(".repeat(3000)}f()${")".repeat(3000)}`,
    [
      "adding-field-with-default",
    ],
  ],
  ["a long UPDATE", `UPDATE t SET a = '${LONG}'`, ["unchecked-statement", "update-without-where"]],
  ["a long UPDATE with WHERE", `UPDATE t SET a = '${LONG}' WHERE id = 1`, []],
  ["a long list", `DELETE FROM t WHERE a IN (${Array(50_000).fill("1").join()})`, []],
  ["a long DELETE", `DELETE FROM t /* ${LONG} */`, ["delete-without-where"]],
];

for (const [what, text, rules] of LARGE) {
  Deno.test(`linting ${what} finds ${rules.join(", ") || "nothing"}`, async () => {
    assertEquals(await rulesIn([THERE, text]), rules);
  });
}

databaseTest(
  "plan finds the same with the live database as validate with the earlier files",
  postgresql,
  postgresql.postgresqlMissing,
  async (created) => {
    await migrated(created, { "1.sql": THERE });
    await postgresql.query(created, ROWS);
    const different: string[] = [];
    for (const [text, rules] of FOUND) {
      const tree = { "1.sql": THERE, "2.sql": text };
      const plan = await inSession(withLint(created), (session, files) => {
        return previewRun(session, files);
      }, tree);
      const found = plan.steps.flatMap(({ findings = [] }) => findings.map(({ rule }) => rule));
      if (found.sort().join() !== [...rules].sort().join()) different.push(`${text}: ${found}`);
    }
    assertEquals(different, []);
  },
);

/** Facts of the database beside types: whether there are rows, policies, and tables at all. */
const LIVE: [text: string, rules: string[]][] = [
  ["DROP TABLE IF EXISTS never_was", []],
  ["DROP TABLE IF EXISTS full_one", ["drop-table"]],
  ["CREATE INDEX i ON empty_one (a); TRUNCATE empty_one", []],
  ["UPDATE empty_one SET a = 1; DELETE FROM empty_one", []],
  ["ALTER TABLE empty_one ALTER a TYPE text; ALTER TABLE empty_one ADD b int NOT NULL", []],
  ["CREATE INDEX i ON empty_parts (a)", []],
  ["ALTER TABLE empty_one DROP a; ALTER TABLE empty_one RENAME TO x", [
    ...["drop-column", "renaming-table"],
  ]],
  ["CREATE INDEX i ON full_one (a)", ["require-concurrent-index-creation"]],
  ["INSERT INTO empty_one VALUES (1); TRUNCATE empty_one", ["truncate-table"]],
  // Rows that come with other tables.
  [
    "ALTER TABLE empty_parts ATTACH PARTITION one FOR VALUES IN (1); CREATE INDEX i ON empty_parts (a)",
    [
      ...["attach-partition-scans", "attach-partition-scans", "require-concurrent-index-creation"],
    ],
  ],
  ["ALTER TABLE full_one INHERIT empty_one; ALTER TABLE empty_one ALTER a TYPE bigint", [
    ...["changing-column-type", "locks-add-up"],
  ]],
  [
    "DROP TABLE empty_one; ALTER TABLE full_one RENAME TO empty_one; CREATE INDEX i ON empty_one (a)",
    [
      ...["drop-table", "renaming-table", "require-concurrent-index-creation", "locks-add-up"],
    ],
  ],
  ["ALTER TABLE empty_parent ALTER a TYPE bigint", ["changing-column-type"]],
  ["REFRESH MATERIALIZED VIEW CONCURRENTLY mv; CREATE INDEX i ON mv (a)", [
    "require-concurrent-index-creation",
  ]],
  ["TRUNCATE empty_parent; DELETE FROM empty_parent; ALTER TABLE empty_parent ADD CHECK (a > 0)", [
    ...["truncate-table", "delete-without-where", "locks-add-up", "constraint-missing-not-valid"],
  ]],
  ["ALTER TABLE empty_parent ADD b float DEFAULT random()", ["adding-field-with-default"]],
  ["TRUNCATE empty_one CASCADE", ["truncate-table"]],
  // Names that no longer mean what the database was asked about.
  ["ALTER TABLE full_one RENAME TO never_was; DROP TABLE IF EXISTS never_was", [
    ...["renaming-table", "drop-table"],
  ]],
  ["ALTER TABLE full_one SET/**/SCHEMA other; DROP TABLE IF EXISTS other.full_one", [
    ...["renaming-table", "drop-table"],
  ]],
  ["SET ROLE r; DROP TABLE IF EXISTS never_was; TRUNCATE empty_one", [
    ...["drop-table", "truncate-table"],
  ]],
  ["SET SESSION AUTHORIZATION r; TRUNCATE empty_one", ["truncate-table"]],
  ["SET search_path TO nowhere, public; DROP TABLE IF EXISTS full_one", ["drop-table"]],
  ["CREATE TABLE IF NOT EXISTS never_was (a int); TRUNCATE never_was", []],
  ["CREATE TABLE IF NOT EXISTS full_one (a int); TRUNCATE full_one", ["truncate-table"]],
  ["ALTER TABLE full_one ENABLE ROW LEVEL SECURITY", ["enabling-row-security"]],
  ["ALTER TABLE guarded ENABLE ROW LEVEL SECURITY", []],
  ["ALTER TABLE full_one ALTER id DROP DEFAULT", ["restricting-inserts"]],
  ["ALTER TABLE full_one ALTER a DROP DEFAULT", []],
  ["DELETE FROM full_one WHERE id IS NOT NULL", ["delete-without-where"]],
  ["DELETE FROM full_one WHERE a IS NOT NULL", []],
  ["CREATE RULE r AS ON INSERT TO a_view DO INSTEAD NOTHING", []],
  ["CREATE RULE r AS ON INSERT TO full_one DO INSTEAD NOTHING", ["replacing-statements"]],
  ["ALTER TABLE full_index RENAME TO another_index", []],
];

databaseTest(
  "plan asks the live database for rows, policies and missing tables",
  postgresql,
  postgresql.postgresqlMissing,
  async (created) => {
    await postgresql.query(
      created,
      `CREATE TABLE empty_one (id int, a int);
      CREATE TABLE empty_parts (a int) PARTITION BY LIST (a);
      CREATE TABLE empty_part PARTITION OF empty_parts DEFAULT;
      CREATE TABLE full_one (id serial PRIMARY KEY, a int);
      CREATE INDEX full_index ON full_one (a);
      INSERT INTO full_one VALUES (1, 1);
      CREATE TABLE one AS SELECT 1 AS a;
      CREATE TABLE empty_parent (a int);
      CREATE TABLE full_child () INHERITS (empty_parent);
      INSERT INTO full_child VALUES (1);
      CREATE MATERIALIZED VIEW mv AS SELECT 1 AS a WHERE false;
      CREATE TABLE guarded AS SELECT 1 AS a;
      CREATE POLICY p ON guarded USING (true);
      CREATE VIEW a_view AS SELECT 1 AS a`,
    );
    const different: string[] = [];
    for (const [text, rules] of LIVE) {
      const plan = await inSession(
        withLint(created),
        (session, files) => previewRun(session, files, { yes: true }),
        { "1.sql": text },
      );
      const found = plan.steps.flatMap(({ findings = [] }) => findings.map(({ rule }) => rule));
      if (found.join() !== rules.join()) different.push(`${text}: ${found}`);
    }
    assertEquals(different, []);
  },
);

databaseTest(
  "a locked table delays plan for a second, and is reported without its size",
  postgresql,
  postgresql.postgresqlMissing,
  async (created) => {
    await migrated(created, { "1.sql": THERE });
    const client = await postgresql.connect(created);
    try {
      await client.query("BEGIN; LOCK TABLE t");
      const tree = { "1.sql": THERE, "2.sql": "CREATE INDEX i ON t (a)" };
      const notices: string[] = [];
      const started = performance.now();
      const plan = await inSession(
        withLint(created),
        (session, files) => previewRun(session, files),
        tree,
        { onNotice: (message) => notices.push(message) },
      );
      assert(performance.now() - started < 20_000);
      const [finding] = plan.steps.flatMap(({ findings = [] }) => findings);
      assertEquals(finding?.rule, "require-concurrent-index-creation");
      assertStringIncludes(finding?.advice?.[0] ?? "", "Safe way");
      assertStringIncludes(notices.join(), "lock timeout");
    } finally {
      await client.end();
    }
  },
);

databaseTest(
  "a column is to become nullable before it is dropped only where the database says that it must",
  postgresql,
  postgresql.postgresqlMissing,
  async (created) => {
    const first = "CREATE TABLE d (must int NOT NULL, given int NOT NULL DEFAULT 1, may int, " +
      "counted int NOT NULL GENERATED ALWAYS AS IDENTITY)";
    await migrated(created, { "1.sql": first });
    const columns = ["must", "given", "may", "counted"];
    const drops = columns.map((column) => `ALTER TABLE d DROP COLUMN ${column};`).join("\n");
    const plan = await inSession(
      withLint(created),
      (session, files) => previewRun(session, files),
      { "1.sql": first, "2.sql": drops },
      {},
    );
    const findings = plan.steps.flatMap(({ findings = [] }) => findings);
    assertEquals(findings.map(({ advice = [] }) => advice[0]), [
      "Safe way: first, in a file of its own:",
      ...Array(3).fill("Safe way: first a release that does not use the column, then this file"),
    ]);
  },
);

Deno.test("a table counts as missing only when the database has answered", async () => {
  const datasource = datasourceOf("postgresql");
  const classifier = await classifierOf(datasource);
  const text = "DROP TABLE IF EXISTS t; CREATE TABLE IF NOT EXISTS s (a int); TRUNCATE s";
  const file = await classifier.classify(await loadedFile("1.sql", text));
  const query = () => Promise.reject(new Error("canceling statement due to lock timeout"));
  const settings = await settingsOf(datasource, { database: { query } });
  const problems = await lintFiles([file], { isRun: true }, settings);
  assertEquals(problems.map(({ rule }) => rule), ["drop-table", "truncate-table"]);
});

/** Statements, and lines of the safe way. */
const ADVICE: [text: string, lines: string[], not?: string][] = [
  ["ALTER TABLE t ADD z float DEFAULT random()", [
    "  -- irori: batches of 5000 by id",
    "  UPDATE t SET z = DEFAULT WHERE ${irori.batch} AND z IS NULL;",
  ]],
  ["DELETE FROM ONLY t", ["DELETE FROM ONLY t WHERE ${irori.batch};"]],
  ["WITH x AS (DELETE FROM t RETURNING *) INSERT INTO r SELECT * FROM x", [
    "the same statement for a few thousand rows",
  ], "DELETE FROM t WHERE"],
  ["DELETE FROM t USING r", ["the same statement for a few thousand rows"], "DELETE FROM t WHERE"],
  [
    "ALTER TABLE t ADD CONSTRAINT k UNIQUE NULLS NOT DISTINCT (a) INCLUDE (id) DEFERRABLE INITIALLY DEFERRED",
    [
      "CREATE UNIQUE INDEX CONCURRENTLY k ON t (a) INCLUDE (id) NULLS NOT DISTINCT;",
      "UNIQUE USING INDEX k DEFERRABLE INITIALLY DEFERRED;",
    ],
  ],
  ["ALTER TABLE t ADD z int GENERATED ALWAYS AS (a + (1)) STORED NOT NULL", [
    "SET z = (a + (1)) WHERE",
  ]],
  [
    "ALTER TABLE part ADD UNIQUE (d)",
    ["'part' is partitioned. Safe way: add the same constraint to each partition first"],
    "CONCURRENTLY",
  ],
  ["ALTER TABLE public.t ADD z serial", ["  CREATE SEQUENCE public.t_z_seq;"]],
  ["ALTER TABLE w ALTER v2 TYPE text", ["  DROP INDEX CONCURRENTLY w_lower;"]],
];

for (const [text, lines, not] of ADVICE) {
  Deno.test(`the safe way of ${text} does what the statement does`, async () => {
    const [problem] = (await lint({ "1.sql": THERE, "2.sql": text }))
      .filter(({ path }) => path === "2.sql");
    const advice = problem?.advice?.join("\n") ?? "";
    for (const line of lines) assertStringIncludes(advice, line);
    if (not !== undefined) assertEquals(advice.includes(not), false, advice);
  });
}

databaseTest(
  "rows are filled in batches as the safe way says, those of every partition",
  postgresql,
  postgresql.postgresqlMissing,
  async (created) => {
    const url = new URL(Deno.env.get("TEST_PG_URL")!);
    url.pathname = created.database;
    const advice = fillInBatches("pp", "z = DEFAULT", "z IS NULL").join("\n");
    await using space = await workspace({
      "config/application.yml":
        `datasource: [{ name: main, url: "${url.href}", migrations: { enabled: true } }]\n`,
      "migrations/main/1.sql":
        "CREATE TABLE pp (id int PRIMARY KEY, z float) PARTITION BY RANGE (id);" +
        "CREATE TABLE p1 PARTITION OF pp FOR VALUES FROM (1) TO (9000); CREATE TABLE p2 PARTITION OF pp DEFAULT;" +
        "INSERT INTO pp SELECT n, CASE n % 2 WHEN 0 THEN 7 END FROM generate_series(1, 30000) n;" +
        "ALTER TABLE pp ALTER COLUMN z SET DEFAULT 5",
      "migrations/main/2_backfill.sql": advice.replaceAll(/^ {2}/gm, ""),
    });
    for (const args of [["migrate"], ["backfill", "run"]]) {
      const { code, stdout, stderr } = await space.run(...args);
      assertEquals(code, 0, stdout + stderr);
    }
    const rows = await postgresql.query(
      created,
      "SELECT z, count(*)::int AS n FROM pp GROUP BY z ORDER BY z",
    );
    assertEquals(rows, [{ z: 5, n: 15000 }, { z: 7, n: 15000 }]);
  },
);
