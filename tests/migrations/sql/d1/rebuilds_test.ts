import { assertEquals, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { guarded, refusalsOf } from "../../../../src/migrations/sql/engines/d1/rebuilds.ts";
import { SQLITE } from "../../../../src/migrations/sql/engines/sqlite/dialect.ts";
import { split } from "../../../../src/migrations/sql/syntax/splitter.ts";
import type { BatchClient } from "../../../../src/migrations/sql/engines/sqlite/driver.ts";

const TABLES = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE cats (id INTEGER PRIMARY KEY);
  CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
    cat_id INTEGER REFERENCES cats (id) ON DELETE SET NULL);
  CREATE TABLE comments (id INTEGER PRIMARY KEY, post_id INTEGER REFERENCES posts ON DELETE CASCADE);
  CREATE TABLE "Ärzte" (id INTEGER PRIMARY KEY);
  CREATE TABLE visits (id INTEGER PRIMARY KEY, doctor INTEGER REFERENCES "Ärzte" (id) ON DELETE CASCADE);
  CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree (id) ON DELETE CASCADE);
  CREATE TABLE plain (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED);`;
const ROWS = `
  INSERT INTO users VALUES (1, 'a'); INSERT INTO cats VALUES (1); INSERT INTO posts VALUES (1, 1, 1);
  INSERT INTO comments VALUES (1, 1); INSERT INTO "Ärzte" VALUES (1); INSERT INTO visits VALUES (1, 1);
  INSERT INTO tree VALUES (1, NULL), (2, 1);`;

const NEW_USERS = `CREATE TABLE __new_users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  INSERT INTO __new_users SELECT id, name FROM users;`;
const COPIES = `CREATE TABLE c AS SELECT * FROM comments; DELETE FROM comments;
  CREATE TABLE p AS SELECT * FROM posts; DELETE FROM posts;`;
const BACK = `INSERT INTO posts SELECT * FROM p; INSERT INTO comments SELECT * FROM c;
  DROP TABLE p; DROP TABLE c;`;

/** Files, what the refusal of each says, nothing where it runs, and what the plan says, where that is something else. */
const FILES: Readonly<
  Record<
    string,
    readonly [file: string, refused?: string | undefined, planned?: string | undefined]
  >
> = {
  "a rebuild": [
    `${NEW_USERS} DROP TABLE users; ALTER TABLE __new_users RENAME TO users`,
    "DROP TABLE users would delete 1 row of 'posts'",
  ],
  "a rebuild, renamed first": [
    "ALTER TABLE users RENAME TO old; CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users SELECT * FROM old; DROP TABLE old",
    "1 row of 'posts'",
  ],
  "a rebuild without foreign keys": [
    `PRAGMA foreign_keys = OFF; ${NEW_USERS} DROP TABLE users; ALTER TABLE __new_users RENAME TO users; PRAGMA foreign_keys = ON`,
    "1 row of 'posts'",
  ],
  "a drop alone": ["DROP TABLE cats", "would change 1 row of 'posts' (ON DELETE SET NULL)"],
  "names in quotes, schemas and comments": [
    `/* a */ DROP /* b */ TABLE IF EXISTS main . [USERS]`,
    "1 row of 'posts'",
  ],
  "a copy that refers to the table that it replaces": [
    "CREATE TABLE t2 (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree (id) ON DELETE CASCADE); INSERT INTO t2 SELECT * FROM tree; DROP TABLE tree; ALTER TABLE t2 RENAME TO tree",
    "1 row of 't2' (ON DELETE CASCADE): change the table without dropping it, let 't2' refer to itself",
  ],
  "a table that is renamed and rebuilt": [
    "ALTER TABLE users RENAME TO people; CREATE TABLE people_new (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people_new SELECT * FROM people; DROP TABLE people; ALTER TABLE people_new RENAME TO people",
    "1 row of 'posts'",
  ],
  "a column that is added and filled": [
    "ALTER TABLE tree ADD COLUMN visit INTEGER REFERENCES visits (id) ON DELETE CASCADE; UPDATE tree SET visit = 1; DROP TABLE visits",
    "2 rows of 'tree'",
    "perhaps",
  ],
  "two tables that are rebuilt together": [
    'CREATE TABLE d2 (id INTEGER PRIMARY KEY); INSERT INTO d2 SELECT * FROM "Ärzte"; CREATE TABLE v2 (id INTEGER PRIMARY KEY, doctor INTEGER REFERENCES d2 (id) ON DELETE CASCADE); INSERT INTO v2 SELECT * FROM visits; DROP TABLE visits; DROP TABLE "Ärzte"; ALTER TABLE d2 RENAME TO "Ärzte"; ALTER TABLE v2 RENAME TO visits',
  ],
  "names in single quotes behind a schema": [
    "ALTER TABLE 'users' RENAME TO 'old'; DROP TABLE main.'old'",
    "1 row of 'posts'",
  ],
  "a name in single quotes": ["DROP TABLE 'users'", "1 row of 'posts'"],
  "a name with a capital that is not of ASCII": ['DROP TABLE "Ärzte"', "1 row of 'visits'"],
  "the way out, without what is below": [
    `CREATE TABLE p AS SELECT * FROM posts; DELETE FROM posts; ${NEW_USERS} DROP TABLE users; ALTER TABLE __new_users RENAME TO users; INSERT INTO posts SELECT * FROM p; DROP TABLE p`,
    "DELETE FROM posts would delete 1 row of 'comments'",
  ],
  "the way out": [
    `${COPIES} ${NEW_USERS} DROP TABLE users; ALTER TABLE __new_users RENAME TO users; ${BACK}`,
  ],
  "a child that gets its action in the file": [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, c INTEGER REFERENCES tree (id) ON DELETE CASCADE); INSERT INTO t SELECT id, 1 FROM posts; DROP TABLE tree",
    "1 row of 't'",
    "perhaps",
  ],
  "a child that gets its action in the file, without rows": [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, c INTEGER REFERENCES plain (id) ON DELETE CASCADE); INSERT INTO t SELECT id, 1 FROM plain; DROP TABLE plain",
    undefined,
    "perhaps",
  ],
  "a child that loses its action first": [
    'CREATE TABLE v (id INTEGER PRIMARY KEY, doctor INTEGER); INSERT INTO v SELECT * FROM visits; DROP TABLE visits; ALTER TABLE v RENAME TO visits; DROP TABLE "Ärzte"',
  ],
  "a child that is dropped first": [
    "DROP TABLE comments; DROP TABLE IF EXISTS posts; DROP TABLE IF EXISTS users; CREATE TABLE users (id INTEGER PRIMARY KEY)",
  ],
  "rows that come back before the drop": [
    `${COPIES} INSERT OR IGNORE INTO posts SELECT * FROM p; DROP TABLE users`,
    "1 row of 'posts' (ON DELETE CASCADE): drop 'posts' first, or make it again without this reference",
    "perhaps",
  ],
  "rows that are written before the drop": [
    'DELETE FROM visits; REPLACE INTO visits VALUES (1, 1); DROP TABLE "Ärzte"',
    "1 row of 'visits'",
    "perhaps",
  ],
  "a table that refers to itself": [
    "CREATE TABLE t2 (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t2 (id) ON DELETE CASCADE); INSERT INTO t2 SELECT * FROM tree; DROP TABLE tree; ALTER TABLE t2 RENAME TO tree",
  ],
  "a reference without an action": ["DROP TABLE plain"],
  "a deletion that its file says": ["DELETE FROM users; DROP TABLE plain"],
  "references that the file itself makes": [
    `DELETE FROM comments; DELETE FROM posts; INSERT INTO posts VALUES (5, NULL, NULL), (6, NULL, NULL); UPDATE posts SET user_id = 1; ${NEW_USERS} DROP TABLE users; ALTER TABLE __new_users RENAME TO users`,
    "2 rows of 'posts'",
    "perhaps",
  ],
  "rows that an upsert gives a reference": [
    "DELETE FROM comments; INSERT INTO posts VALUES (1, 1, NULL) ON CONFLICT DO UPDATE SET user_id = 1; DROP TABLE users",
    "1 row of 'posts'",
    "perhaps",
  ],
  "rows that come from a table that is dropped": [
    'CREATE TABLE kept AS SELECT * FROM visits; DELETE FROM visits; INSERT INTO visits SELECT * FROM kept; DROP TABLE kept; DROP TABLE "Ärzte"',
    "1 row of 'visits'",
    "perhaps",
  ],
  "rows that a trigger makes": [
    "DELETE FROM comments; DELETE FROM posts; CREATE TRIGGER more AFTER UPDATE ON users BEGIN INSERT INTO posts VALUES (9, NEW.id, NULL); END; UPDATE users SET name = 'b'; DROP TABLE users",
    "1 row of 'posts'",
    undefined,
  ],
  "a copy of some rows": [
    "CREATE TABLE t2 (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree (id) ON DELETE CASCADE); INSERT INTO t2 SELECT * FROM tree WHERE parent IS NULL; DROP TABLE tree; ALTER TABLE t2 RENAME TO tree",
    undefined,
    "perhaps",
  ],
  "rows of the table that are changed before": [
    `UPDATE users SET name = replace(name, 'a', 'b'); ${NEW_USERS} DROP TABLE users; ALTER TABLE __new_users RENAME TO users`,
    "1 row of 'posts'",
  ],
  "rows of the table that are replaced": [
    "INSERT OR REPLACE INTO users VALUES (1, 'b'); DROP TABLE users",
    undefined,
    "perhaps",
  ],
  "triggers of a table that refers to itself": [
    "CREATE TRIGGER gone AFTER DELETE ON tree BEGIN DELETE FROM plain WHERE id = OLD.id; END; DROP TABLE tree",
    "DROP TABLE tree would fire the triggers of 'tree' for 1 row (ON DELETE CASCADE): drop these triggers",
    "perhaps",
  ],
  "triggers that are dropped first": [
    "CREATE TRIGGER gone AFTER DELETE ON tree BEGIN DELETE FROM plain WHERE id = OLD.id; END; DROP TRIGGER gone; DROP TABLE tree",
    undefined,
    "perhaps",
  ],
  "tables that are dropped together, the parent first": [
    "DROP TABLE users; DROP TABLE comments; DROP TABLE posts",
  ],
  "tables that are dropped together, without what is below": [
    "DROP TABLE users; DROP TABLE posts",
    "DROP TABLE posts would delete 1 row of 'comments'",
  ],
  "tables that refer to each other": [
    "CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b ON DELETE CASCADE); CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a ON DELETE CASCADE); INSERT INTO a VALUES (1, NULL); INSERT INTO b VALUES (1, 1); UPDATE a SET b = 1; DROP TABLE a; DROP TABLE b",
    undefined,
    "perhaps",
  ],
  "a new reference without values": [
    `ALTER TABLE tree ADD COLUMN visit INTEGER REFERENCES visits (id) ON DELETE CASCADE; DROP TABLE visits`,
  ],
  "a key of two columns with NULL in one": [
    "CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b)); CREATE TABLE of_pairs (a INTEGER NOT NULL, b INTEGER, FOREIGN KEY (a, b) REFERENCES pairs (a, b) ON DELETE CASCADE); INSERT INTO of_pairs VALUES (1, NULL); DROP TABLE pairs",
    undefined,
    "perhaps",
  ],
  "a key of two columns": [
    "CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b)); CREATE TABLE of_pairs (a INTEGER NOT NULL, b INTEGER, CONSTRAINT k FOREIGN KEY (a, b) REFERENCES pairs (a, b) ON UPDATE CASCADE ON DELETE CASCADE); INSERT INTO pairs VALUES (1, 2); INSERT INTO of_pairs VALUES (1, 2); DROP TABLE pairs",
    "1 row of 'of_pairs'",
    "perhaps",
  ],
  "a deletion with a condition": [
    "DELETE FROM comments WHERE post_id IS NOT NULL; DELETE FROM posts WHERE user_id IN (SELECT id FROM users); DROP TABLE users",
    undefined,
    "perhaps",
  ],
  "a deletion that has nothing to do with the drop": ["DELETE FROM posts; DROP TABLE plain"],
  "a table that is made only if it is missing": [
    "CREATE TABLE IF NOT EXISTS posts (other INTEGER REFERENCES tree (id) ON DELETE CASCADE); DROP TABLE IF EXISTS missing; DROP TABLE tree",
  ],
  "a column that has another name": [
    "ALTER TABLE posts RENAME COLUMN user_id TO author; DROP TABLE users",
    "1 row of 'posts'",
  ],
  "no drop": ["DELETE FROM users; DROP INDEX IF EXISTS i"],
  "a column that is dropped first": [
    "ALTER TABLE posts RENAME COLUMN cat_id TO cat; DROP TABLE IF EXISTS gone",
  ],
};

function database(rows: string): DatabaseSync {
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  database.exec(TABLES + rows);
  return database;
}

const statementsOf = (file: string) => split(file, SQLITE).statements;

async function planned(database: DatabaseSync, ...files: string[]) {
  const migrations = files.map((file) => ({ statements: statementsOf(file) }));
  const found = await refusalsOf(migrations, (sql) => clientOf(database).all(sql));
  return found.map((refusal) => refusal && (refusal.isCertain ? refusal.message : "perhaps"));
}

function clientOf(database: DatabaseSync): BatchClient {
  const exec = (sql: string) => Promise.resolve(database.exec(sql));
  return {
    hasSession: false,
    leastPauseMs: 0,
    all: (sql) => Promise.resolve({ columns: [], rows: database.prepare(sql).all() }),
    change: async ({ sql }) => (await exec(sql), 0),
    async batch(commands) {
      await exec("BEGIN");
      try {
        for (const { sql } of commands) await exec(sql);
        await exec("COMMIT");
      } catch (error) {
        await exec("ROLLBACK");
        throw error;
      }
    },
    close() {},
  };
}

async function applied(database: DatabaseSync, file: string): Promise<string> {
  const commands = statementsOf(file).map(({ text: sql }) => ({ sql, values: [] }));
  return await guarded(clientOf(database)).batch(commands)
    .then(() => "applied", (error) => error.message);
}

function dump(database: DatabaseSync) {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1");
  return tables.all().map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]);
}

for (const [name, [file, refused, ...more]] of Object.entries(FILES)) {
  Deno.test(`D1 + ${refused === undefined ? "takes" : "refuses"} ${name}`, async () => {
    const [plan] = more.length > 0 ? more : [refused];
    using full = database(ROWS);
    const before = dump(full);
    const [found] = await planned(full, file);
    if (plan === undefined || plan === "perhaps") assertEquals(found, plan);
    else assertStringIncludes(found ?? "nothing", plan);
    const outcome = await applied(full, file);
    if (refused !== undefined) {
      assertStringIncludes(outcome, refused);
      assertEquals(dump(full), before);
      return;
    }
    assertEquals(outcome, "applied");
    // An own deletion acts on references; everything else leaves what it leaves without foreign keys.
    using wanted = database(ROWS);
    if (!/^(?:DELETE FROM (?:users|posts)|INSERT OR REPLACE)/.test(file)) {
      wanted.exec("PRAGMA foreign_keys = OFF");
    }
    wanted.exec(file);
    assertEquals(dump(full), dump(wanted));
  });
}

Deno.test("D1 + takes in an empty database whatever it refuses for rows", async () => {
  for (const [name, [file, refused]] of Object.entries(FILES)) {
    if (refused === undefined || /INSERT INTO \w+ (?:\(\w+\) )?VALUES|REPLACE INTO/.test(file)) {
      continue;
    }
    using empty = database("");
    const [found = "perhaps"] = await planned(empty, file);
    assertEquals(found, "perhaps", name);
    assertEquals(await applied(empty, file), "applied", name);
  }
});

const REBUILD = `${NEW_USERS} DROP TABLE users; ALTER TABLE __new_users RENAME TO users`;
/** Files before a rebuild, and what the plan says of it. */
const BEFORE: Readonly<Record<string, string | undefined>> = {
  "CREATE TABLE unrelated (a)": "1 row of 'posts'",
  "CREATE INDEX i ON posts (user_id)": "1 row of 'posts'",
  "ALTER TABLE posts ADD COLUMN title TEXT": "1 row of 'posts'",
  "INSERT INTO users VALUES (2, 'b')": "1 row of 'posts'",
  "ALTER TABLE posts RENAME TO entries": "1 row of 'entries'",
  "ALTER TABLE posts RENAME COLUMN user_id TO author": "1 row of 'posts'",
  "INSERT INTO posts VALUES (2, 1, NULL)": "perhaps",
  "UPDATE posts SET user_id = NULL": "perhaps",
  "DELETE FROM comments; DELETE FROM posts": undefined,
  "DROP TABLE comments; DROP TABLE posts": undefined,
};

for (const [first, expected] of Object.entries(BEFORE)) {
  Deno.test(`D1 + a plan follows the files before a rebuild: ${first}`, async () => {
    using full = database(ROWS);
    const [, found] = await planned(full, first, REBUILD);
    if (expected === undefined || expected === "perhaps") assertEquals(found, expected);
    else assertStringIncludes(found ?? "nothing", expected);
    full.exec(first);
    const outcome = await applied(full, REBUILD);
    if (expected !== "perhaps") assertStringIncludes(outcome, expected ?? "applied");
  });
}
