import { testSqlDialect } from "../../contracts/sql_dialect.ts";
import { cleanUp, connect, create, postgresqlMissing, query } from "./postgresql_support.ts";

testSqlDialect({
  name: "PostgreSQL",
  ...(postgresqlMissing !== undefined && { skip: postgresqlMissing }),
  transactional: true,
  create,
  cleanUp,
  query,
  olderTable: "CREATE TABLE framework_migrations (id SERIAL PRIMARY KEY, " +
    "migration_path VARCHAR(255) NOT NULL UNIQUE, executed_at TIMESTAMP NOT NULL, " +
    "executed_by VARCHAR(255))",
  messages: [14, 5],
  leaving: "SET search_path = nowhere; SET standard_conforming_strings = off; " +
    "CREATE TEMP TABLE left_behind (id INT); PREPARE p AS SELECT 1; " +
    "CREATE ROLE irori_r; GRANT irori_r TO CURRENT_USER; SET ROLE irori_r;",
  minding:
    "CREATE TEMP TABLE left_behind (id INT); PREPARE p AS SELECT 1; CREATE TABLE a (t TEXT); " +
    "DO $$ BEGIN IF '\\' <> E'\\\\' THEN RAISE 'escapes'; END IF; END $$; DROP ROLE irori_r;",
  hold: async (datasource) => {
    const client = await connect(datasource);
    await client.query(`SELECT pg_advisory_lock(${0x69726f7269})`);
    let isOpen = true;
    return {
      async [Symbol.asyncDispose]() {
        if (isOpen) await client.end();
        isOpen = false;
      },
    };
  },
});
