import { assertEquals, assertMatch } from "@std/assert";
import { readBackfill } from "../../../src/features/backfills/file.ts";
import { MYSQL } from "../../../src/migrations/sql/engines/mysql/grammar.ts";
import * as mysql from "../../migrations/sql/mysql_support.ts";
import { databaseTest } from "../../migrations/sql/support.ts";
import { lint, rulesIn } from "./support.ts";

const TABLE =
  "CREATE TABLE t (id INT NOT NULL, a INT, b INT NOT NULL, v VARCHAR(50), g POINT NOT NULL, e ENUM('a', 'b'), " +
  "PRIMARY KEY (id), INDEX ia (a)) ENGINE=InnoDB CHARSET=utf8mb4";

const ACTIONS = [
  ...["ADD COLUMN n INT NOT NULL DEFAULT 5", "ADD n INT AS (a + 1) VIRTUAL", "DROP INDEX ia"],
  ...["ADD n INT AS (a + 1) STORED", "ADD n CHAR(36) DEFAULT (UUID())", "ADD INDEX i (a)"],
  ...["ALTER a SET DEFAULT 5", "CONVERT TO CHARACTER SET utf8mb3", "CHARACTER SET utf8mb3"],
  ...["ADD UNIQUE i (id, a)", "ADD FULLTEXT i (v)", "DROP PRIMARY KEY", "ENGINE=InnoDB", "FORCE"],
  ...[
    "DROP PRIMARY KEY, ADD PRIMARY KEY (id, b)",
    "ADD CONSTRAINT `f` FOREIGN KEY (a) REFERENCES ref (id)",
  ],
  ...[
    "ADD FOREIGN KEY (a) REFERENCES ref (id)",
    "ADD CHECK (a > 0)",
    "ADD CONSTRAINT c CHECK (a > 0)",
  ],
  ...[
    "COMMENT='MODIFY a BIGINT'",
    "ROW_FORMAT=COMPRESSED",
    "MODIFY a BIGINT",
    "MODIFY v VARCHAR(5)",
  ],
  ...["MODIFY e ENUM('c', 'a')", "CHANGE a a BIGINT", "ENGINE=MyISAM", "ADD SPATIAL INDEX s (g)"],
  ...[
    "PARTITION BY HASH (id) PARTITIONS 2",
    "ORDER BY a",
    "DROP PRIMARY KEY, ADD n INT AUTO_INCREMENT PRIMARY KEY",
  ],
];

/** The server answers like this if it cannot do it in this way, and otherwise to a mistake in the statement. */
const UNSUPPORTED = /is not supported|is not allowed|No matching|unknown/i;

for (
  const statement of [
    ...ACTIONS.map((action) => `ALTER TABLE t ${action}`),
    ...["CREATE FULLTEXT INDEX i ON t (v)", "CREATE SPATIAL INDEX s ON t (g)"],
    ...["DROP TABLE t", "RENAME TABLE t TO s", "ALTER TABLE t RENAME TO s"],
  ]
) {
  databaseTest(
    `MariaDB runs or refuses the safe way of ${statement}, which is accepted`,
    mysql,
    mysql.mysqlMissing,
    async (datasource) => {
      await mysql.query(datasource, "CREATE TABLE ref (id INT PRIMARY KEY)");
      await mysql.query(datasource, TABLE);
      for (const { rule, advice = [] } of await lint({ "1.sql": statement }, { kind: "mysql" })) {
        const text = advice.filter((line) => line.startsWith("  ")).join("\n");
        assertEquals(await rulesIn([text], { kind: "mysql" }), [], text);
        for (const part of text.replace(/^ *--.*$/gm, "").split(";")) {
          if (part.trim() === "") continue;
          const error = await mysql.query(datasource, part).then(
            () => "",
            ({ message }) => message,
          );
          if (error !== "") assertMatch(error, UNSUPPORTED, `${rule}: ${part}`);
        }
      }
    },
  );
}

databaseTest(
  "linting finds what MariaDB cannot do while others go on, and is silent about what it can",
  mysql,
  mysql.mysqlMissing,
  async (datasource) => {
    await mysql.query(datasource, "CREATE TABLE ref (id INT PRIMARY KEY)");
    for (const action of ACTIONS) {
      await mysql.query(datasource, "DROP TABLE IF EXISTS t");
      await mysql.query(datasource, TABLE);
      const statement = `ALTER TABLE t ${action}`;
      const isDone = await mysql.query(datasource, `${statement}, ALGORITHM=INPLACE, LOCK=NONE`)
        .then(() => true, () => false);
      const found = await rulesIn([statement], { kind: "mysql" });
      assertEquals(found.length > 0, !isDone, statement);
    }
  },
);

databaseTest(
  "linting proposes a backfill where a statement changes each row, and MariaDB runs its batches",
  mysql,
  mysql.mysqlMissing,
  async (datasource) => {
    await mysql.query(datasource, "CREATE TABLE ref (id INT PRIMARY KEY)");
    await mysql.query(datasource, TABLE);
    for (const [statement, set] of [["UPDATE t SET a = 1", "a = 1"], ["DELETE FROM t", ""]]) {
      const [{ advice = [] } = {}] = await lint({ "1.sql": statement! }, { kind: "mysql" });
      const text = advice.filter((line) => line.startsWith("  "))
        .map((line) => line.trim().replace("…", set!)).join("\n");
      const file = { path: "1.sql", location: "/1.sql", hash: "" };
      const bytes = new TextEncoder().encode(text);
      const backfill = readBackfill({ ...file, bytes }, MYSQL, {});
      assertEquals([backfill.table, backfill.column, backfill.size], ["t", "id", 5000]);
      await mysql.query(datasource, backfill.statement("(id > 0)"));
    }
  },
);
