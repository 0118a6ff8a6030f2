/** The refusal of rebuilds, held against what D1 does: it is right if a file gives other rows there than without foreign keys. */
import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { SQLITE } from "../../../../src/migrations/sql/engines/sqlite/dialect.ts";
import { guarded } from "../../../../src/migrations/sql/engines/d1/rebuilds.ts";
import { split } from "../../../../src/migrations/sql/syntax/splitter.ts";
import { D1Database } from "./database.ts";
import { type Binding, miniflare } from "./project.ts";

/** `u` is referred to by `p` with CASCADE, by `s` with SET NULL, by `n` without an action; `p` by `g` with CASCADE. */
const SCHEMA = [
  "CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT)",
  "CREATE TABLE p (id INTEGER PRIMARY KEY, u INTEGER REFERENCES u ON DELETE CASCADE)",
  "CREATE TABLE s (id INTEGER PRIMARY KEY, u INTEGER REFERENCES u (id) ON DELETE SET NULL)",
  "CREATE TABLE n (id INTEGER PRIMARY KEY, u INTEGER REFERENCES u)",
  'CREATE TABLE g (id INTEGER PRIMARY KEY, p INTEGER REFERENCES "P" ON DELETE CASCADE)',
  "CREATE TABLE self (id INTEGER PRIMARY KEY, self INTEGER REFERENCES self ON DELETE CASCADE)",
  "CREATE TABLE alone (id INTEGER PRIMARY KEY)",
];
const TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' ORDER BY 1";
const VALUES: Readonly<Record<string, string>> = { u: "1, 'a'", alone: "1" };

const OFF = "PRAGMA foreign_keys = OFF;";
const DEFERRED = "PRAGMA defer_foreign_keys = ON;";
const U = "(id INTEGER PRIMARY KEY, name TEXT NOT NULL)";
const P = "(id INTEGER PRIMARY KEY, u INTEGER REFERENCES u ON DELETE CASCADE)";
const rebuild = (table: string, columns: string) =>
  `CREATE TABLE new_${table} ${columns}; INSERT INTO new_${table} SELECT * FROM ${table}; ` +
  `DROP TABLE ${table}; ALTER TABLE new_${table} RENAME TO ${table};`;

/** Statements that fill the tables, then a file. */
const CASES: readonly (readonly [rows: string, file: string])[] = [
  ["u p", `${OFF} ${rebuild("u", U)}`],
  ["u p", rebuild("u", U)],
  ["u p", `${DEFERRED} ${rebuild("u", U)}`],
  ["u s", `${DEFERRED} ${rebuild("u", U)}`],
  ["u n", `${DEFERRED} ${rebuild("u", U)}`],
  ["u", `${OFF} ${rebuild("u", U)}`],
  ["u p g", `${OFF} ${rebuild("p", "(id INTEGER PRIMARY KEY, u INTEGER REFERENCES u)")}`],
  ["self", `${OFF} ${rebuild("self", "(id INTEGER PRIMARY KEY, self INTEGER REFERENCES self)")}`],
  ["alone", `${OFF} ${rebuild("alone", "(id INTEGER PRIMARY KEY)")}`],
  [
    "u p",
    `${OFF} CREATE TABLE "New" ${U}; INSERT INTO "New" SELECT * FROM "u"; DROP TABLE IF EXISTS "u"; ALTER TABLE "New" RENAME TO "u";`,
  ],
  [
    "u p",
    `${OFF} CREATE TABLE main.M ${U}; INSERT INTO m SELECT * FROM U; DROP TABLE main.U; ALTER TABLE main.M RENAME TO U;`,
  ],
  [
    "u p",
    `${OFF} CREATE TABLE [n 2] ${U}; INSERT INTO [n 2] SELECT * FROM u; DROP TABLE \`u\`; ALTER TABLE [n 2] RENAME TO u;`,
  ],
  [
    "u p",
    `${OFF} ALTER TABLE u RENAME TO old; CREATE TABLE u ${U}; INSERT INTO u SELECT * FROM old; DROP TABLE old;`,
  ],
  ["u p", `${OFF} DELETE FROM p; ${rebuild("u", U)}`],
  [
    "u p",
    `CREATE TABLE kept AS SELECT * FROM p; DELETE FROM p; ${OFF} ${
      rebuild("u", U)
    } INSERT INTO p SELECT * FROM kept; DROP TABLE kept;`,
  ],
  ["u p", `${OFF} DELETE FROM p WHERE id > 100; ${rebuild("u", U)}`],
  ["u p", `${OFF} DELETE FROM p; INSERT INTO p VALUES (1, 1); ${rebuild("u", U)}`],
  ["u p", `${OFF} DROP TABLE p; DROP TABLE u; CREATE TABLE u ${U};`],
  ["u p", `${OFF} DROP TABLE p; ${rebuild("u", U)}`],
  ["u p", `/* a */ ${OFF} -- b\n${rebuild("u", U).replaceAll("; ", ";\n-- c; d\n")}`],
  ["u p", `UPDATE p SET u = NULL; ${OFF} ${rebuild("u", U)}`],
  ["u p", `${OFF} ${rebuild("p", P)} ${rebuild("u", U)}`],
  ["u p", `${OFF} ${rebuild("u", U)} ${rebuild("p", P)}`],
  [
    "u p",
    `${OFF} DROP TABLE p; CREATE TABLE p ${P}; INSERT INTO p VALUES (7, 1); ${rebuild("u", U)}`,
  ],
  ["u p g", "DROP TABLE g; DROP TABLE p; CREATE TABLE other (n)"],
];

