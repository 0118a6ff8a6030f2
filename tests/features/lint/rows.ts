/** An earlier file of the same folder: what the statements of `locks.md` were measured on. */
export const SETUP = `
CREATE TABLE ref (id integer PRIMARY KEY);
CREATE TABLE t (
  id bigint PRIMARY KEY, a integer, b integer NOT NULL, k integer, vc varchar(10), txt text, pad text,
  ts timestamp, tstz timestamptz, n numeric(10,2), ref_id integer, span int4range
);
CREATE INDEX t_a_idx ON t (a);
CREATE INDEX t_txt_idx ON t (txt);
CREATE INDEX t_ts_idx ON t (ts);
CREATE VIEW v AS SELECT id, pad FROM t;
CREATE MATERIALIZED VIEW mv AS SELECT id FROM t;
CREATE UNIQUE INDEX mv_id ON mv (id);
CREATE TABLE p (id integer NOT NULL, a integer) PARTITION BY RANGE (id);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (100000);
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (100000) TO (200000);
CREATE TABLE pc (id integer NOT NULL, a integer);
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE SEQUENCE sq;
`;

const ATTACH = "ALTER TABLE p ATTACH PARTITION pc FOR VALUES FROM (200000) TO (400000)";
const MATCHING = "ALTER TABLE pc ADD CHECK (id >= 200000 AND id < 400000);";
const type = (column: string, type: string) => `ALTER TABLE t ALTER COLUMN ${column} TYPE ${type}`;
const add = (what: string) => `ALTER TABLE t ADD ${what}`;

