import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  ConnectionError,
  InvalidFilesError,
  MigrationFailedError,
} from "../../../src/migrations/runner/mod.ts";
import { testSqlDialect } from "../../contracts/sql_dialect.ts";
import { SQLITE } from "./dialects.ts";
import { create, folder, query } from "./sqlite_support.ts";
import { failing, migrate, migrated, outcomes } from "./support.ts";

testSqlDialect(SQLITE);

Deno.test("SQLite runs triggers whole", async () => {
  const datasource = await create();
  const text = "CREATE TABLE a (id INT, type TEXT);\n" +
    "CREATE TRIGGER t AFTER INSERT ON a WHEN new.id > 1 BEGIN\n" +
    "  UPDATE a SET type = CASE WHEN id > 2 THEN 'big' ELSE 'small' END;\n" +
    "  DELETE FROM a WHERE id = 3;\nEND;\nINSERT INTO a (id) VALUES (2), (3);";
  await migrated(datasource, { "1.sql": text });
  assertEquals(await query(datasource, "SELECT * FROM a"), [{ id: 2, type: "small" }]);
});

Deno.test("SQLite refuses inside a transaction what does nothing or fails there", async () => {
  const datasource = await create();
  for (
    const statement of [
      "VACUUM",
      "PRAGMA foreign_keys = ON",
      "PRAGMA main.journal_mode(wal)",
      'PRAGMA "synchronous" = 0',
      "/* c */ attach 'x.db' AS x",
    ]
  ) {
    const error = await failing(InvalidFilesError, datasource, {
      "1.sql": `SELECT 1; ${statement};`,
    });
    assertMatch(error.message, /^main\/1\.sql:1:1\d: .*no-transaction/i);
  }
  await migrated(datasource, { "1.sql": "PRAGMA foreign_keys;\nPRAGMA user_version = 7;" });
  await migrated(datasource, {
    "1.sql": "PRAGMA foreign_keys;\nPRAGMA user_version = 7;",
    "2.sql": "-- irori: no-transaction\nPRAGMA journal_mode = WAL;\nVACUUM;",
  });
  assertEquals(await query(datasource, "PRAGMA journal_mode"), [{ journal_mode: "wal" }]);
});

Deno.test("SQLite's own way to rebuild a table keeps child rows in a no-transaction file", async () => {
  const datasource = await create();
  const tree = {
    "1.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY);\n" +
      "CREATE TABLE c (p INT REFERENCES p ON DELETE CASCADE);\n" +
      "INSERT INTO p VALUES (1); INSERT INTO c VALUES (1);",
    "2.sql": "-- irori: no-transaction\nPRAGMA foreign_keys = OFF;\nBEGIN;\n" +
      "CREATE TABLE n (id INTEGER PRIMARY KEY, more INT);\nINSERT INTO n (id) SELECT id FROM p;\n" +
      "DROP TABLE p;\nALTER TABLE n RENAME TO p;\nCOMMIT;\n",
    "3.sql": "INSERT INTO p VALUES (2, 2); DELETE FROM p WHERE id = 2;",
  };
  await migrated(datasource, tree);
  assertEquals(await query(datasource, "SELECT * FROM c"), [{ p: 1 }]);
});

Deno.test("SQLite rolls a file back whose PRAGMA foreign_key_check finds rows", async () => {
  const datasource = await create();
  const tree = {
    "1.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY);\nCREATE TABLE c (p INT REFERENCES p);\n" +
      "INSERT INTO p VALUES (1); INSERT INTO c VALUES (1); PRAGMA foreign_key_check;",
    "2.sql": "PRAGMA foreign_keys = OFF;\nCREATE TABLE n (id INTEGER PRIMARY KEY);\n" +
      "DROP TABLE p;\nALTER TABLE n RENAME TO p;\nPRAGMA foreign_key_check (c);\n" +
      "PRAGMA foreign_keys = ON;",
  };
  for (
    const name of ["foreign_key_check", "main.foreign_key_check", '/**/ main . "Foreign_Key_Check"']
  ) {
    const checked = { ...tree, "2.sql": tree["2.sql"].replace("foreign_key_check", name) };
    const error = await failing(MigrationFailedError, datasource, checked);
    assertStringIncludes(error.message, "PRAGMA foreign_key_check finds rows");
    assertEquals(await query(datasource, "SELECT * FROM p"), [{ id: 1 }]);
  }
  const unchecked = tree["2.sql"].replace("PRAGMA foreign_key_check (c);", "");
  assertEquals(
    outcomes(await migrated(datasource, { ...tree, "2.sql": unchecked })).at(-1),
    "2.sql applied",
  );
});

Deno.test("SQLite is opened as its own program opens it, whatever the file before has set", async () => {
  const datasource = await create();
  const report = await migrated(datasource, {
    "1.sql": "-- irori: no-transaction\nPRAGMA foreign_keys = ON;",
    "2.sql": "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INT REFERENCES p);\n" +
      "INSERT INTO c VALUES (1);",
    "3.sql": 'CREATE TABLE t (v TEXT DEFAULT "none"); INSERT INTO t VALUES ("double; quoted");',
  });
  assertEquals(outcomes(report), ["1.sql applied", "2.sql applied", "3.sql applied"]);
  assertEquals(await query(datasource, "SELECT v FROM t"), [{ v: "double; quoted" }]);
});

