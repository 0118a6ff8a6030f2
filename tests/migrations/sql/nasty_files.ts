/** Files that real projects have and that runners stumble over; each works in the database's own client. */
export const NASTY: Readonly<
  Record<"postgresql" | "mysql" | "sqlite", Readonly<Record<string, string>>>
> = {
  postgresql: {
    "functions.sql": `CREATE TABLE t (a int, b text DEFAULT E'\\\\;\\'');
CREATE OR REPLACE FUNCTION f() RETURNS trigger AS $$
BEGIN
  -- it's; a comment
  IF NEW.a > 1 THEN NEW.b := $q$ $x$ ; $x$ $q$; END IF;
  RETURN NEW;
END;
$$ LANGUAGE plpgsql;
CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();
INSERT INTO t (a) VALUES (1), (2);
CREATE FUNCTION g(a int) RETURNS int LANGUAGE SQL BEGIN ATOMIC
  SELECT 1;
  SELECT CASE WHEN a > 1 THEN 2 ELSE 3 END;
END;
DO $do$ BEGIN EXECUTE $$INSERT INTO t (a) VALUES (3);$$; END $do$;
`,
    "rules.sql": `CREATE TABLE r (a int); CREATE TABLE log (a int);
CREATE RULE rr AS ON INSERT TO r DO ALSO (INSERT INTO log VALUES (1); INSERT INTO log VALUES (2));
INSERT INTO r VALUES (1);
`,
    "comments.sql": `/* a /* nested; */ ' comment */
CREATE TABLE "we;ird ""name""" (a$b$ int, "c--d" text);
INSERT INTO "we;ird ""name""" VALUES (1, '\\'), (2, 'it''s -- not; /* one'); -- ;'
`,
    "savepoints.sql": `CREATE TABLE s (a int);
SAVEPOINT one;
INSERT INTO s VALUES (1);
ROLLBACK TO SAVEPOINT one;
INSERT INTO s VALUES (2);
RELEASE one;
`,
    "crlf.sql":
      "CREATE TABLE crlf (a text);\r\nINSERT INTO crlf VALUES ('😀\r\n;');\r\n-- the end;",
    "settings.sql": `SET search_path = pg_catalog;
SET standard_conforming_strings = off;
SET check_function_bodies = false;
CREATE TABLE public.late (a text);
INSERT INTO public.late VALUES ('a'';b');
`,
    "after_settings.sql":
      "CREATE TABLE after_settings (a text); INSERT INTO after_settings VALUES ('\\');",
    "deferred.sql": `CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE c (p int REFERENCES p DEFERRABLE INITIALLY DEFERRED);
INSERT INTO c VALUES (1); INSERT INTO p VALUES (1);
`,
    "escapes.sql": `CREATE TABLE escapes (a text);
SET standard_conforming_strings = off;
INSERT INTO escapes VALUES ('one\\'; -- two'), ('\\\\');
SET standard_conforming_strings TO on;
INSERT INTO escapes VALUES ('three\\'), (';');
`,
    "enums.sql": "CREATE TYPE mood AS ENUM ('sad;', 'ok'); ALTER TYPE mood ADD VALUE 'happy';",
  },
  mysql: {
    "delimiter.sql": `CREATE TABLE t (a INT, b VARCHAR(60), begin INT, end INT);
DELIMITER //
CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW
BEGIN
  -- it's; a comment
  IF NEW.a > 1 THEN SET NEW.b = ';//' ; END IF;
  SET NEW.end = 5;
END//
CREATE PROCEDURE p(IN x INT) BEGIN INSERT INTO t (a) VALUES (x); INSERT INTO t (a) VALUES (x + 1); END //
DELIMITER ;
CALL p(1);
INSERT INTO t (a, b) VALUES (7, 'it\\'s; "one"'), (8, "two\\";''");
`,
    "lower_delimiter.sql": `delimiter $$
CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC
BEGIN
  DECLARE b INT DEFAULT 0;
  CASE a WHEN 1 THEN SET b = IF(a, 1, 2); ELSE SET b = 3; END CASE;
  WHILE b < 10 DO SET b = b + 1; END WHILE;
  RETURN b;
END$$
CREATE TABLE fs AS SELECT f(1) AS x$$
delimiter ;
INSERT INTO fs VALUES (f(2));
`,
    "comments.sql": `# it's; a comment
CREATE TABLE \`we;ird \`\`name\`\`\` (a INT, \`c--d\` TEXT); -- ;'
INSERT INTO \`we;ird \`\`name\`\`\` VALUES (3--2, '-- /* # ;'); /* ' ; */
/*!40101 SET @saved = @@sql_mode */;
/*!40101 SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO' */;
INSERT INTO \`we;ird \`\`name\`\`\` VALUES (2*/*;*/3, "\\\\");
/*!40101 SET sql_mode = @saved */;
/*!99999 THIS IS FOR A LATER VERSION */;
`,
    "dump.sql": `/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
DROP TABLE IF EXISTS \`d\`;
/*!40101 SET character_set_client = utf8 */;
CREATE TABLE \`d\` (\`id\` int(11) NOT NULL AUTO_INCREMENT, \`v\` varchar(10), PRIMARY KEY (\`id\`)) ENGINE=InnoDB;
LOCK TABLES \`d\` WRITE;
/*!40000 ALTER TABLE \`d\` DISABLE KEYS */;
INSERT INTO \`d\` VALUES (1,'a;'),(2,NULL);
/*!40000 ALTER TABLE \`d\` ENABLE KEYS */;
UNLOCK TABLES;
/*!50003 SET sql_mode = 'STRICT_TRANS_TABLES' */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50003 TRIGGER dt BEFORE INSERT ON d FOR EACH ROW BEGIN SET NEW.v = 'x'; END */;;
DELIMITER ;
INSERT INTO d VALUES (3, 'y');
`,
    "transaction.sql": `CREATE TABLE tx (a INT) ENGINE=InnoDB;
START TRANSACTION;
INSERT INTO tx VALUES (1);
SAVEPOINT s;
INSERT INTO tx VALUES (2);
ROLLBACK TO s;
COMMIT;
SET autocommit = 0;
INSERT INTO tx VALUES (3);
COMMIT;
`,
    "locked.sql": "CREATE TABLE l (a INT); LOCK TABLES l WRITE; INSERT INTO l VALUES (1);",
    "quotes.sql":
      'SET sql_mode = \'ANSI_QUOTES\'; CREATE TABLE "q;" (a INT); INSERT INTO "q;" VALUES (1);',
    "after_quotes.sql": "CREATE TABLE aq (a TEXT); INSERT INTO aq VALUES (\"😀;\"), ('é');\r\n",
    "plain.sql": `CREATE TABLE plain (a TEXT);
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_BACKSLASH_ESCAPES' */;
INSERT INTO plain VALUES ('one\\');
SET SQL_MODE=@OLD_SQL_MODE;
INSERT INTO plain VALUES ('two\\'; three');
`,
    "block.sql":
      "DELIMITER |\nBEGIN NOT ATOMIC CREATE TABLE blk (a INT); INSERT INTO blk VALUES (1); END|",
  },
  sqlite: {
    "triggers.sql": `CREATE TABLE t (id INTEGER PRIMARY KEY, type TEXT, "begin" INT, [a;b] INT);
CREATE TRIGGER tr AFTER INSERT ON t WHEN CASE WHEN new.id > 1 THEN 1 ELSE 0 END
BEGIN
  UPDATE t SET type = CASE WHEN id > 2 THEN CASE id WHEN 3 THEN 'three;' ELSE 'big' END ELSE 'small' END;
  -- it's; a comment
  DELETE FROM t WHERE [a;b] = 9;
END;
INSERT INTO t (id, [a;b]) VALUES (1, 1), (2, 2), (3, 3), (4, 9);
CREATE TEMP TRIGGER tt AFTER INSERT ON t BEGIN SELECT 1; END;
`,
    "comments.sql": `/* it's; /* not nested */
CREATE TABLE "we;ird ""name""" (a INT, \`c--d\` TEXT); -- ;'
INSERT INTO "we;ird ""name""" VALUES (1, '\\'), (2, 'it''s -- not; /* one'), (3, x'3b');
/* the end */`,
    "crlf.sql": "CREATE TABLE crlf (a TEXT);\r\nINSERT INTO crlf\r\nVALUES ('😀;');\r\n-- the end;",
    "upsert.sql": `CREATE TABLE u (k TEXT PRIMARY KEY, v INT) WITHOUT ROWID;
INSERT INTO u VALUES ('a', 1) ON CONFLICT (k) DO UPDATE SET v = v + 1;
INSERT OR REPLACE INTO u VALUES ('a', 5);
CREATE VIEW w AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT * FROM n;
SAVEPOINT s; INSERT INTO u VALUES ('b', 2); ROLLBACK TO s; RELEASE s;
`,
    "quotes.sql": `CREATE TABLE "q" (a TEXT DEFAULT "it's; one", b INT REFERENCES nowhere (id));
INSERT INTO q (a, b) VALUES ("double ""quoted""; text", 1);
`,
    "rebuild.sql": `-- irori: no-transaction
PRAGMA foreign_keys = OFF;
BEGIN;
CREATE TABLE n (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO n SELECT id, type FROM t;
DROP TABLE t;
ALTER TABLE n RENAME TO t;
COMMIT;
PRAGMA foreign_keys = ON;
VACUUM;
`,
  },
};
