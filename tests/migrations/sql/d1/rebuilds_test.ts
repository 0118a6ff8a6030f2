import { assertEquals, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { refuseRebuild } from "../../../../src/migrations/sql/engines/d1/rebuilds.ts";
import { SQLITE } from "../../../../src/migrations/sql/engines/sqlite/dialect.ts";
import { split } from "../../../../src/migrations/sql/syntax/splitter.ts";
import type { SqlMigration } from "../../../../src/migrations/sql/types.ts";

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

/** Files, and what the refusal of each says; nothing where it may run. */
const FILES: Readonly<Record<string, readonly [file: string, refused?: string]>> = {
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
    "2 rows of 't2' (ON DELETE CASCADE): change the table without dropping it, let 't2' refer to itself",
  ],
  "a table that is renamed and rebuilt": [
    "ALTER TABLE users RENAME TO people; CREATE TABLE people_new (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people_new SELECT * FROM people; DROP TABLE people; ALTER TABLE people_new RENAME TO people",
    "1 row of 'posts'",
  ],
  "a column that is added and filled": [
    "ALTER TABLE tree ADD COLUMN visit INTEGER REFERENCES visits (id) ON DELETE CASCADE; UPDATE tree SET visit = 1; DROP TABLE visits",
    "2 rows of 'tree'",
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
    "of 't'",
  ],
  "a child that gets its action in the file, without rows": [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, c INTEGER REFERENCES plain (id) ON DELETE CASCADE); INSERT INTO t SELECT id, 1 FROM plain; DROP TABLE plain",
  ],
  "a child that loses its action first": [
    'CREATE TABLE v (id INTEGER PRIMARY KEY, doctor INTEGER); INSERT INTO v SELECT * FROM visits; DROP TABLE visits; ALTER TABLE v RENAME TO visits; DROP TABLE "Ärzte"',
  ],
  "a child that is dropped first": [
    "DROP TABLE comments; DROP TABLE IF EXISTS posts; DROP TABLE IF EXISTS users; CREATE TABLE users (id INTEGER PRIMARY KEY)",
  ],
  "rows that come back before the drop": [
    `${COPIES} INSERT OR IGNORE INTO posts SELECT * FROM p; DROP TABLE users`,
    "1 row",
  ],
  "rows that are written before the drop": [
    'DELETE FROM visits; REPLACE INTO visits VALUES (1, 1); DROP TABLE "Ärzte"',
    "rows of 'visits'",
  ],
  "a table that refers to itself": [
    "CREATE TABLE t2 (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t2 (id) ON DELETE CASCADE); INSERT INTO t2 SELECT * FROM tree; DROP TABLE tree; ALTER TABLE t2 RENAME TO tree",
  ],
  "a reference without an action": ["DROP TABLE plain"],
  "a deletion that its file says": ["DELETE FROM users; DROP TABLE plain"],
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

async function refusalOf(database: DatabaseSync, file: string): Promise<string | undefined> {
  const { statements } = split(file, SQLITE);
  return await refuseRebuild({ statements } as unknown as SqlMigration, (sql) => {
    return Promise.resolve({ columns: [], rows: database.prepare(sql).all() });
  });
}

const counts = (database: DatabaseSync) =>
  ["posts", "comments", "visits"].map((table) => {
    const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(table);
    return isThere ? database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n : "dropped";
  });

for (const [name, [file, refused]] of Object.entries(FILES)) {
  Deno.test(`D1 + ${refused === undefined ? "takes" : "refuses"} ${name}`, async () => {
    using full = database(ROWS);
    const found = await refusalOf(full, file);
    if (refused === undefined) {
      assertEquals(found, undefined);
      const before = counts(full);
      full.exec(file);
      // Whatever is neither dropped nor emptied by the file is as it was.
      if (!file.startsWith("DELETE FROM users")) {
        assertEquals(
          counts(full).filter((n) => n !== "dropped"),
          before.filter((_, at) => counts(full)[at] !== "dropped"),
        );
      }
    } else assertStringIncludes(found ?? "applied", refused);
  });
}

Deno.test("D1 + takes in an empty database whatever it refuses for rows", async () => {
  for (const [name, [file, refused]] of Object.entries(FILES)) {
    if (refused === undefined || /written|'t'/.test(`${name} ${refused}`)) continue;
    using empty = database("");
    assertEquals(await refusalOf(empty, file), undefined, name);
    empty.exec(file);
  }
});