Deno.test("SQLite creates the file of a database, not its folder", async () => {
  const database = `${folder}/nowhere/app.db`;
  const error = await failing(ConnectionError, await create({ database }), { "1.sql": "SELECT 1" });
  assertEquals(error.message, `Cannot open '${database}': there is no folder '${folder}/nowhere'`);
});

Deno.test("SQLite creates no database to read that it is empty", async () => {
  const datasource = await create();
  await migrated(datasource, {});
  assertEquals(await Deno.stat(datasource.database).catch(() => "nothing"), "nothing");
});

Deno.test("SQLite refuses a database in memory except where it is allowed", async () => {
  const datasource = await create({ database: ":memory:" });
  const error = await failing(ConnectionError, datasource, { "1.sql": "SELECT 1" });
  assertStringIncludes(error.message, "the database ends with the run");
  const tree = { "1.sql": "CREATE TABLE a (id INT);", "2.sql": "INSERT INTO a VALUES (1)" };
  assertEquals(outcomes(await migrated(datasource, tree, { allowMemory: true })), [
    "1.sql applied",
    "2.sql applied",
  ]);
});

Deno.test("SQLite names a file that is no database", async () => {
  const datasource = await create();
  await Deno.writeTextFile(
    datasource.database,
    "no database at all, but long enough to be read as one",
  );
  const error = await failing(ConnectionError, datasource, { "1.sql": "SELECT 1" });
  assertStringIncludes(error.message, "file is not a database");
});

Deno.test("SQLite says that commands of the sqlite3 program are no SQL", async () => {
  const error = await failing(InvalidFilesError, await create(), {
    "1.sql": ".mode csv\nSELECT 1;",
  });
  assertStringIncludes(error.message, "'.mode' is a command of the sqlite3 program");
});

Deno.test("SQLite rebuilds a table in one transaction, as Drizzle and Prisma write it", async () => {
  const datasource = await create();
  const tree = {
    "0000_a.sql": "CREATE TABLE a (id INTEGER PRIMARY KEY, n INT);\n" +
      "CREATE TABLE b (a INT REFERENCES a (id) ON DELETE CASCADE);\n" +
      "INSERT INTO a VALUES (1, 2);\nINSERT INTO b VALUES (1);\n",
  };
  await migrated(datasource, tree);
  const rebuild = [
    "PRAGMA defer_foreign_keys=ON;",
    "PRAGMA foreign_keys=OFF;",
    "CREATE TABLE __new_a (id INTEGER PRIMARY KEY, n TEXT);",
    "INSERT INTO __new_a SELECT id, n FROM a;",
    "DROP TABLE a;",
    "ALTER TABLE __new_a RENAME TO a;",
    "PRAGMA foreign_keys=ON;",
    "CREATE INDEX a_n ON a (n);",
  ].join("--> statement-breakpoint\n");
  const broken = `${rebuild}\nCREATE TABLE a (n INT);`;
  const { error } = await migrate(datasource, { ...tree, "0001_b.sql": broken });
  assertMatch(error!.message, /already exists/);
  assertEquals((await query(datasource, "SELECT typeof(n) AS type FROM a"))[0]?.type, "integer");
  await migrated(datasource, { ...tree, "0001_b.sql": rebuild });
  assertEquals((await query(datasource, "SELECT typeof(n) AS type FROM a"))[0]?.type, "text");
  assertEquals((await query(datasource, "SELECT * FROM b")).length, 1);
  const second = [
    "CREATE TABLE `__new_b` (`a` int);",
    'INSERT INTO `__new_b`("a") SELECT "a" FROM `b`;',
    "DROP TABLE `b`;",
    "ALTER TABLE `__new_b` RENAME TO `b`;",
  ].join("--> statement-breakpoint\n");
  const both = rebuild.replace("CREATE INDEX a_n ON a (n);", second);
  await migrated(datasource, { "0002_both.sql": both });
  assertEquals((await query(datasource, "SELECT * FROM b")).length, 1);
  // Schemas, comments, and quotes within names.
  const spelled = second.replaceAll("`__new_b`", '"__new ""b"')
    .replace("INTO ", "INTO /* all */ main.").replace(
      "DROP TABLE `b`",
      "DROP TABLE IF EXISTS main.B",
    );
  await migrated(datasource, {
    "0003_b.sql": rebuild.replace("CREATE INDEX a_n ON a (n);", spelled),
  });
  assertEquals((await query(datasource, "SELECT * FROM b")).length, 1);
  const cascading = await migrate(datasource, { "2.sql": `${rebuild}\nDELETE FROM a;` });
  assertMatch(cascading.error!.message, /PRAGMA foreign_keys cannot run inside a transaction/);
});