/** The statement of each row of `locks.md`, and what has to be there before it beside {@linkcode SETUP}. */
export const ROWS: Readonly<Record<string, readonly [sql: string, before?: string]>> = {
  "CREATE INDEX": ["CREATE INDEX x1 ON t (b)"],
  "CREATE UNIQUE INDEX": ["CREATE UNIQUE INDEX x1 ON t (b)"],
  "CREATE INDEX CONCURRENTLY": ["CREATE INDEX CONCURRENTLY x1 ON t (b)"],
  "CREATE INDEX CONCURRENTLY while another transaction that read t is open": [
    "CREATE INDEX CONCURRENTLY x1 ON t (b)",
  ],
  "CREATE UNIQUE INDEX CONCURRENTLY": ["CREATE UNIQUE INDEX CONCURRENTLY x1 ON t (b)"],
  "CREATE INDEX (expression)": ["CREATE INDEX x1 ON t (lower(txt))"],
  "DROP INDEX": ["DROP INDEX t_a_idx"],
  "DROP INDEX CONCURRENTLY": ["DROP INDEX CONCURRENTLY t_a_idx"],
  "ALTER INDEX … RENAME": ["ALTER INDEX t_a_idx RENAME TO t_a_index"],
  "ADD COLUMN, no default": [add("COLUMN c1 integer")],
  "ADD COLUMN DEFAULT constant": [add("COLUMN c1 integer DEFAULT 5")],
  "ADD COLUMN NOT NULL DEFAULT constant": [add("COLUMN c1 integer NOT NULL DEFAULT 5")],
  "ADD COLUMN NOT NULL without default": [add("COLUMN c1 integer NOT NULL")],
  "ADD COLUMN DEFAULT now()": [add("COLUMN c1 timestamptz DEFAULT now()")],
  "ADD COLUMN DEFAULT clock_timestamp()": [add("COLUMN c1 timestamptz DEFAULT clock_timestamp()")],
  "ADD COLUMN DEFAULT random()": [add("COLUMN c1 float8 DEFAULT random()")],
  "ADD COLUMN DEFAULT gen_random_uuid()": [add("COLUMN c1 uuid DEFAULT gen_random_uuid()")],
  "ADD COLUMN GENERATED ALWAYS AS (…) STORED": [
    add("COLUMN c1 integer GENERATED ALWAYS AS (a + 1) STORED"),
  ],
  "ADD COLUMN GENERATED … AS IDENTITY": [add("COLUMN c1 integer GENERATED ALWAYS AS IDENTITY")],
  "ADD COLUMN serial": [add("COLUMN c1 serial")],
  "ADD COLUMN … REFERENCES ref": [add("COLUMN c1 integer REFERENCES ref")],
  "ADD COLUMN … CHECK": [add("COLUMN c1 integer CHECK (c1 > 0)")],
  "ADD COLUMN … UNIQUE": [add("COLUMN c1 integer UNIQUE")],
  "DROP COLUMN": ["ALTER TABLE t DROP COLUMN k"],
  "DROP COLUMN (indexed)": ["ALTER TABLE t DROP COLUMN txt"],
  "DROP COLUMN used by a view": ["ALTER TABLE t DROP COLUMN pad"],
  "RENAME COLUMN": ["ALTER TABLE t RENAME COLUMN a TO a2"],
  "RENAME TABLE": ["ALTER TABLE t RENAME TO t2"],
  "ALTER TYPE int → bigint": [type("k", "bigint")],
  "ALTER TYPE int → bigint (indexed)": [type("a", "bigint")],
  "ALTER TYPE varchar(10) → varchar(20)": [type("vc", "varchar(20)")],
  "ALTER TYPE varchar(10) → varchar(20) (indexed)": [
    type("vc", "varchar(20)"),
    "CREATE INDEX xvc ON t (vc);",
  ],
  "ALTER TYPE varchar(10) → varchar(5)": [type("vc", "varchar(5)")],
  "ALTER TYPE varchar(10) → text": [type("vc", "text")],
  "ALTER TYPE text → varchar": [type("txt", "varchar")],
  "ALTER TYPE text → varchar(100)": [type("txt", "varchar(100)")],
  "ALTER TYPE timestamp → timestamptz, session Etc/UTC": [type("ts", "timestamptz")],
  "ALTER TYPE timestamp → timestamptz, session Europe/Rome": [type("ts", "timestamptz")],
  "ALTER TYPE timestamptz → date": [type("tstz", "date")],
  "ALTER TYPE numeric(10,2) → numeric(14,2)": [type("n", "numeric(14,2)")],
  "ALTER TYPE numeric(10,2) → numeric": [type("n", "numeric")],
  "ALTER TYPE numeric(10,2) → numeric(8,2)": [type("n", "numeric(8,2)")],
  "ALTER TYPE numeric(10,2) → numeric(14,4)": [type("n", "numeric(14,4)")],
  "ALTER TYPE text → jsonb USING": [type("txt", "jsonb USING to_jsonb(txt)")],
  "ALTER TYPE of a column used by a view": [type("pad", "varchar(200)")],
  "SET DEFAULT": ["ALTER TABLE t ALTER COLUMN a SET DEFAULT 5"],
  "DROP DEFAULT": ["ALTER TABLE t ALTER COLUMN a DROP DEFAULT"],
  "SET NOT NULL": ["ALTER TABLE t ALTER COLUMN a SET NOT NULL"],
  "SET NOT NULL with a validated CHECK": [
    "ALTER TABLE t ALTER COLUMN a SET NOT NULL",
    "ALTER TABLE t ADD CONSTRAINT a_nn CHECK (a IS NOT NULL) NOT VALID; ALTER TABLE t VALIDATE CONSTRAINT a_nn;",
  ],
  "SET NOT NULL with a NOT VALID CHECK": [
    "ALTER TABLE t ALTER COLUMN a SET NOT NULL",
    "ALTER TABLE t ADD CONSTRAINT a_nn CHECK (a IS NOT NULL) NOT VALID;",
  ],
  "DROP NOT NULL": ["ALTER TABLE t ALTER COLUMN b DROP NOT NULL"],
  "ADD CHECK": [add("CONSTRAINT positive CHECK (a > 0)")],
  "ADD CHECK NOT VALID": [add("CONSTRAINT positive CHECK (a > 0) NOT VALID")],
  "VALIDATE CONSTRAINT (CHECK)": [
    "ALTER TABLE t VALIDATE CONSTRAINT positive",
    "ALTER TABLE t ADD CONSTRAINT positive CHECK (a > 0) NOT VALID;",
  ],
  "ADD FOREIGN KEY": [add("CONSTRAINT t_ref FOREIGN KEY (ref_id) REFERENCES ref (id)")],
  "ADD FOREIGN KEY NOT VALID": [
    add("CONSTRAINT t_ref FOREIGN KEY (ref_id) REFERENCES ref (id) NOT VALID"),
  ],
  "VALIDATE CONSTRAINT (FK)": [
    "ALTER TABLE t VALIDATE CONSTRAINT t_ref",
    "ALTER TABLE t ADD CONSTRAINT t_ref FOREIGN KEY (ref_id) REFERENCES ref (id) NOT VALID;",
  ],
  "ADD UNIQUE": [add("CONSTRAINT t_b_key UNIQUE (b)")],
  "ADD UNIQUE USING INDEX": [
    add("CONSTRAINT t_b_key UNIQUE USING INDEX x1"),
    "CREATE UNIQUE INDEX x1 ON t (b);",
  ],
  "ADD PRIMARY KEY (column already NOT NULL)": [add("PRIMARY KEY (b)")],
  "ADD PRIMARY KEY (nullable column)": [add("PRIMARY KEY (a)")],
  "ADD PRIMARY KEY USING INDEX (column already NOT NULL)": [
    add("CONSTRAINT pk PRIMARY KEY USING INDEX x1"),
    "CREATE UNIQUE INDEX x1 ON t (b);",
  ],
  "ADD PRIMARY KEY USING INDEX (nullable column)": [
    add("CONSTRAINT pk PRIMARY KEY USING INDEX x1"),
    "CREATE UNIQUE INDEX x1 ON t (a);",
  ],
  "DROP CONSTRAINT (CHECK)": ["ALTER TABLE t DROP CONSTRAINT positive"],
  "DROP CONSTRAINT (FK)": ["ALTER TABLE t DROP CONSTRAINT t_ref"],
  "DROP CONSTRAINT (UNIQUE)": ["ALTER TABLE t DROP CONSTRAINT uq"],
  "RENAME CONSTRAINT": ["ALTER TABLE t RENAME CONSTRAINT t_pkey TO t_id_pkey"],
  "ADD EXCLUDE": [add("CONSTRAINT apart EXCLUDE USING gist (span WITH &&)")],
  "SET (fillfactor)": ["ALTER TABLE t SET (fillfactor = 80)"],
  "ALTER COLUMN SET STATISTICS": ["ALTER TABLE t ALTER COLUMN a SET STATISTICS 500"],
  "ALTER COLUMN SET STORAGE": ["ALTER TABLE t ALTER COLUMN txt SET STORAGE EXTERNAL"],
  "SET UNLOGGED": ["ALTER TABLE t SET UNLOGGED"],
  "SET LOGGED": ["ALTER TABLE t SET LOGGED"],
  "SET TABLESPACE": ["ALTER TABLE t SET TABLESPACE ts1"],
  "SET SCHEMA": ["ALTER TABLE t SET SCHEMA other"],
  "OWNER TO": ["ALTER TABLE t OWNER TO app"],
  "ENABLE ROW LEVEL SECURITY": ["ALTER TABLE t ENABLE ROW LEVEL SECURITY"],
  "CREATE POLICY": ["CREATE POLICY pol ON t USING (a > 0)"],
  "REPLICA IDENTITY FULL": ["ALTER TABLE t REPLICA IDENTITY FULL"],
  "CREATE TRIGGER": ["CREATE TRIGGER trg BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f()"],
  "DROP TRIGGER": ["DROP TRIGGER trg ON t"],
  "DISABLE TRIGGER": ["ALTER TABLE t DISABLE TRIGGER trg"],
  "CREATE RULE": ["CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING"],
  "CREATE VIEW": ["CREATE VIEW v2 AS SELECT id FROM t"],
  "CREATE OR REPLACE VIEW": ["CREATE OR REPLACE VIEW v AS SELECT id, pad, a FROM t"],
  "DROP VIEW": ["DROP VIEW v"],
  "CREATE MATERIALIZED VIEW": ["CREATE MATERIALIZED VIEW mv2 AS SELECT id FROM t"],
  "REFRESH MATERIALIZED VIEW": ["REFRESH MATERIALIZED VIEW mv"],
  "REFRESH MATERIALIZED VIEW CONCURRENTLY": ["REFRESH MATERIALIZED VIEW CONCURRENTLY mv"],
  "CREATE STATISTICS": ["CREATE STATISTICS st ON a, b FROM t"],
  "CREATE TABLE … PARTITION OF": [
    "CREATE TABLE p3 PARTITION OF p FOR VALUES FROM (200000) TO (300000)",
  ],
  "ATTACH PARTITION": [ATTACH],
  "ATTACH PARTITION with a matching CHECK": [ATTACH, MATCHING],
  "ATTACH PARTITION, a DEFAULT partition with rows exists": [
    ATTACH,
    `${MATCHING} CREATE TABLE pdef PARTITION OF p DEFAULT;`,
  ],
  "DETACH PARTITION": ["ALTER TABLE p DETACH PARTITION p2"],
  "DETACH PARTITION CONCURRENTLY": ["ALTER TABLE p DETACH PARTITION p2 CONCURRENTLY"],
  "CREATE INDEX on a partitioned table": ["CREATE INDEX x1 ON p (a)"],
  "CREATE INDEX ON ONLY partitioned": ["CREATE INDEX x1 ON ONLY p (a)"],
  "ALTER TYPE … ADD VALUE": ["ALTER TYPE mood ADD VALUE 'c'"],
  "ALTER TYPE … ADD VALUE, then used in the same transaction": [
    "ALTER TYPE mood ADD VALUE 'c'; SELECT 'c'::mood",
  ],
  "ALTER TYPE … RENAME VALUE": ["ALTER TYPE mood RENAME VALUE 'a' TO 'z'"],
  "TRUNCATE": ["TRUNCATE t"],
  "TRUNCATE ref CASCADE (t references it)": ["TRUNCATE ref CASCADE"],
  "VACUUM": ["VACUUM t"],
  "VACUUM FULL": ["VACUUM FULL t"],
  "ANALYZE": ["ANALYZE t"],
  "CLUSTER": ["CLUSTER t USING t_a_idx"],
  "REINDEX INDEX": ["REINDEX INDEX t_a_idx"],
  "REINDEX TABLE": ["REINDEX TABLE t"],
  "REINDEX INDEX CONCURRENTLY": ["REINDEX INDEX CONCURRENTLY t_a_idx"],
  "REINDEX TABLE CONCURRENTLY": ["REINDEX TABLE CONCURRENTLY t"],
  "REINDEX SCHEMA": ["REINDEX SCHEMA public"],
  "LOCK TABLE": ["LOCK TABLE t"],
  "LOCK TABLE … IN SHARE MODE": ["LOCK TABLE t IN SHARE MODE"],
  "COMMENT ON TABLE": ["COMMENT ON TABLE t IS 'x'"],
  "COMMENT ON COLUMN": ["COMMENT ON COLUMN t.a IS 'x'"],
  "GRANT": ["GRANT SELECT ON t TO app"],
  "DROP TABLE": ["DROP TABLE t CASCADE"],
  "DROP TABLE referencing ref": ["DROP TABLE t CASCADE"],
  "CREATE TABLE … REFERENCES ref": [
    "CREATE TABLE n (id integer PRIMARY KEY, r integer REFERENCES ref)",
  ],
  "CREATE TABLE AS SELECT": ["CREATE TABLE n AS SELECT * FROM t"],
  "CREATE TABLE (LIKE t)": ["CREATE TABLE n (LIKE t)"],
  "INSERT … SELECT": ["INSERT INTO t SELECT * FROM t"],
  "UPDATE without WHERE": ["UPDATE t SET a = a + 1"],
  "DELETE without WHERE": ["DELETE FROM t"],
  "DROP FUNCTION / CREATE FUNCTION": [
    "DROP FUNCTION f(); CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
  ],
  "CREATE EXTENSION": ["CREATE EXTENSION pgcrypto"],
  "ALTER SEQUENCE": ["ALTER SEQUENCE sq RESTART"],
};
