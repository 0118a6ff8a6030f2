/** Where a string ends is the server's to say: by its configuration, and by what a file sets. */
import { assertEquals } from "@std/assert";
import { MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import * as mysql from "./mysql_support.ts";
import * as postgresql from "./postgresql_support.ts";
import { server } from "./servers.ts";
import { failing, migrated, resolve } from "./support.ts";

const HEADS = ["", "-- irori: no-transaction\n"];

for (const head of HEADS) {
  const how = head === "" ? "in a transaction" : "without one";
  Deno.test({
    name: `PostgreSQL, ${how}: standard_conforming_strings of the database counts`,
    ignore: postgresql.postgresqlMissing !== undefined,
    async fn() {
      const datasource = await postgresql.create();
      try {
        const setting =
          `ALTER DATABASE ${datasource.database} SET standard_conforming_strings = off`;
        await postgresql.query(datasource, setting);
        await migrated(datasource, {
          "1.sql":
            `${head}CREATE TABLE a (t TEXT); INSERT INTO a VALUES ('it\\'s; one'), ('\\\\');`,
          "2.sql": `${head}INSERT INTO a VALUES ('it''s; two');`,
        });
        const rows = await postgresql.query(datasource, "SELECT t FROM a");
        assertEquals(rows.map(({ t }) => t), ["it's; one", "\\", "it's; two"]);
      } finally {
        await postgresql.cleanUp();
      }
    },
  });

  Deno.test({
    name: `PostgreSQL, ${how}: standard_conforming_strings counts from where a file sets it`,
    ignore: postgresql.postgresqlMissing !== undefined,
    async fn() {
      const datasource = await postgresql.create();
      try {
        const text = `${head}CREATE TABLE a (t TEXT); INSERT INTO a VALUES ('one\\');\n` +
          "SET standard_conforming_strings = off;\nINSERT INTO a VALUES ('two\\'; -- ');\n" +
          "SET standard_conforming_strings = on;\nINSERT INTO a VALUES ('three\\');\n";
        const tree = { "1.sql": text, "2.sql": `${head}INSERT INTO a VALUES ('four\\');` };
        await migrated(datasource, tree);
        const rows = await postgresql.query(datasource, "SELECT t FROM a");
        assertEquals(rows.map(({ t }) => t), ["one\\", "two'; -- ", "three\\", "four\\"]);

        const broken = {
          ...tree,
          "3.sql":
            `${head}SET standard_conforming_strings = off;\nSELECT '\\'';\n\nSELECT 1;\n  SELEKT 2;`,
        };
        const error = await failing(MigrationFailedError, datasource, broken);
        assertEquals([error.line, error.column], [head === "" ? 5 : 6, 3]);
        if (head !== "") await resolve(datasource, broken, "3.sql", "retry");
        const refused = { ...tree, "3.sql": broken["3.sql"].replace("SELEKT 2", "SELECT 1/0") };
        const divided = await failing(MigrationFailedError, datasource, refused);
        assertEquals([divided.line, /statement \d of \d/.exec(divided.message)?.[0]], [
          head === "" ? 5 : 6,
          "statement 4 of 4",
        ]);
      } finally {
        await postgresql.cleanUp();
      }
    },
  });
}

Deno.test({
  name: "MySQL: the sql_mode of the session counts",
  ignore: mysql.mysqlMissing !== undefined,
  async fn() {
    const { database, ...rest } = await mysql.create();
    const user = `irori_${database.slice(-8)}`;
    const admin = server("TEST_MYSQL_URL");
    const modes = "'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'";
    try {
      await mysql.query(admin, `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY 'secret'`);
      await mysql.query(admin, `GRANT ALL ON ${database}.* TO ${user}@'127.0.0.1'`);
      // It is for all users but administrators, so for this one alone here.
      const init = `SET sql_mode = IF(USER() LIKE '${user}@%', ${modes}, @@sql_mode)`;
      await mysql.query(admin, `SET GLOBAL init_connect = "${init}"`);
      const datasource = { ...rest, database, username: user };
      const text = `CREATE TABLE "a;" (t TEXT); INSERT INTO "a;" VALUES ('one\\'); ` +
        `INSERT INTO "a;" VALUES ('two');`;
      await migrated(datasource, { "1.sql": text });
      const rows = await mysql.query(datasource, 'SELECT t FROM "a;"');
      assertEquals(rows.map(({ t }) => t), ["one\\", "two"]);
    } finally {
      await mysql.query(admin, "SET GLOBAL init_connect = ''");
      await mysql.query(admin, `DROP USER IF EXISTS ${user}@'127.0.0.1'`);
      await mysql.cleanUp();
    }
  },
});