/** A database of D1, to which whole batches can be sent. */
interface Subject extends Partial<AsyncDisposable> {
  rows(sql: string): Promise<Record<string, unknown>[]>;
  batch(statements: readonly string[]): Promise<unknown>;
}

const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  // deno-lint-ignore require-await -- a throw has to become a rejection
  async "the double"() {
    const database = new D1Database();
    return {
      // deno-lint-ignore require-await -- as above
      async rows(sql) {
        const [{ columns, rows } = { columns: [], rows: [] }] = database.run([{ sql }]);
        return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
      },
      // deno-lint-ignore require-await -- as above
      batch: async (statements) => database.run(statements.map((sql) => ({ sql }))),
    };
  },
  async Miniflare() {
    const { binding, ...worker } = await miniflare({ d1Databases: { DB: "rebuilds" } });
    const database = binding as Binding & { batch(all: readonly unknown[]): Promise<unknown> };
    return {
      ...worker,
      rows: async (sql) => (await database.prepare(sql).all()).results,
      batch: (statements) => database.batch(statements.map((sql) => database.prepare(sql))),
    };
  },
};

for (const [name, open] of Object.entries(SUBJECTS)) {
  Deno.test(`guarded() + refuses files by which D1 loses rows of other tables, and no others: ${name}`, async (t) => {
    const subject = await open();
    const all = async (sql: string) => ({ columns: [], rows: await subject.rows(sql) });
    const batch = (commands: readonly { readonly sql: string }[]) =>
      subject.batch(commands.map(({ sql }) => sql));
    const change = () => Promise.reject(new Error("Nothing here is sent alone"));
    const own = guarded({ all, batch, change, close() {}, hasSession: false, leastPauseMs: 0 });
    for (const [names, file] of CASES) {
      await t.step(`${names}: ${file}`, async () => {
        const rows = names.split(" ").map((name) =>
          `INSERT INTO ${name} VALUES (${VALUES[name] ?? "1, 1"})`
        );
        const restore = async () => {
          const drops = (await subject.rows(TABLES)).map(({ name }) => `DROP TABLE "${name}"`);
          await subject.batch(["PRAGMA defer_foreign_keys = ON", ...drops, ...SCHEMA, ...rows]);
        };
        using wanted = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
        wanted.exec([...SCHEMA, ...rows, file].join(";\n"));
        const commands = split(file, SQLITE).statements.map(({ text: sql }) => ({
          sql,
          values: [],
        }));

        await restore();
        const isApplied = await batch(commands).then(() => true, () => false);
        if (!isApplied) return;
        const lost: string[] = [];
        for (const { name } of await subject.rows(TABLES)) {
          const select = `SELECT * FROM "${name}"`;
          const kept = wanted.prepare(select).all().map((row) => ({ ...row }));
          if (JSON.stringify(await subject.rows(select)) !== JSON.stringify(kept)) {
            lost.push(`${name}`);
          }
        }
        await restore();
        const refusal = await own.batch(commands).then(() => "none", ({ message }) => message);
        const expected = lost.length > 0 ? "D1 always enforces foreign keys" : "none";
        assertEquals(refusal.slice(0, expected.length), expected, `${lost}`);
      });
    }
    await subject[Symbol.asyncDispose]?.();
  });
}
