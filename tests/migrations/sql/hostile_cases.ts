import type { Datasource } from "../../../src/migrations/sql/mod.ts";

/** Faults of a database in the history table, and in the sessions of a run. */
export interface Hostile {
  readonly name: string;
  /** Statements after the first run; `DB` is the database, `ROLE_` a role that owns nothing. */
  readonly setup: readonly string[];
  /** Statements that take back what reaches beyond the database. */
  readonly cleanup?: readonly string[];
  /** Whether no run was there before. */
  readonly isFirst?: boolean;
  readonly datasource?: Partial<Datasource>;
  readonly outcome: Outcome;
}

export type Outcome = "works" | RegExp;

const trigger = (when: string, body: string, more = "FOR EACH ROW") => [
  `CREATE FUNCTION hostile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`,
  `CREATE TRIGGER hostile ${when} ON framework_migrations ${more} EXECUTE FUNCTION hostile()`,
];
const set = (name: string, value: string) => [`ALTER DATABASE DB SET ${name} = ${value}`];
const SPOILED = /history table/i;

export const POSTGRESQL: readonly Hostile[] = [
  {
    name: "a trigger that drops new rows",
    setup: trigger("BEFORE INSERT", "RETURN NULL;"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that drops changes",
    setup: trigger("BEFORE UPDATE", "RETURN NULL;"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that undoes changes",
    setup: trigger("BEFORE UPDATE", "RETURN OLD;"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that changes new rows",
    setup: trigger("BEFORE INSERT", "NEW.content_hash = 'x'; RETURN NEW;"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that changes paths",
    setup: trigger(
      "BEFORE INSERT OR UPDATE",
      "NEW.migration_path = lower(NEW.migration_path) || '!'; RETURN NEW;",
    ),
    outcome: SPOILED,
  },
  {
    name: "a trigger that deletes rows afterwards",
    setup: trigger(
      "AFTER INSERT",
      "DELETE FROM framework_migrations WHERE migration_path = NEW.migration_path; RETURN NULL;",
    ),
    outcome: SPOILED,
  },
  {
    name: "a trigger that fails",
    setup: trigger("BEFORE INSERT", "RAISE EXCEPTION 'no rows today';"),
    outcome: /no rows today/,
  },
  {
    name: "a trigger that copies rows elsewhere",
    setup: [
      "CREATE TABLE audit (path text)",
      ...trigger("AFTER INSERT", "INSERT INTO audit VALUES (NEW.migration_path); RETURN NULL;"),
    ],
    outcome: "works",
  },
  {
    name: "an event trigger that refuses tables",
    setup: [
      "CREATE FUNCTION hostile() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no tables today'; END $$",
      "CREATE EVENT TRIGGER hostile ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION hostile()",
    ],
    isFirst: true,
    outcome: /no tables today/,
  },
  {
    name: "a rule that drops new rows",
    setup: ["CREATE RULE hostile AS ON INSERT TO framework_migrations DO INSTEAD NOTHING"],
    outcome: SPOILED,
  },
  {
    name: "a rule that drops changes",
    setup: ["CREATE RULE hostile AS ON UPDATE TO framework_migrations DO INSTEAD NOTHING"],
    outcome: SPOILED,
  },
  {
    name: "a view in place of the table",
    setup: [
      "ALTER TABLE framework_migrations RENAME TO others",
      "CREATE VIEW framework_migrations AS SELECT * FROM others",
    ],
    outcome: "works",
  },
  {
    name: "a view of some rows",
    setup: [
      "ALTER TABLE framework_migrations RENAME TO others",
      "CREATE VIEW framework_migrations AS SELECT * FROM others WHERE state <> 'applied' OR migration_path < '1'",
    ],
    outcome: SPOILED,
  },
  {
    name: "a column that is generated",
    setup: [
      "ALTER TABLE framework_migrations DROP COLUMN duration_ms, ADD COLUMN duration_ms bigint GENERATED ALWAYS AS (1) STORED",
    ],
    outcome: SPOILED,
  },
  {
    name: "row security that hides rows",
    setup: [
      "ALTER TABLE framework_migrations OWNER TO ROLE_; ALTER TABLE framework_migrations ENABLE ROW LEVEL SECURITY; ALTER TABLE framework_migrations FORCE ROW LEVEL SECURITY; GRANT ALL ON log TO ROLE_; GRANT ALL ON SCHEMA public TO ROLE_",
    ],
    datasource: { username: "ROLE_" },
    outcome: SPOILED,
  },
  {
    name: "row security for others",
    setup: ["ALTER TABLE framework_migrations ENABLE ROW LEVEL SECURITY"],
    outcome: "works",
  },
  {
    name: "a role that may not write",
    setup: [
      "GRANT SELECT ON framework_migrations TO ROLE_; GRANT ALL ON log TO ROLE_; GRANT ALL ON SCHEMA public TO ROLE_",
    ],
    datasource: { username: "ROLE_" },
    outcome: /permission denied/,
  },
  {
    name: "`search_path` of another schema",
    setup: ["CREATE SCHEMA s", ...set("search_path", "s")],
    outcome: /The history table.*is in the schema 'public'/s,
  },
  {
    name: "`default_transaction_read_only`",
    setup: set("default_transaction_read_only", "on"),
    outcome: /read-only/,
  },
  {
    name: "`default_transaction_isolation`",
    setup: set("default_transaction_isolation", "'serializable'"),
    outcome: "works",
  },
  {
    name: "`standard_conforming_strings` off",
    setup: set("standard_conforming_strings", "off"),
    outcome: "works",
  },
  {
    name: "`session_replication_role`",
    setup: set("session_replication_role", "replica"),
    outcome: "works",
  },
  {
    name: "`DateStyle`, `TimeZone` and `IntervalStyle`",
    setup: [...set("DateStyle", "'SQL, DMY'"), ...set("TimeZone", "'Asia/Kathmandu'")],
    outcome: "works",
  },
  {
    name: "`default_table_access_method`, `synchronous_commit` off",
    setup: set("synchronous_commit", "off"),
    outcome: "works",
  },
  {
    name: "`statement_timeout` and `lock_timeout`",
    setup: [...set("statement_timeout", "'5s'"), ...set("lock_timeout", "'1ms'")],
    outcome: "works",
  },
  {
    name: "`idle_session_timeout`",
    setup: set("idle_session_timeout", "'100ms'"),
    outcome: "works",
  },
  { name: "`row_security` off", setup: set("row_security", "off"), outcome: "works" },
  {
    name: "a table of other columns",
    setup: ["CREATE TABLE framework_migrations (id int)"],
    isFirst: true,
    outcome: /is not a migration history/,
  },
  {
    name: "a unique index on states",
    setup: ["CREATE UNIQUE INDEX ON framework_migrations (state)"],
    outcome: SPOILED,
  },
  {
    name: "a check constraint",
    setup: ["ALTER TABLE framework_migrations ADD CHECK (migration_path < '1')"],
    outcome: /history table|check constraint/,
  },
];

const mysqlTrigger = (when: string, body: string) => [
  `CREATE TRIGGER hostile ${when} ON framework_migrations FOR EACH ROW ${body}`,
];

export const MYSQL: readonly Hostile[] = [
  {
    name: "a trigger that changes new rows",
    setup: mysqlTrigger("BEFORE INSERT", "SET NEW.content_hash = 'x'"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that changes paths",
    setup: mysqlTrigger("BEFORE INSERT", "SET NEW.migration_path = 'x'"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that changes states",
    setup: mysqlTrigger("BEFORE INSERT", "SET NEW.state = 'applied'"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that undoes changes",
    setup: mysqlTrigger("BEFORE UPDATE", "SET NEW.state = OLD.state"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that fails",
    setup: mysqlTrigger(
      "BEFORE INSERT",
      "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no rows today'",
    ),
    outcome: /no rows today/,
  },
  {
    name: "a trigger that fails for changes",
    setup: mysqlTrigger(
      "BEFORE UPDATE",
      "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no changes today'",
    ),
    outcome: /no changes today/,
  },
  {
    name: "a trigger that copies rows elsewhere",
    setup: [
      "CREATE TABLE audit (path text)",
      ...mysqlTrigger("AFTER INSERT", "INSERT INTO audit VALUES (NEW.migration_path)"),
    ],
    outcome: "works",
  },
  {
    name: "a view in place of the table",
    setup: [
      "RENAME TABLE framework_migrations TO others",
      "CREATE VIEW framework_migrations AS SELECT * FROM others",
    ],
    outcome: "works",
  },
  {
    name: "a view of some rows",
    setup: [
      "RENAME TABLE framework_migrations TO others",
      "CREATE VIEW framework_migrations AS SELECT * FROM others WHERE state <> 'applied' OR migration_path < '1'",
    ],
    outcome: SPOILED,
  },
  {
    name: "a view that cannot be written",
    setup: [
      "RENAME TABLE framework_migrations TO others",
      "CREATE VIEW framework_migrations AS SELECT DISTINCT * FROM others",
    ],
    outcome: /not insertable|not updatable/,
  },
  {
    name: "a column that is generated",
    setup: [
      "ALTER TABLE framework_migrations DROP COLUMN duration_ms, ADD COLUMN duration_ms bigint AS (1) STORED",
    ],
    outcome: /history table|generated/,
  },
  {
    name: "a table without transactions",
    setup: [
      "ALTER TABLE framework_migrations MODIFY migration_path VARCHAR(100) CHARACTER SET utf8mb4 " +
      "COLLATE utf8mb4_bin NOT NULL, ENGINE = Aria",
    ],
    outcome: "works",
  },
  {
    name: "a unique index on states",
    setup: ["CREATE UNIQUE INDEX u ON framework_migrations (state)"],
    outcome: SPOILED,
  },
  {
    name: "a check constraint",
    setup: ["ALTER TABLE framework_migrations ADD CHECK (migration_path < '1')"],
    outcome: /CONSTRAINT/,
  },
  {
    name: "a shorter column of hashes",
    setup: [
      "UPDATE framework_migrations SET content_hash = NULL",
      "ALTER TABLE framework_migrations MODIFY content_hash VARCHAR(10)",
    ],
    outcome: /too long|history table/,
  },
  {
    name: "a role that may not write",
    setup: ["GRANT SELECT, LOCK TABLES ON DB.* TO ROLE_", "GRANT INSERT ON DB.log TO ROLE_"],
    datasource: { username: "ROLE_" },
    outcome: /denied/,
  },
  {
    name: "a role that may not change",
    setup: ["GRANT SELECT, INSERT ON DB.* TO ROLE_"],
    datasource: { username: "ROLE_" },
    outcome: /denied/,
  },
  {
    name: "a role whose statements have a limit",
    setup: ["GRANT ALL ON DB.* TO ROLE_", "ALTER USER ROLE_ WITH MAX_STATEMENT_TIME 5"],
    datasource: { username: "ROLE_" },
    outcome: "works",
  },
  {
    name: "a table of other columns",
    setup: ["CREATE TABLE framework_migrations (id int)"],
    isFirst: true,
    outcome: /is not a migration history/,
  },
  {
    name: "a database of another character set",
    setup: ["ALTER DATABASE DB CHARACTER SET latin1"],
    outcome: "works",
  },
];

const sqliteTrigger = (when: string, body: string) => [
  `CREATE TRIGGER hostile ${when} ON framework_migrations BEGIN ${body}; END`,
];

export const SQLITE: readonly Hostile[] = [
  {
    name: "a trigger that ignores new rows",
    setup: sqliteTrigger("BEFORE INSERT", "SELECT RAISE(IGNORE)"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that ignores changes",
    setup: sqliteTrigger("BEFORE UPDATE", "SELECT RAISE(IGNORE)"),
    outcome: SPOILED,
  },
  {
    name: "a trigger that deletes rows",
    setup: sqliteTrigger(
      "AFTER INSERT",
      "DELETE FROM framework_migrations WHERE migration_path = NEW.migration_path",
    ),
    outcome: SPOILED,
  },
  {
    name: "a trigger that changes new rows",
    setup: sqliteTrigger(
      "AFTER INSERT",
      "UPDATE framework_migrations SET content_hash = 'x' WHERE migration_path = NEW.migration_path",
    ),
    outcome: SPOILED,
  },
  {
    name: "a trigger that changes states",
    setup: sqliteTrigger(
      "AFTER UPDATE",
      "UPDATE framework_migrations SET state = 'running' WHERE migration_path = NEW.migration_path",
    ),
    outcome: SPOILED,
  },
  {
    name: "a trigger that undoes changes",
    setup: sqliteTrigger(
      "AFTER UPDATE OF state",
      "UPDATE framework_migrations SET content_hash = 'y' WHERE migration_path = NEW.migration_path",
    ),
    outcome: SPOILED,
  },
  {
    name: "a trigger that fails",
    setup: sqliteTrigger("BEFORE INSERT", "SELECT RAISE(ABORT, 'no rows today')"),
    outcome: /no rows today/,
  },
  {
    name: "a trigger that rolls back",
    setup: sqliteTrigger("BEFORE INSERT", "SELECT RAISE(ROLLBACK, 'no rows today')"),
    outcome: /no rows today/,
  },
  {
    name: "a trigger that copies rows elsewhere",
    setup: [
      "CREATE TABLE audit (path text)",
      ...sqliteTrigger("AFTER INSERT", "INSERT INTO audit VALUES (NEW.migration_path)"),
    ],
    outcome: "works",
  },
  {
    name: "a view in place of the table",
    setup: [
      "ALTER TABLE framework_migrations RENAME TO others",
      "CREATE VIEW framework_migrations AS SELECT * FROM others",
    ],
    outcome: /cannot modify|history table/,
  },
  {
    name: "a view that swallows rows",
    setup: [
      "ALTER TABLE framework_migrations RENAME TO others",
      "CREATE VIEW framework_migrations AS SELECT * FROM others",
      "CREATE TRIGGER hostile INSTEAD OF INSERT ON framework_migrations BEGIN SELECT 1; END",
      "CREATE TRIGGER hostile2 INSTEAD OF UPDATE ON framework_migrations BEGIN SELECT 1; END",
    ],
    outcome: SPOILED,
  },
  {
    name: "`user_version`, `application_id`",
    setup: ["PRAGMA user_version = 7", "PRAGMA application_id = 7"],
    outcome: "works",
  },
  { name: "a write-ahead log", setup: ["PRAGMA journal_mode = WAL"], outcome: "works" },
  {
    name: "another page size and incremental vacuum",
    setup: ["PRAGMA auto_vacuum = 2", "VACUUM"],
    outcome: "works",
  },
  {
    name: "a column that is generated",
    setup: [
      "ALTER TABLE framework_migrations DROP COLUMN duration_ms",
      "ALTER TABLE framework_migrations ADD COLUMN duration_ms INT AS (1) VIRTUAL",
    ],
    outcome: /history table|generated/,
  },
  {
    name: "a unique index on states",
    setup: ["CREATE UNIQUE INDEX u ON framework_migrations (state)"],
    outcome: SPOILED,
  },
  {
    name: "a column more",
    setup: ["ALTER TABLE framework_migrations ADD COLUMN team TEXT NOT NULL DEFAULT 'x'"],
    outcome: "works",
  },
  {
    name: "a table without a key",
    setup: [
      "CREATE TABLE two AS SELECT * FROM framework_migrations",
      "DROP TABLE framework_migrations",
      "ALTER TABLE two RENAME TO framework_migrations",
    ],
    outcome: "works",
  },
  {
    name: "a table of other columns",
    setup: ["CREATE TABLE framework_migrations (id int)"],
    isFirst: true,
    outcome: /is not a migration history/,
  },
  {
    name: "a check constraint",
    setup: [
      "CREATE TABLE two (connection, migration_path CHECK (migration_path < '1'), content_hash, executed_at, executed_by, duration_ms, state, statement, previous_hash, previous_at)",
      "INSERT INTO two SELECT * FROM framework_migrations",
      "DROP TABLE framework_migrations",
      "ALTER TABLE two RENAME TO framework_migrations",
    ],
    outcome: /CHECK constraint/,
  },
];
