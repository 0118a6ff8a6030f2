import { assertEquals } from "@std/assert";
import * as postgresql from "../../migrations/sql/postgresql_support.ts";
import { databaseTest } from "../../migrations/sql/support.ts";
import { lockRows } from "./locks_table.ts";
import { ROWS, SETUP } from "./rows.ts";

/** Objects that some rows need, because they drop or mention them. */
const MORE = `
CREATE SCHEMA other;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
INSERT INTO t (id, b, n) SELECT n, n, 1 FROM generate_series(1, 100) n;
`;
const PARTICULAR: Readonly<Record<string, string>> = {
  "DROP CONSTRAINT (CHECK)": "ALTER TABLE t ADD CONSTRAINT positive CHECK (b > 0)",
  "DROP CONSTRAINT (FK)": "ALTER TABLE t ADD CONSTRAINT t_ref FOREIGN KEY (ref_id) REFERENCES ref",
  "DROP CONSTRAINT (UNIQUE)": "ALTER TABLE t ADD CONSTRAINT uq UNIQUE (b)",
  "DROP TRIGGER": "CREATE TRIGGER trg BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f()",
  "DISABLE TRIGGER": "CREATE TRIGGER trg BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f()",
  "SET LOGGED": "ALTER TABLE t SET UNLOGGED",
  "TRUNCATE ref CASCADE (t references it)":
    "ALTER TABLE t ADD CONSTRAINT t_ref FOREIGN KEY (ref_id) REFERENCES ref",
  "DROP TABLE referencing ref":
    "ALTER TABLE t ADD CONSTRAINT t_ref FOREIGN KEY (ref_id) REFERENCES ref",
  "ALTER TYPE timestamp → timestamptz, session Etc/UTC": "SET LOCAL timezone = 'Etc/UTC'",
  "ALTER TYPE timestamp → timestamptz, session Europe/Rome": "SET LOCAL timezone = 'Europe/Rome'",
  "ALTER TYPE text → jsonb USING": "UPDATE t SET txt = 'x'",
};
/** Nullable columns have rows with NULL, a primary key is there, roles and tablespaces are the server's. */
const UNPREPARED = new Set([
  ...["SET NOT NULL", "SET NOT NULL with a validated CHECK", "SET NOT NULL with a NOT VALID CHECK"],
  ...["ADD PRIMARY KEY (column already NOT NULL)", "ADD PRIMARY KEY (nullable column)"],
  ...[
    "ADD PRIMARY KEY USING INDEX (column already NOT NULL)",
    "SET TABLESPACE",
    "OWNER TO",
    "GRANT",
  ],
  ...["ADD PRIMARY KEY USING INDEX (nullable column)", "CREATE EXTENSION", "INSERT … SELECT"],
  ...["DROP FUNCTION / CREATE FUNCTION", "CREATE TRIGGER"],
]);

databaseTest(
  "the statements of the measured table run on the server, and rewrite the tables that it names",
  postgresql,
  postgresql.postgresqlMissing,
  async (datasource) => {
    await postgresql.query(datasource, SETUP + MORE);
    const client = await postgresql.connect(datasource);
    const fileOf = async (table: string) => {
      const { rows } = await client.query(
        `SELECT pg_relation_filenode(oid) AS file FROM pg_class WHERE relname = '${table}' AND relkind <> 'S'`,
      );
      return rows[0]?.file;
    };
    const wrong: string[] = [];
    try {
      for (const row of await lockRows()) {
        const { label, on, failure, isTransactional } = row;
        if (!isTransactional || UNPREPARED.has(label)) continue;
        const [sql, before = ""] = ROWS[label]!;
        await client.query(`BEGIN; ${before} ${PARTICULAR[label] ?? "SELECT 1"}`);
        const old = await fileOf(on);
        const code = await client.query(sql).then(() => undefined, (error) => error.code);
        if (code !== failure) wrong.push(`${label}: ${code} of ${sql}`);
        const isWritten = code === undefined && /\*\*yes\*\*|new empty/.test(row.rewritten);
        const now = code === undefined ? await fileOf(on) : old;
        // A dropped table has no file.
        if (now !== undefined && (now !== old) !== isWritten) {
          wrong.push(`${label}: ${row.rewritten}`);
        }
        await client.query("ROLLBACK");
      }
    } finally {
      await client.end();
    }
    assertEquals(wrong, []);
  },
);
