/** Statements of MySQL and MariaDB that fail and leave something behind. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  InterruptedError,
  MigrationFailedError,
  previewRun,
} from "../../../src/migrations/runner/mod.ts";
import type { Datasource } from "../../../src/migrations/sql/mod.ts";
import * as mysql from "./mysql_support.ts";
import { databaseTest, failing, inSession, migrate, migrated, outcomes, until } from "./support.ts";

const test = (name: string, body: (datasource: Datasource) => Promise<void>) =>
  databaseTest(`MySQL ${name}`, mysql, mysql.mysqlMissing, body);

const FAILING:
  readonly (readonly [name: string, first: string, second: string, partial: boolean])[] = [
    ["a list that is dropped", "CREATE TABLE a (n INT)", "DROP TABLE a, missing", true],
    [
      "rows of an engine without transactions",
      "CREATE TABLE a (n INT PRIMARY KEY) ENGINE=MyISAM",
      "INSERT INTO a VALUES (1), (2), (2)",
      true,
    ],
    [
      "rows of InnoDB",
      "CREATE TABLE a (n INT PRIMARY KEY)",
      "INSERT INTO a VALUES (1), (2), (2)",
      false,
    ],
    [
      "rows of InnoDB beside a table whose name is a part of a word",
      "CREATE TABLE a (n INT PRIMARY KEY); CREATE TABLE val (n INT) ENGINE=MyISAM",
      "INSERT INTO a VALUES (1), (2), (2)",
      false,
    ],
    [
      "rows of a name that is no word",
      "CREATE TABLE `a b` (n INT PRIMARY KEY) ENGINE=MyISAM",
      "INSERT INTO `a b` VALUES (1), (2), (2)",
      true,
    ],
    ["one thing that is dropped", "CREATE TABLE a (n INT)", "DROP TABLE missing", false],
  ];

for (const [name, first, second, isPartial] of FAILING) {
  test(`says ${isPartial ? "of" : "nothing of"} ${name} that a part may be done`, async (datasource) => {
    await migrated(datasource, { "1.sql": first });
    const tree = { "1.sql": first, "2.sql": second };
    const error = await failing(MigrationFailedError, datasource, tree);
    const expected = isPartial ? "resolve 2.sql --applied" : "Nothing of the file is applied";
    assertStringIncludes(error.message, expected);
    const next = await migrate(datasource, tree);
    assertEquals(next.error instanceof InterruptedError, isPartial);
  });
}

test("counts what 'XA PREPARE' has prepared as applied: it outlives the session", async (datasource) => {
  const xid = `'${datasource.database}'`;
  const branch = `XA START ${xid}; INSERT INTO a VALUES (1); XA END ${xid}; XA PREPARE ${xid};`;
  const tree = { "1.sql": "CREATE TABLE a (n INT);", "2.sql": `${branch} SELECT nothing;` };
  try {
    const error = await failing(MigrationFailedError, datasource, tree);
    assertStringIncludes(error.message, "Of 5 statements 1 to 4 are applied");
    assertStringIncludes(error.message, "resolve 2.sql --applied");
    assertEquals((await migrate(datasource, tree)).error instanceof InterruptedError, true);
  } finally {
    // Others on the server would find it in their way.
    await mysql.query(datasource, `XA COMMIT ${xid}`);
  }
  assertEquals((await mysql.query(datasource, "SELECT * FROM a")).length, 1);
});

test("plan does not take a run that is at work for one that was cut off", async (datasource) => {
  const gate = "irori_test_gate";
  await using held = await holding(datasource, gate);
  const tree = { "1.sql": `SELECT GET_LOCK('${gate}', 30);` };
  const running = migrate(datasource, tree);
  await until(async () => {
    // Not by the gate's name: the query of an earlier round names it, too, and its session may still be closing.
    const sql = "SELECT 1 FROM information_schema.PROCESSLIST " +
      "WHERE DB = database() AND STATE = 'User lock'";
    return (await mysql.query(datasource, sql)).length > 0;
  });
  const { steps, notices } = await inSession(datasource, previewRun, tree);
  assertEquals(steps.map(({ file }) => file), ["1.sql"]);
  assertStringIncludes(notices.map(({ message }) => message).join(), " is at work (");
  await held.release();
  const report = await running;
  assertEquals([report.error, outcomes(report)], [undefined, ["1.sql applied"]]);
});

/** Holds a lock of the server by a session of its own. */
async function holding(datasource: Datasource, name: string) {
  const client = await mysql.connect(datasource);
  await client.query(`SELECT GET_LOCK('${name}', 0)`);
  let isOpen = true;
  const release = async () => {
    if (isOpen) await client.end();
    isOpen = false;
  };
  return { release, [Symbol.asyncDispose]: release };
}
