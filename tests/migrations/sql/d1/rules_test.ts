/** The same files by each way to a database of D1: what it refuses, and what it applies. */
import { assertEquals } from "@std/assert";
import { exitCodeOf } from "../../../../src/cli/exit_code_of.ts";
import { migrate } from "../support.ts";
import { type Client, CLIENTS } from "./clients.ts";

const BASE = `CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p ON DELETE CASCADE);
INSERT INTO p VALUES (1, 'a');
INSERT INTO c VALUES (1, 1);
`;
const INVALID = 3;
const FAILED = 8;
const columns = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(", ");
const union = (count: number) => Array(count).fill("SELECT 1").join(" UNION ALL ");

/** Files, and the exit code of a run with them. */
const FILES: readonly [code: number, text: string][] = [
  ...[
    "SELECT 1; BEGIN; SELECT 2; COMMIT",
    "SAVEPOINT a; RELEASE a",
    "ATTACH ':memory:' AS x",
    "DETACH x",
  ]
    .map((text) => [INVALID, text] as [number, string]),
  ...["VACUUM", "VACUUM INTO 'x'", "CREATE TEMP TABLE t (n)", "CREATE TEMPORARY VIEW v AS SELECT 1"]
    .map((text) => [INVALID, text] as [number, string]),
  ...["journal_mode", "user_version = 3", "database_list", "integrity_check", "main.encoding"]
    .map((text) => [INVALID, `PRAGMA ${text}`] as [number, string]),
  [INVALID, `SELECT '${"x".repeat(100_000)}'`],
  [INVALID, "-- irori: no-transaction\nVACUUM"],
  [FAILED, "-- irori: no-transaction\nBEGIN"],
  [FAILED, "SELECT * FROM _cf_METADATA"],
  [FAILED, "INSERT INTO c VALUES (9, 9)"],
  [FAILED, "PRAGMA defer_foreign_keys = ON; INSERT INTO c VALUES (9, 9)"],
  [FAILED, "PRAGMA foreign_keys = OFF; INSERT INTO c VALUES (9, 9)"],
  [
    FAILED,
    "PRAGMA foreign_keys = OFF; CREATE TABLE n (id INTEGER PRIMARY KEY, name TEXT NOT NULL); " +
    "INSERT INTO n SELECT * FROM p; DROP TABLE p; ALTER TABLE n RENAME TO p",
  ],
  [
    FAILED,
    "PRAGMA defer_foreign_keys = ON; ALTER TABLE p RENAME TO old; " +
    "CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO p SELECT * FROM old; DROP TABLE old",
  ],
  [FAILED, "INSERT INTO p VALUES (2, 'b'); INSERT INTO p VALUES (1, 'twice')"],
  [FAILED, "CREATE TABLE half (n); SELEC 1"],
  [FAILED, "SELECT json('irori')"],
  [0, "SELECT 1"],
  [0, union(5)],
  [0, `SELECT 1 LIKE '${"x".repeat(50)}'`],
  [0, `CREATE TABLE wide (${columns(100)})`],
  [0, "PRAGMA foreign_keys = OFF; INSERT INTO p VALUES (3, 'off'); PRAGMA foreign_keys = ON"],
  [
    0,
    "PRAGMA defer_foreign_keys = ON; INSERT INTO c VALUES (4, 4); INSERT INTO p VALUES (4, 'later')",
  ],
  [0, "PRAGMA optimize; PRAGMA quick_check; PRAGMA table_info(p); PRAGMA main.foreign_key_check"],
  [
    0,
    "CREATE TRIGGER t AFTER INSERT ON p BEGIN UPDATE p SET name = name || ';' WHERE id = NEW.id; END; " +
    "INSERT INTO p VALUES (5, 'é ?1 ? '';''')",
  ],
  [0, "CREATE VIRTUAL TABLE f USING fts5 (text); INSERT INTO f VALUES ('some words')"],
  [
    0,
    "CREATE TABLE strict_ (n INTEGER, d TEXT GENERATED ALWAYS AS (n || 'x') STORED) STRICT; " +
    "INSERT INTO strict_ (n) VALUES (1) RETURNING n",
  ],
  [0, "CREATE VIEW v AS SELECT name ->> '$' AS n FROM p WHERE json_valid(name)"],
  [
    0,
    "CREATE TABLE copied AS SELECT * FROM c; ALTER TABLE copied DROP COLUMN p; REINDEX; ANALYZE p",
  ],
  [0, "-- irori: no-transaction\nCREATE TABLE outside (n);\nINSERT INTO outside VALUES (1);"],
  [0, "DROP TABLE wide; -- a comment; at the end"],
  [
    0,
    "DROP VIEW v; DELETE FROM c; PRAGMA foreign_keys = OFF; CREATE TABLE n (id INTEGER PRIMARY KEY, name TEXT NOT NULL); " +
    "INSERT INTO n SELECT * FROM p; DROP TABLE p; ALTER TABLE n RENAME TO p",
  ],
  [0, "\r\nINSERT INTO p VALUES (6, 'windows');\r\nSELECT 1;\r\n"],
  [0, "-- nothing but a comment\n"],
];

/** Files that D1 refuses, and that SQLite applies to the local file. */
const ONLY_ON_D1 = [
  "CREATE TABLE temp.t (n)",
  "CREATE TABLE _cf_own (n)",
  "SELECT sqlite_version()",
  "SELECT * FROM pragma_database_list",
  "CREATE VIRTUAL TABLE r USING rtree (id, a, b)",
  union(6),
  `SELECT 1 LIKE '${"x".repeat(51)}'`,
  `CREATE TABLE wider (${columns(101)})`,
];

for (const name of ["the API", "a binding of Miniflare"]) {
  Deno.test(`D1 + the same files are refused or applied by the local file and by ${name}`, async () => {
    assertEquals(await applied(name), await applied("the local file"));
  });
}

/** Runs each file by a way to a database. @returns what is in it then */
async function applied(name: string): Promise<unknown> {
  await using client = await CLIENTS[name]!();
  const tree: Record<string, string> = { "000.sql": BASE };
  const run = async (path: string, text: string) => {
    const { error } = await migrate(client.datasource, { ...tree, [path]: text }, client.options);
    if (error === undefined) tree[path] = text;
    return error === undefined ? 0 : exitCodeOf(error);
  };
  const codes: [number, string][] = [];
  for (const [index, [, text]] of FILES.entries()) {
    codes.push([await run(`${100 + index}.sql`, text), text]);
  }
  assertEquals(codes, FILES, name);
  const state = await stateOf(client);
  for (const [index, text] of ONLY_ON_D1.entries()) {
    const expected = name === "the local file" ? 0 : FAILED;
    assertEquals(await run(`${300 + index}.sql`, text), expected, text);
  }
  return state;
}

/** The schema, and the rows of all tables that files have made. */
async function stateOf({ query }: Client): Promise<unknown> {
  const schema = await query(
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB '_cf_*' AND name NOT GLOB " +
      "'sqlite_*' AND name NOT GLOB 'framework_*' ORDER BY type, name",
  );
  const tables = schema.filter(({ type, sql }) =>
    type === "table" && !/^CREATE VIRTUAL/.test(`${sql}`)
  )
    .map(({ name }) => `${name}`).filter((name) => !name.startsWith("f_"));
  const rows = await Promise.all(tables.map((name) => query(`SELECT * FROM "${name}" ORDER BY 1`)));
  const records = await query("SELECT migration_path FROM framework_migrations ORDER BY 1");
  return { schema, rows, records };
}
