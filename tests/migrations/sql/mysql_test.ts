import { testSqlDialect } from "../../contracts/sql_dialect.ts";
import { cleanUp, connect, create, mysqlMissing, query } from "./mysql_support.ts";

testSqlDialect({
  name: "MySQL",
  ...(mysqlMissing !== undefined && { skip: mysqlMissing }),
  transactional: false,
  create,
  cleanUp,
  query,
  olderTable: "CREATE TABLE framework_migrations (id INT AUTO_INCREMENT PRIMARY KEY, " +
    "migration_path VARCHAR(255) NOT NULL UNIQUE, executed_at DATETIME NOT NULL, " +
    "executed_by VARCHAR(255))",
  messages: [33, 10],
  leaving: "CREATE TEMPORARY TABLE left_behind (id INT); " +
    "SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'; USE mysql; SET NAMES latin1; " +
    "LOCK TABLES user READ; SET autocommit = 0;",
  minding: "CREATE TABLE b (t VARCHAR(10));\nCREATE TEMPORARY TABLE left_behind (id INT);\n" +
    'INSERT INTO b VALUES ("é\\n");',
  hold: async (datasource) => {
    const client = await connect(datasource);
    await client.query(`SELECT GET_LOCK('irori:${datasource.database}', 0)`);
    let isOpen = true;
    return {
      async [Symbol.asyncDispose]() {
        if (isOpen) await client.end();
        isOpen = false;
      },
    };
  },
});
